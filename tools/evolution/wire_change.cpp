#include "evolution/evolution.hpp"

#include <algorithm>
#include <set>

namespace quadrille::evolution {
namespace {

using checker::Finding;
using checker::Severity;
using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;

/// Compares two versions of a message and of what it holds. Everything it finds stands at the event's place.
class Comparison {
 public:
  Comparison(const contract::EventType& event, std::vector<Finding>& findings) : event_(event), findings_(findings) {}

  void messages(const Descriptor& before, const Descriptor& after) {
    if (!seen_.insert(before.full_name()).second) return;
    for (int i = 0; i < before.field_count(); ++i) field(*before.field(i), after);
    for (int i = 0; i < before.reserved_range_count(); ++i) reserved(*before.reserved_range(i), after);
    for (int i = 0; i < after.field_count(); ++i) {
      const auto& added = *after.field(i);
      if (before.FindFieldByNumber(added.number()) == nullptr && before.IsReservedNumber(added.number()))
        tell(added.full_name(),
             added.full_name() + " uses number " + std::to_string(added.number()) +
                 ", which was reserved for a field that stored events still hold",
             "give it a number that was never used");
    }
  }

 private:
  void tell(const std::string& about, std::string message, std::string hint, Severity severity = Severity::error) {
    findings_.push_back(
        {"QDR173", severity, event_.location, std::move(message), std::move(hint), {}, {event_.name, about}, ""});
  }

  /// A reservation is for ever. A range may go to the end of all numbers: its first ones tell.
  void reserved(const Descriptor::ReservedRange& range, const Descriptor& after) {
    constexpr int enough = 1'000;
    for (int number = range.start; number < std::min(range.end, range.start + enough); ++number) {
      if (after.IsReservedNumber(number) || after.FindFieldByNumber(number) != nullptr) continue;
      const auto what = after.full_name() + ": number " + std::to_string(number);
      tell(what, what + " is no longer reserved and may be used again", "keep the reservation for ever");
      return;
    }
  }

  void field(const FieldDescriptor& before, const Descriptor& message) {
    const auto* after = message.FindFieldByNumber(before.number());
    const auto name = message.full_name() + "." + before.name();
    if (after == nullptr) {
      const auto* moved = message.FindFieldByName(before.name());
      if (moved != nullptr)
        tell(name,
             name + " had number " + std::to_string(before.number()) + " and has " + std::to_string(moved->number()) +
                 " now: stored events lose it",
             "give it back its number");
      else if (!message.IsReservedNumber(before.number()) || !message.IsReservedName(before.name()))
        tell(name, name + " is gone, and its number or name may be used again",
             "say reserved " + std::to_string(before.number()) + "; and reserved \"" + before.name() + "\";");
      return;
    }
    if (after->name() != before.name())
      tell(name, name + " is called " + after->name() + " now: JSON and whoever reads it by name lose it",
           "keep the name, or add a field beside it and reserve the old one later");
    if (after->is_repeated() == before.is_repeated() && after->type() != before.type() && one_number(before, *after))
      tell(name,
           name + " was " + kind(before) + " and is " + kind(*after) +
               " now: the bytes are the same, but large "
               "values are cut by the old version, and JSON writes them otherwise",
           "deploy all readers first, or add a field with a new number", Severity::warning);
    else if (after->type() != before.type() || after->is_repeated() != before.is_repeated())
      tell(name, name + " was " + kind(before) + " and is " + kind(*after) + " now: stored bytes are read wrongly",
           "add a field with a new number; keep this one as it was");
    const auto* old_choice = before.real_containing_oneof();
    const auto* new_choice = after->real_containing_oneof();
    if ((old_choice == nullptr) != (new_choice == nullptr) ||
        (old_choice != nullptr && old_choice->name() != new_choice->name()))
      tell(name, name + " was moved into or out of a oneof: setting it now clears others, or no longer does",
           "leave it where it was and add a new field");
    if (before.message_type() != nullptr && after->message_type() != nullptr) {
      if (before.message_type()->full_name() != after->message_type()->full_name())
        tell(name,
             name + " was a " + before.message_type()->full_name() + " and is a " + after->message_type()->full_name() +
                 " now",
             "add a field with a new number for the new type");
      else
        messages(*before.message_type(), *after->message_type());
    }
    if (before.enum_type() != nullptr && after->enum_type() != nullptr) enums(*before.enum_type(), *after->enum_type());
  }

  /// Types that protobuf writes as one kind of number.
  static bool one_number(const FieldDescriptor& one, const FieldDescriptor& other) {
    const auto plain = [](const FieldDescriptor& field) {
      switch (field.type()) {
        case FieldDescriptor::TYPE_INT32:
        case FieldDescriptor::TYPE_INT64:
        case FieldDescriptor::TYPE_UINT32:
        case FieldDescriptor::TYPE_UINT64:
          return true;
        default:
          return false;
      }
    };
    return plain(one) && plain(other);
  }

  static std::string kind(const FieldDescriptor& field) {
    return std::string(field.is_repeated() ? "repeated " : "") + field.type_name();
  }

  void enums(const EnumDescriptor& before, const EnumDescriptor& after) {
    if (!seen_.insert(before.full_name()).second) return;
    for (int i = 0; i < before.value_count(); ++i) {
      const auto& value = *before.value(i);
      const auto* now = after.FindValueByNumber(value.number());
      if (now != nullptr && now->name() == value.name()) continue;
      const auto name = before.full_name() + "." + value.name();
      tell(name,
           name + " = " + std::to_string(value.number()) +
               (now == nullptr ? " is gone" : " means " + now->name() + " now"),
           "keep old values; add new ones");
    }
  }

  const contract::EventType& event_;
  std::vector<Finding>& findings_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<Finding> wire_changes(const Version& before, const Version& after) {
  std::vector<Finding> findings;
  for (const auto& [name, event] : before.model.events) {
    const auto* now = after.model.find_event(name);
    const auto* old_type = before.pool.FindMessageTypeByName(name);
    const auto* new_type = after.pool.FindMessageTypeByName(name);
    if (now == nullptr || new_type == nullptr)
      findings.push_back({"QDR173",
                          Severity::error,
                          event.location,
                          name + " is gone, but events of that type are stored for ever",
                          "keep the message, say option deprecated = true, and stop emitting it",
                          {},
                          {name},
                          ""});
    else
      Comparison(*now, findings).messages(*old_type, *new_type);
  }
  return findings;
}

}  // namespace quadrille::evolution
