#pragma once

#include <string>

namespace quadrille {

/// The last part of a dotted name: `PaymentAuthorized` of `shop.payment.v1.PaymentAuthorized`.
[[nodiscard]] inline std::string short_name(const std::string& full_name) {
  return full_name.substr(full_name.rfind('.') + 1);
}

}  // namespace quadrille
