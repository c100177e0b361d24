#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace quadrille {

/// Names the events of one aggregate: `category-key`. The category has no dash; the key may.
struct StreamName {
  std::string category;
  std::string key;

  [[nodiscard]] std::string text() const { return category + "-" + key; }
  /// Throws Error(park) when there is no dash or a part is empty.
  [[nodiscard]] static StreamName parse(std::string_view text);

  auto operator<=>(const StreamName&) const = default;
};

}  // namespace quadrille
