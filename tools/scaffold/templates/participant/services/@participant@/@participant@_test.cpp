#include "@participant@/@participant@_service.hpp"
#include "quadrille/testing.hpp"

#include <gtest/gtest.h>

namespace @project@::@participant@ {
namespace {

using quadrille::testing::Scenario;

}  // namespace
}  // namespace @project@::@participant@
