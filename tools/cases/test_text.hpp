#pragma once

#include "quadrille/casefile/v1/case.pb.h"
#include "quadrille/casefile/v1/report.pb.h"

#include <string>

namespace quadrille::cases {

/// What a generated test is called and what it is about.
struct TestNames {
  std::string service;  ///< class of the steps, with namespace
  std::string header;   ///< that declares it
  std::string suite;
  std::string test;
};

/// As services/ name them: shop::payment::PaymentService in payment/payment_service.hpp for a contract of package
/// shop.payment.v1.
[[nodiscard]] TestNames usual_names(const casefile::v1::Case& one, const std::string& participant);

/// A given/when/then GoogleTest of what the participant recorded in the saga. `report`: of a run of the case, which
/// knows in which order things were and what was held. Throws std::runtime_error where there is nothing to test.
[[nodiscard]] std::string as_test(const casefile::v1::Case& one, const casefile::v1::Report& report,
                                  const TestNames& names);

}  // namespace quadrille::cases
