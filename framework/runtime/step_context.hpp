#pragma once

#include "core/store.hpp"
#include "quadrille/step.hpp"
#include "runtime/part.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace quadrille::runtime {

/// The Step that a service author sees, over the open transaction.
class StepContext final : public Step {
 public:
  StepContext(const PlannedStep& step, Transaction& transaction, std::string key, std::string saga_id, TimePoint now);

  [[nodiscard]] const std::string& saga_id() const override { return saga_id_; }
  [[nodiscard]] const std::string& key() const override { return key_; }
  [[nodiscard]] std::chrono::system_clock::time_point now() const override { return now_; }
  [[nodiscard]] std::string idempotency_key() const override;
  [[nodiscard]] AlreadyRecorded already_recorded() override;
  [[nodiscard]] bool hold(std::string_view resource, std::int64_t amount) override;
  std::int64_t release(std::string_view resource) override;
  std::int64_t settle(std::string_view resource) override;
  [[nodiscard]] bool add(std::string_view resource, std::int64_t delta) override;
  void deadline(std::string_view timer_step, std::chrono::milliseconds after) override;
  std::vector<Row> sql(std::string_view statement, std::span<const std::string> parameters) override;

  [[nodiscard]] bool nothing_new() const { return nothing_new_; }
  /// Times chosen by deadline(), by timer step.
  [[nodiscard]] const std::map<std::string, std::chrono::milliseconds>& chosen_times() const { return chosen_times_; }

 private:
  const PlannedStep& step_;
  Transaction& transaction_;
  std::string key_;
  std::string saga_id_;
  TimePoint now_;
  bool nothing_new_ = false;
  std::map<std::string, std::chrono::milliseconds> chosen_times_;
};

}  // namespace quadrille::runtime
