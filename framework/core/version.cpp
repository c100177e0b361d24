#include "core/version.hpp"

namespace quadrille {

std::string_view version() { return QUADRILLE_VERSION; }

std::string_view commit_date() { return QUADRILLE_COMMIT_DATE; }

std::string version_text(std::string_view program) {
  return std::string(program) + " " QUADRILLE_VERSION " (commit " QUADRILLE_COMMIT
                                ")\nbuilt with " QUADRILLE_BUILT_WITH;
}

}  // namespace quadrille
