#include "replay/mermaid.hpp"

#include "core/short_name.hpp"
#include "core/time_text.hpp"
#include "replay/decode.hpp"

#include <algorithm>
#include <map>

namespace quadrille::replay {
namespace {

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      default:
        safe += c;
    }
  return safe;
}

}  // namespace

std::string as_mermaid(const std::vector<Entry>& entries) {
  std::string text = "sequenceDiagram\n";
  std::vector<std::string> participants;
  std::map<std::string, std::string> source_of;
  for (const auto& entry : entries) {
    source_of[entry.event.id] = entry.event.source;
    if (std::ranges::find(participants, entry.event.source) == participants.end())
      participants.push_back(entry.event.source);
  }
  for (std::size_t i = 0; i < participants.size(); ++i)
    text += "  participant p" + std::to_string(i) + " as " + participants[i] + "\n";
  const auto lane = [&](const std::string& source) {
    return "p" + std::to_string(std::ranges::find(participants, source) - participants.begin());
  };
  for (const auto& entry : entries) {
    const auto cause = source_of.find(entry.event.causation_id);
    const auto to = lane(entry.event.source);
    const auto what = short_name(entry.event.type) + "@" + std::to_string(entry.event.version) + " +" +
                      std::to_string(entry.since_before.count()) + " us";
    text += "  " + (cause == source_of.end() ? to : lane(cause->second)) + "->>" + to + ": " + what + "\n";
  }
  return text;
}

std::string as_html(const std::string& title, const std::vector<Entry>& entries,
                    const std::vector<nlohmann::ordered_json>& contents) {
  std::string text = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>" + escaped(title) +
                     "</title>\n<style>body{font:14px sans-serif}td,th{text-align:left;padding:2px 10px;"
                     "vertical-align:top;border-bottom:1px solid #ddd}pre{margin:0}</style>\n<h1>" +
                     escaped(title) +
                     "</h1>\n<table><tr><th>time (UTC)<th>since start<th>participant<th>event<th>stream<th>cause"
                     "<th>content</tr>\n";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& event = entries[i].event;
    text += "<tr id=\"" + escaped(event.id) + "\"><td>" + to_rfc3339(event.recorded_at) + "<td>" +
            std::to_string(entries[i].since_start.count()) + " us<td>" + escaped(event.source) + "<td>" +
            escaped(short_name(event.type)) + "<td>" + escaped(event.stream.text()) + "@" +
            std::to_string(event.version) + "<td>" + escaped(entries[i].cause);
    if (i < contents.size()) text += "<td><pre>" + escaped(contents[i].dump(1)) + "</pre>";
    text += "</tr>\n";
  }
  return text + "</table></html>\n";
}

}  // namespace quadrille::replay
