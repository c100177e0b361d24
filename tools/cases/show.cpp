#include "cases/show.hpp"

#include "casefile/case_events.hpp"
#include "cases/descriptors.hpp"
#include "core/short_name.hpp"
#include "core/time_text.hpp"
#include "core/timestamp.hpp"
#include "replay/decode.hpp"
#include "replay/timeline.hpp"

#include <nlohmann/json.hpp>

namespace quadrille::cases {
namespace {

using casefile::v1::Case;

std::string personal_data_text(const Case& one) {
  switch (one.header().personal_data()) {
    case casefile::v1::REDACTED:
      return "redacted";
    case casefile::v1::KEPT:
      return "kept: treat the file as you treat the system it is from";
    default:
      return "unknown";
  }
}

std::string contracts_text(const Case& one) {
  std::string text;
  constexpr std::size_t shown = 12;
  for (const auto& contract : one.header().contract()) {
    text += (text.empty() ? "" : ", ") + contract.participant();
    for (const auto& fingerprint : contract.fingerprint()) text += " " + fingerprint.substr(0, shown);
  }
  return text;
}

}  // namespace

std::string as_text(const Case& one) {
  const auto& header = one.header();
  std::string text = "saga " + header.saga_id() + (header.ended() ? ", ended" : ", not ended") + "\n";
  text += "  exported       " + to_rfc3339(to_time(header.exported_at())) + " by " + header.exported_by() + " from " +
          header.source() + "\n";
  text += "  contracts      " + contracts_text(one) + "\n";
  text += "  personal data  " + personal_data_text(one) + "\n\n";
  const auto entries = replay::timeline(casefile::events_of(one));
  if (!entries.empty()) text += replay::as_text(entries);
  const auto pool = pool_of(one);
  for (const auto& entry : entries)
    text += "\n" + short_name(entry.event.type) + " " + entry.event.stream.text() + "@" +
            std::to_string(entry.event.version) +
            (entry.event.saga_id == header.saga_id() ? "" : ", of another saga: brought along for its stream's state") +
            "\n  " + replay::decode(entry.event, *pool).dump() + "\n";
  return text;
}

std::string as_json(const Case& one) {
  const auto& header = one.header();
  auto events = replay::as_json(replay::timeline(casefile::events_of(one)));
  const auto pool = pool_of(one);
  std::size_t i = 0;
  for (const auto& entry : replay::timeline(casefile::events_of(one)))
    events[i++]["content"] = replay::decode(entry.event, *pool);
  const nlohmann::ordered_json json{{"saga", header.saga_id()},
                                    {"ended", header.ended()},
                                    {"exported_at", to_rfc3339(to_time(header.exported_at()))},
                                    {"exported_by", header.exported_by()},
                                    {"source", header.source()},
                                    {"personal_data", personal_data_text(one)},
                                    {"events", std::move(events)}};
  return json.dump(2) + "\n";
}

}  // namespace quadrille::cases
