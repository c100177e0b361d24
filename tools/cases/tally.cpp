#include "cases/tally.hpp"

#include "casefile/report_text.hpp"
#include "core/short_name.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace quadrille::cases {
namespace {

using casefile::v1::Report;
using casefile::v1::Run;

std::string names(const google::protobuf::RepeatedPtrField<casefile::v1::Said>& said) {
  std::string text;
  for (const auto& one : said) text += (text.empty() ? "" : ", ") + short_name(one.type());
  return text.empty() ? "nothing" : text;
}

/// Without what is different in every saga, so that the same change is counted as one.
std::string change_of(const Run& run) {
  const auto before = run.recorded_error().empty() ? names(run.recorded()) : "an error";
  const auto now = !run.error().empty() ? "an error" : names(run.said());
  const auto trigger = run.start() == Run::TIMER ? std::string("the clock") : short_name(run.cause_type());
  return run.step() + " on " + trigger + ": " + before + " -> " + now + (before == now ? " with other content" : "") +
         " (" + casefile::name_of(run.verdict()) + ")";
}

bool is_finding(const Run& run) {
  return run.verdict() == casefile::v1::DIFFERENT || run.verdict() == casefile::v1::NEW_ERROR ||
         run.verdict() == casefile::v1::NOT_RECORDED;
}

}  // namespace

void Tally::add(const Report& report) {
  ++sagas_;
  const auto count = [&](Change& change) {
    if (change.sagas++ == 0) change.first = report.saga_id();
  };
  if (!report.could_not().empty()) {
    ++could_not_;
    return count(reasons_[report.could_not()]);
  }
  std::set<std::string> changes;
  for (const auto& run : report.run()) {
    ++runs_[run.verdict()];
    if (is_finding(run)) changes.insert(change_of(run));
  }
  for (const auto& change : changes) count(changes_[change]);
  if (casefile::has_findings(report) && differ_++ < most_) differing_.push_back(report);
}

std::string Tally::as_text() const {
  std::string text = participant_ + ", " + std::to_string(sagas_) +
                     " sagas: " + std::to_string(sagas_ - differ_ - could_not_) + " the same, " +
                     std::to_string(differ_) + " not, " + std::to_string(could_not_) + " could not be run\n";
  text += "steps:";
  for (const auto& [verdict, runs] : runs_)
    text += std::string(runs == runs_.begin()->second && verdict == runs_.begin()->first ? " " : ", ") +
            std::to_string(runs) + " " + casefile::name_of(verdict);
  text += "\n";
  if (!changes_.empty()) text += "\nwhat changes:\n";
  for (const auto& [what, change] : changes_)
    text += "  " + std::to_string(change.sagas) + " x  " + what + ", first in saga " + change.first + "\n";
  if (!reasons_.empty()) text += "\ncould not be run:\n";
  for (const auto& [why, change] : reasons_)
    text += "  " + std::to_string(change.sagas) + " x  " + why + ", first saga " + change.first + "\n";
  for (const auto& report : differing_) text += "\n" + casefile::as_text(report);
  if (differing_.size() < differ_)
    text += "\nand " + std::to_string(differ_ - differing_.size()) + " more; --show N tells more of them\n";
  return text;
}

std::string Tally::as_json() const {
  nlohmann::ordered_json json{{"participant", participant_},
                              {"sagas", sagas_},
                              {"same", sagas_ - differ_ - could_not_},
                              {"differ", differ_},
                              {"could_not", could_not_}};
  json["steps"] = nlohmann::ordered_json::object();
  for (const auto& [verdict, runs] : runs_) json["steps"][casefile::name_of(verdict)] = runs;
  json["changes"] = nlohmann::ordered_json::array();
  for (const auto& [what, change] : changes_)
    json["changes"].push_back({{"what", what}, {"sagas", change.sagas}, {"first", change.first}});
  json["reports"] = nlohmann::ordered_json::array();
  for (const auto& report : differing_)
    json["reports"].push_back(nlohmann::ordered_json::parse(casefile::to_json(report)));
  return json.dump(2) + "\n";
}

}  // namespace quadrille::cases
