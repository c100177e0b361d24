#pragma once

#include "core/event.hpp"

#include <string>
#include <string_view>

namespace quadrille::republish {

/// Another id for the same salt always, another one for every salt: so that causes still name what they caused, without
/// remembering any. A UUID stays one of its version, and keeps the time it carries. Empty stays empty.
[[nodiscard]] std::string renewed(std::string_view id, std::string_view salt);

/// Event, cause and saga; streams, versions and times stay.
void renew(Event& event, std::string_view salt);

}  // namespace quadrille::republish
