#pragma once

#include "core/store.hpp"
#include "quadrille/control/v1/control.pb.h"

#include <string>
#include <utility>

namespace quadrille::runtime {

/// What people ask a participant that its database knows. Reads only, and locks nothing. Throws Refusal for what cannot
/// be answered, Error where the store fails.
class Questions {
 public:
  Questions(std::string participant, Store& store) : participant_(std::move(participant)), store_(store) {}

  [[nodiscard]] control::v1::StuckMessages list(const control::v1::ListStuck& asked) const;
  [[nodiscard]] control::v1::StuckMessage show(const control::v1::ShowStuck& asked) const;
  [[nodiscard]] control::v1::Located locate(const control::v1::Locate& asked) const;

 private:
  void locate_events(const control::v1::Locate& asked, Transaction& transaction, control::v1::Located& located) const;
  void locate_saga(const std::string& saga_id, Transaction& transaction, control::v1::Located& located) const;

  const std::string participant_;
  Store& store_;
};

}  // namespace quadrille::runtime
