#include "@participant@/@participant@_service.hpp"

namespace @project@::@participant@ {

}  // namespace @project@::@participant@
