#include "cases/course_text.hpp"

#include "casefile/case_events.hpp"
#include "cases/descriptors.hpp"
#include "contract/model.hpp"
#include "core/short_name.hpp"
#include "core/time_text.hpp"
#include "core/timestamp.hpp"
#include "replay/decode.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace quadrille::cases {
namespace {

using casefile::v1::Case;
using casefile::v1::RecordedEvent;

/// What of a saga is compared, event by event.
class Teller {
 public:
  explicit Teller(const Case& recorded) : recorded_(recorded), pool_(pool_of(recorded)) {
    std::vector<const google::protobuf::FileDescriptor*> files;
    for (const auto& file : recorded.header().descriptors().file()) files.push_back(pool_->FindFileByName(file.name()));
    model_ = contract::read(files).model;
  }

  [[nodiscard]] std::string end(const Case& saga) const {
    const RecordedEvent* last = nullptr;
    std::string state;
    for (const auto& event : saga.event()) {
      const auto* type = counts(event) ? model_.find_event(event.type()) : nullptr;
      if (type == nullptr || !ends_saga(*type)) continue;
      last = &event;
      for (const auto& role : type->roles)
        if (const auto ends = end_state(role.role()); !ends.empty()) state = ends;
    }
    return last == nullptr ? "does not end" : state + " by " + short_name(last->type()) + ", " + time_of(*last, saga);
  }

  /// One line each.
  [[nodiscard]] std::vector<std::string> difference(const Case& saga) const {
    std::vector<std::string> lines;
    const auto before = by_id(recorded_);
    const auto now = by_id(saga);
    for (const auto& event : recorded_.event())
      if (counts(event) && !now.contains(event.id())) lines.push_back("no longer   " + name(event));
    for (const auto& event : saga.event()) {
      if (!counts(event)) continue;
      const auto known = before.find(event.id());
      if (known == before.end())
        lines.push_back("new         " + name(event) + ", " + time_of(event, saga));
      else
        for (const auto& field : fields(*known->second, event))
          lines.push_back("otherwise   " + name(event) + ": " + field);
    }
    return lines;
  }

 private:
  static std::string end_state(v1::SagaRole::Role role) {
    switch (role) {
      case v1::SagaRole::END_DONE:
        return "COMPLETED";
      case v1::SagaRole::END_UNDONE:
        return "CANCELLED";
      case v1::SagaRole::END_STUCK:
        return "STUCK";
      default:
        return "";
    }
  }

  /// What the framework itself says of a saga follows from what was recorded around it, and is not played.
  [[nodiscard]] bool counts(const RecordedEvent& event) const {
    return event.saga_id() == recorded_.header().saga_id() && !event.type().starts_with("quadrille.v1.");
  }

  static std::map<std::string, const RecordedEvent*> by_id(const Case& saga) {
    std::map<std::string, const RecordedEvent*> all;
    for (const auto& event : saga.event()) all.emplace(event.id(), &event);
    return all;
  }

  static std::string name(const RecordedEvent& event) {
    return short_name(event.type()) + " of " + event.key() + " (" + event.source() + ")";
  }

  /// Since the saga began, as it is read.
  [[nodiscard]] std::string time_of(const RecordedEvent& event, const Case& saga) const {
    const auto first = std::ranges::find_if(saga.event(), [&](const RecordedEvent& e) { return counts(e); });
    const auto after = to_time(event.recorded_at()) - to_time(first->recorded_at());
    const auto exact = std::chrono::round<std::chrono::milliseconds>(after);
    return "after " +
           duration_text(after < std::chrono::minutes(1) ? exact : std::chrono::round<std::chrono::seconds>(after));
  }

  [[nodiscard]] std::vector<std::string> fields(const RecordedEvent& before, const RecordedEvent& now) const {
    std::vector<std::string> lines;
    if (before.payload() == now.payload()) return lines;
    const auto was = replay::decode(casefile::to_event(before), *pool_);
    const auto is = replay::decode(casefile::to_event(now), *pool_);
    std::set<std::string> names;
    for (const auto& [field, value] : was.items()) names.insert(field);
    for (const auto& [field, value] : is.items()) names.insert(field);
    const auto text = [](const auto& json, const std::string& field) {
      return json.contains(field) ? json[field].dump() : std::string("nothing");
    };
    for (const auto& field : names)
      if (text(was, field) != text(is, field))
        lines.push_back(field + ": " + text(was, field) + " -> " + text(is, field));
    return lines;
  }

  const Case& recorded_;
  std::unique_ptr<google::protobuf::DescriptorPool> pool_;
  contract::Model model_;
};

}  // namespace

std::string as_text(const Case& recorded, const Course& unchanged, const Course& course) {
  const Teller teller(recorded);
  const auto lines = [&](const Course& one) {
    std::string text;
    for (const auto& line : teller.difference(one.saga)) text += "    " + line + "\n";
    for (const auto& wait : one.waits) text += "    waits       " + wait + "\n";
    return text;
  };
  auto text = "the saga as a whole\n  recorded    " + teller.end(recorded) + "\n";
  if (const auto different = lines(unchanged); !different.empty())
    text += "  unchanged   " + teller.end(unchanged.saga) + ", by the programs of today\n" + different;
  text += "  varied      " + teller.end(course.saga) + "\n" + lines(course);
  return text;
}

}  // namespace quadrille::cases
