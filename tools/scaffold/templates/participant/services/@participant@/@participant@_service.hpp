#pragma once

#include "@participant@/@participant@.hpp"
#include "@project@/@participant@/v1/@participant@.quadrille.hpp"
#include "quadrille/quadrille.hpp"

namespace @project@::@participant@ {

class @Participant@Service final : public v1::@Participant@Steps<@Participant@> {
 public:
};

}  // namespace @project@::@participant@
