#include "saga/show.hpp"

#include "core/short_name.hpp"
#include "core/time_text.hpp"
#include "terminal/table.hpp"

#include <map>

namespace quadrille::saga {
namespace {

using Json = nlohmann::ordered_json;
using terminal::age_text;

std::string text_of(const Json& object, const char* name) {
  return object.contains(name) && object[name].is_string() ? object[name].get<std::string>() : std::string();
}

std::string age_of(const Json& object, const char* name, TimePoint now) {
  const auto time = from_rfc3339(text_of(object, name));
  return time ? age_text(now - *time) : "-";
}

std::string joined(const Json& texts) {
  std::string all;
  for (const auto& text : texts) all += (all.empty() ? "" : ", ") + text.get<std::string>();
  return all;
}

/// What a list says of a saga beside its state: the step it waits for, or why it does not go on.
std::string about(const Json& saga, TimePoint now) {
  if (!saga["stuck"].empty()) {
    const auto& stuck = saga["stuck"].front();
    return text_of(stuck, "step") + ": " + text_of(stuck, "error") + " (" + text_of(stuck, "class") + ")";
  }
  std::string waits;
  for (const auto& waiting : saga["waiting"])
    waits += (waits.empty() ? "" : ", ") + text_of(waiting, "step") + " for " + age_of(waiting, "since", now);
  if (!waits.empty()) return waits;
  if (!saga["owed"].empty()) return "owed: " + joined(saga["owed"]);
  return saga["failure"].is_object() ? text_of(saga["failure"], "event") : "";
}

void add_part(std::string& text, const Json& part, TimePoint now) {
  text += text_of(part, "saga") + " " + text_of(part, "saga_id") + " is " + text_of(part, "state") +
          (part.value("resolved", false) ? " by a person's word" : "") + "\n";
  text += "  key " + text_of(part, "key") + ", started " + text_of(part, "started_at") + " (" +
          age_of(part, "started_at", now) + " ago)";
  if (part["ended_at"].is_string())
    text += ", ended " + text_of(part, "ended_at");
  else if (part["deadline_at"].is_string())
    text += ", to be over by " + text_of(part, "deadline_at");
  text += "\n";
  for (const auto& stuck : part["stuck"]) {
    const auto tries = stuck.value("attempts", 0U);
    text += "  STUCK at " + text_of(stuck, "step") + " since " + age_of(stuck, "since", now) + ", " +
            std::to_string(tries) + (tries == 1 ? " try, " : " tries, ") + text_of(stuck, "class") + ": " +
            text_of(stuck, "error") + "\n";
  }
  for (const auto& waiting : part["waiting"])
    text += "  waits for " + text_of(waiting, "step") + " since " + age_of(waiting, "since", now) + "\n";
  if (part["failure"].is_object())
    text += "  turned round by " + text_of(part["failure"], "event") + " of " +
            text_of(part["failure"], "participant") + "\n";
  if (!part["remaining"].empty()) text += "  may still come: " + joined(part["remaining"]) + "\n";
  for (const auto& timer : part["timers"])
    text += "  timer " + text_of(timer, "step") + " at " + text_of(timer, "due_at") + "\n";
  if (!part["ledger"].empty()) {
    std::vector<std::vector<std::string>> rows{{"  DONE", "SAID", "COMPENSATION", "UNDONE"}};
    for (const auto& line : part["ledger"])
      rows.push_back({"  " + text_of(line, "step"), text_of(line, "event"), text_of(line, "compensation"),
                      line.value("owed", false)        ? "OWED"
                      : text_of(line, "proof").empty() ? "no, it stands"
                                                       : "by " + text_of(line, "proof")});
    text += "\n" + terminal::table(rows);
  }
  if (!part["acts"].empty()) {
    std::vector<std::vector<std::string>> rows{{"  ACT", "BY", "AT", "WHY"}};
    for (const auto& act : part["acts"])
      rows.push_back({"  " + text_of(act, "act"), text_of(act, "who"), text_of(act, "at"), text_of(act, "why")});
    text += "\n" + terminal::table(rows);
  }
  text += "\n";
  for (const auto& act : part["can"])
    text += std::string(act.value("allowed", false) ? "  can " : "  cannot ") + text_of(act, "act") + ": " +
            text_of(act, "reason") + "\n";
}

}  // namespace

std::string list_text(const Json& page, TimePoint now) {
  if (page["sagas"].empty()) return "no saga matches\n";
  std::vector<std::vector<std::string>> rows{{"SAGA", "ID", "STATE", "AGE", "KEY", "ABOUT"}};
  for (const auto& saga : page["sagas"])
    rows.push_back({text_of(saga, "saga"), text_of(saga, "saga_id"), text_of(saga, "state"),
                    age_of(saga, "started_at", now), text_of(saga, "key"), about(saga, now)});
  auto text = terminal::table(rows);
  if (!text_of(page, "next").empty()) text += "more: --after " + text_of(page, "next") + "\n";
  return text;
}

std::string saga_text(const Json& saga, TimePoint now) {
  std::string text;
  for (const auto& part : saga["parts"]) add_part(text, part, now);
  std::map<std::string, std::string> names;
  for (const auto& event : saga["timeline"]) {
    const auto type = text_of(event, "type");
    names[text_of(event, "event_id")] = short_name(type);
  }
  std::vector<std::vector<std::string>> rows{{"TIME", "PARTICIPANT", "EVENT", "STREAM", "BECAUSE OF"}};
  for (const auto& event : saga["timeline"]) {
    const auto cause = text_of(event, "cause");
    const auto known = names.find(cause);
    rows.push_back({text_of(event, "recorded_at"), text_of(event, "participant"), names[text_of(event, "event_id")],
                    text_of(event, "stream") + "@" + std::to_string(event.value("version", 0)),
                    known == names.end() ? (cause.empty() ? "-" : cause) : known->second});
  }
  return text + "\n" + terminal::table(rows);
}

}  // namespace quadrille::saga
