#include "rerun/watched.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>

namespace quadrille::rerun {
namespace {

/// A statement that answers with rows: what they were, only the database of then knows.
bool asks_for_rows(std::string_view statement) {
  std::string words(statement);
  std::ranges::transform(words, words.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  words.erase(0, words.find_first_not_of(" \t\n"));
  return words.starts_with("SELECT") || words.starts_with("WITH") || words.starts_with("VALUES") ||
         words.starts_with("TABLE") || words.find("RETURNING") != std::string::npos;
}

class WatchedStep final : public Step {
 public:
  WatchedStep(Step& inner, Watch& watch, Ledger& ledger) : inner_(inner), watch_(watch), ledger_(ledger) {}

  [[nodiscard]] const std::string& saga_id() const override { return inner_.saga_id(); }
  [[nodiscard]] const std::string& key() const override { return inner_.key(); }
  [[nodiscard]] std::chrono::system_clock::time_point now() const override { return inner_.now(); }
  [[nodiscard]] AlreadyRecorded already_recorded() override { return inner_.already_recorded(); }

  [[nodiscard]] std::string idempotency_key() const override {
    // Whoever asks for the key is about to call the outside; a rerun must not charge a card again.
    refuse("the answer to an outside call with the key " + inner_.idempotency_key());
  }

  [[nodiscard]] bool hold(std::string_view resource, std::int64_t amount) override {
    auto& entry = at(resource);
    const bool already = entry.held() > 0;
    if (!already)
      answer_from_outcome("whether " + std::to_string(amount) + " of " + std::string(resource) + " was free");
    if (!already && !watch_.said_no) static_cast<void>(inner_.add(resource, amount));  // so that it is free
    const bool granted = inner_.hold(resource, amount);
    if (granted && !already) entry.set_held(amount);
    if (!already) note_wanted(resource, amount, granted);
    return granted;
  }
  std::int64_t release(std::string_view resource) override {
    const auto amount = inner_.release(resource);
    at(resource).set_held(at(resource).held() - amount);
    return amount;
  }
  std::int64_t settle(std::string_view resource) override {
    const auto amount = inner_.settle(resource);
    at(resource).set_held(at(resource).held() - amount);
    at(resource).set_taken(at(resource).taken() + amount);
    return amount;
  }
  [[nodiscard]] bool add(std::string_view resource, std::int64_t delta) override {
    if (delta < 0) {
      answer_from_outcome("whether " + std::to_string(-delta) + " of " + std::string(resource) + " was free");
      note_wanted(resource, -delta, !watch_.said_no);
      if (watch_.said_no) return false;
      static_cast<void>(inner_.add(resource, -delta));  // so that it is free
    }
    const bool done = inner_.add(resource, delta);
    if (done) at(resource).set_added(at(resource).added() + delta);
    return done;
  }

  void deadline(std::string_view timer_step, std::chrono::milliseconds after) override {
    inner_.deadline(timer_step, after);
    watch_.chosen[std::string(timer_step)] = after;
  }

  std::vector<Row> sql(std::string_view statement, std::span<const std::string>) override {
    if (asks_for_rows(statement)) refuse("the rows of `" + std::string(statement) + "`");
    return {};  // what a statement that only writes answers with
  }

 private:
  casefile::v1::Resource& at(std::string_view resource) {
    auto& entry = ledger_[std::string(resource)];
    entry.set_name(std::string(resource));
    return entry;
  }
  void note_wanted(std::string_view resource, std::int64_t amount, bool granted) {
    auto& wanted = watch_.wanted.emplace_back();
    wanted.set_resource(std::string(resource));
    wanted.set_amount(amount);
    wanted.set_granted(granted);
  }
  /// A step that did not say no had what it wanted, one that did had not (contracts: holds, failure).
  void answer_from_outcome(const std::string& question) {
    if (!watch_.outcome_recorded) watch_.asked.push_back(question + " (answered: yes)");
  }
  [[noreturn]] void refuse(const std::string& what) const {
    watch_.asked.push_back(what);
    watch_.unanswerable = true;
    throw Error(Disposition::park, "the record does not hold " + what, ReasonClass::contract);
  }

  Step& inner_;
  Watch& watch_;
  Ledger& ledger_;
};

}  // namespace

std::unique_ptr<google::protobuf::Message> WatchedParticipant::handle(int step_index,
                                                                      const google::protobuf::Message& trigger,
                                                                      const Aggregate& aggregate, Step& step) {
  WatchedStep watched(step, *watch_, ledger_);
  return inner_.handle(step_index, trigger, aggregate, watched);
}

}  // namespace quadrille::rerun
