#include "replay/stepper.hpp"

#include "core/short_name.hpp"
#include "core/time_text.hpp"
#include "replay/decode.hpp"

#include <algorithm>

namespace quadrille::replay {
namespace {

constexpr const char* help =
    "next, n          to the next event (also an empty line)\n"
    "back, b          to the one before\n"
    "continue, c      to the next breakpoint, or the last event\n"
    "break X          stop at an event type (PaymentVoided), a step (Void) or a field (reason=too late)\n"
    "clear            no more breakpoints\n"
    "state, s         of the stream, before and after\n"
    "event, e         as JSON, with its envelope\n"
    "why, w           which step said it, and what led to that\n"
    "list, l          all events\n"
    "quit, q\n";

std::string label(const Event& event) {
  return short_name(event.type) + " " + event.stream.text() + "@" + std::to_string(event.version);
}

/// A text field compares as it reads, everything else as JSON.
std::string plain(const nlohmann::ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

Stepper::Stepper(std::vector<Event> events, const google::protobuf::DescriptorPool& pool, const contract::Model& model)
    : pool_(pool), model_(model) {
  std::map<StreamName, std::vector<Event>> streams;
  for (const auto& event : events) streams[event.stream].push_back(event);
  for (auto& [name, of_stream] : streams)
    for (auto& version : history(std::move(of_stream), pool)) versions_.emplace(version.event.id, version);
  entries_ = timeline(std::move(events));
  std::erase_if(entries_, [&](const Entry& entry) { return !versions_.contains(entry.event.id); });
}

bool Stepper::run(std::istream& input, std::ostream& output, bool prompt) {
  understood_ = true;
  if (entries_.empty()) return understood_;
  stand(output);
  for (std::string line; (prompt ? output << "> " << std::flush : output), std::getline(input, line);) {
    if (line == "quit" || line == "q") break;
    if (obey(line, output)) continue;
    understood_ = false;
    output << "'" << line << "' is no command:\n" << help;
  }
  return understood_;
}

bool Stepper::obey(const std::string& line, std::ostream& output) {
  const auto blank = line.find(' ');
  const auto word = line.substr(0, blank);
  const auto rest = blank == std::string::npos ? std::string() : line.substr(blank + 1);
  if (word.empty() || word == "next" || word == "n") {
    if (at_ + 1 == entries_.size()) return output << "that was the last event\n", true;
    ++at_;
    stand(output);
  } else if (word == "back" || word == "b") {
    if (at_ == 0) return output << "this is the first event\n", true;
    --at_;
    stand(output);
  } else if (word == "continue" || word == "c") {
    go_on(output);
  } else if (word == "break" && !rest.empty()) {
    add_breakpoint(rest, output);
  } else if (word == "clear") {
    breakpoints_.clear();
  } else if (word == "state" || word == "s") {
    const auto& event = entries_[at_].event;
    const auto before = std::ranges::find_if(versions_, [&](const auto& entry) {
      return entry.second.event.stream == event.stream && entry.second.event.version + 1 == event.version;
    });
    output << "  before " << (before == versions_.end() ? "{}" : before->second.state.dump()) << "\n  after  "
           << version_of(event).state.dump() << "\n";
  } else if (word == "event" || word == "e") {
    auto json = as_json(std::vector{entries_[at_]}).front();
    json["content"] = decode(entries_[at_].event, pool_);
    output << json.dump(2) << "\n";
  } else if (word == "why" || word == "w") {
    tell_why(output);
  } else if (word == "list" || word == "l") {
    list(output);
  } else if (word == "help" || word == "h") {
    output << help;
  } else {
    return false;
  }
  return true;
}

/// One that nothing in the saga could ever meet is a slip, and would let a script run to the end.
void Stepper::add_breakpoint(const std::string& breakpoint, std::ostream& output) {
  const auto field = breakpoint.substr(0, breakpoint.find('='));
  const bool is_field = field != breakpoint;
  const bool known = std::ranges::any_of(entries_, [&](const Entry& entry) {
    return is_field ? decode(entry.event, pool_).contains(field) : is_called(entry.event, breakpoint);
  });
  if (known) return breakpoints_.push_back(breakpoint);
  understood_ = false;
  output << "no "
         << (is_field ? "event of this saga has a field '" + field
                      : "event or step of this saga is called '" + breakpoint)
         << "'; `list` shows what there is\n";
}

bool Stepper::is_called(const Event& event, const std::string& name) const {
  return name == short_name(event.type) || name == event.type || name == step_of(event);
}

void Stepper::go_on(std::ostream& output) {
  while (at_ + 1 < entries_.size()) {
    ++at_;
    if (breaks_at(at_)) return stand(output);
  }
  output << "no breakpoint until the last event\n";
  stand(output);
}

void Stepper::stand(std::ostream& output) const {
  const auto& event = entries_[at_].event;
  output << at_ + 1 << "/" << entries_.size() << "  " << to_rfc3339(event.recorded_at).substr(11, 15) << "  "
         << event.source << (step_of(event).empty() ? "" : " " + step_of(event)) << "  " << label(event) << "\n";
  for (const auto& [field, change] : version_of(event).changed.items())
    output << (change["from"].is_null() ? "  + " + field + ": " + change["to"].dump()
                                        : "  ~ " + field + ": " + change["from"].dump() + " -> " + change["to"].dump())
           << "\n";
}

void Stepper::tell_why(std::ostream& output) const {
  const auto& event = entries_[at_].event;
  const auto step = step_of(event);
  output << "  " << event.source << " said " << label(event)
         << (step.empty() ? std::string(", no step of its contract known here does") : " in its step " + step) << "\n";
  const auto* cause = cause_of(event);
  if (cause == nullptr)
    output << (event.causation_id.empty() ? "  a command from outside\n"
                                          : "  because of " + event.causation_id + ", which is not recorded here\n");
  for (std::size_t depth = 0; cause != nullptr && depth < entries_.size(); ++depth, cause = cause_of(*cause))
    output << "  because of " << label(*cause) << ", said by " << cause->source << "\n";
}

void Stepper::list(std::ostream& output) const {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    output << (i == at_ ? "* " : "  ") << i + 1 << "  " << label(entries_[i].event) << "\n";
}

bool Stepper::breaks_at(std::size_t index) const {
  const auto& event = entries_[index].event;
  return std::ranges::any_of(breakpoints_, [&](const std::string& breakpoint) {
    const auto equals = breakpoint.find('=');
    if (equals == std::string::npos) return is_called(event, breakpoint);
    const auto content = decode(event, pool_);
    const auto field = content.find(breakpoint.substr(0, equals));
    return field != content.end() && plain(*field) == breakpoint.substr(equals + 1);
  });
}

std::string Stepper::step_of(const Event& event) const {
  const auto participant = std::ranges::find(model_.participants, event.source, &contract::Participant::name);
  if (participant == model_.participants.end()) return {};
  const auto* cause = cause_of(event);
  for (const auto& step : participant->steps) {
    const auto emitted = step.emits();
    if (std::ranges::find(emitted, event.type) == emitted.end()) continue;
    if (cause == nullptr || step.triggers.empty() ||
        std::ranges::find(step.triggers, cause->type) != step.triggers.end())
      return step.name;
  }
  return {};
}

const Event* Stepper::cause_of(const Event& event) const {
  const auto cause = versions_.find(event.causation_id);
  return cause == versions_.end() ? nullptr : &cause->second.event;
}

const Version& Stepper::version_of(const Event& event) const { return versions_.at(event.id); }

}  // namespace quadrille::replay
