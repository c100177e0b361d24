#include "casefile/report_text.hpp"

#include "core/short_name.hpp"
#include "core/time_text.hpp"
#include "core/timestamp.hpp"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace quadrille::casefile {
namespace {

std::string said_text(const google::protobuf::RepeatedPtrField<v1::Said>& said) {
  std::string text;
  for (const auto& one : said) text += (text.empty() ? "" : ", ") + short_name(one.type());
  return text.empty() ? "nothing" : text;
}

std::string cause_text(const v1::Run& run) {
  switch (run.start()) {
    case v1::Run::COMMAND:
      return "a command";
    case v1::Run::TIMER:
      return run.cause_type().empty() ? "the clock" : "the clock, armed by " + short_name(run.cause_type());
    default:
      return short_name(run.cause_type());
  }
}

std::string outcome_text(const std::string& error, const google::protobuf::RepeatedPtrField<v1::Said>& said) {
  return error.empty() ? said_text(said) : "error: " + error;
}

std::string run_text(const v1::Run& run) {
  std::string verdict = name_of(run.verdict());
  verdict.resize(std::max<std::size_t>(verdict.size(), 12), ' ');
  std::string text = "  " + verdict + "  " + to_rfc3339(to_time(run.at())).substr(11, 15) + "  ";
  if (run.verdict() == v1::NOT_RUN) return text + said_text(run.recorded()) + ": " + run.note() + "\n";
  text += run.step() + " on " + cause_text(run);
  const auto now = outcome_text(run.error(), run.said());
  if (run.verdict() == v1::SAME || run.verdict() == v1::VARIED)
    text += " -> " + now + "\n";
  else
    text += "\n    recorded: " + outcome_text(run.recorded_error(), run.recorded()) + "\n    now:      " + now + "\n";
  for (const auto& line : run.difference()) text += "      " + line + "\n";
  for (const auto& asked : run.asked()) text += "    asked for what is not recorded: " + asked + "\n";
  if (!run.note().empty()) text += "    " + run.note() + "\n";
  return text;
}

std::string counts_text(const v1::Report& report) {
  std::map<v1::Verdict, int> counts;
  for (const auto& run : report.run()) ++counts[run.verdict()];
  std::string text;
  for (const auto& [verdict, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name_of(verdict);
  return text.empty() ? "no step of it was started" : text;
}

std::string fuzz_text(const v1::Fuzz& fuzz) {
  std::string text =
      "  disturbed " + std::to_string(fuzz.tried()) + " times from seed " + std::to_string(fuzz.seed()) + ": " +
      (fuzz.diverged() == 0 ? "always the same end" : std::to_string(fuzz.diverged()) + " diverge") + "\n";
  if (fuzz.diverged() == 0) return text;
  text += "  the smallest of them:\n";
  for (const auto& one : fuzz.disturbance()) text += "    " + one + "\n";
  text += "  and then, unlike undisturbed:\n";
  for (const auto& line : fuzz.divergence()) text += "    " + line + "\n";
  return text;
}

}  // namespace

bool has_findings(const v1::Report& report) {
  if (report.fuzz().diverged() > 0) return true;
  return std::ranges::any_of(report.run(), [](const v1::Run& run) {
    return run.verdict() == v1::DIFFERENT || run.verdict() == v1::NEW_ERROR || run.verdict() == v1::NOT_RECORDED;
  });
}

const char* name_of(v1::Verdict verdict) {
  switch (verdict) {
    case v1::SAME:
      return "same";
    case v1::DIFFERENT:
      return "different";
    case v1::NEW_ERROR:
      return "new error";
    case v1::NOT_RECORDED:
      return "not recorded";
    case v1::IN_FLIGHT:
      return "in flight";
    case v1::VARIED:
      return "varied";
    case v1::NOT_RUN:
      return "not run";
    default:
      return "unknown";
  }
}

std::string as_text(const v1::Report& report) {
  std::string text = "saga " + report.saga_id() + ", " + report.participant() +
                     (report.variation().empty() ? "" : ", " + report.variation()) + ": ";
  if (!report.could_not().empty()) return text + "cannot be run: " + report.could_not() + "\n";
  if (report.has_fuzz()) {
    text.pop_back();
    text += "\n" + fuzz_text(report.fuzz());
  }
  if (report.fuzz().tried() > 0 && report.fuzz().diverged() == 0) return text;
  text += (report.has_fuzz() ? "  what the steps did then: " : "") + counts_text(report) + "\n";
  for (const auto& run : report.run()) text += run_text(run);
  for (const auto& standing : report.standing())
    text += "  at the end    " + standing.stream() + "@" + std::to_string(standing.version()) + "  " +
            short_name(standing.last().type()) + " " + standing.last().json() + "\n";
  for (const auto& resource : report.resource())
    text += "  at the end    " + resource.name() + "  held " + std::to_string(resource.held()) + ", taken " +
            std::to_string(resource.taken()) + ", added " + std::to_string(resource.added()) + "\n";
  return text;
}

std::string to_json(const v1::Report& report) {
  std::string json;
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  static_cast<void>(google::protobuf::util::MessageToJsonString(report, &json, options));
  return json;
}

v1::Report from_json(const std::string& line) {
  v1::Report report;
  const auto status = google::protobuf::util::JsonStringToMessage(line, &report);
  if (!status.ok()) throw std::runtime_error("no report of a case: " + std::string(status.message()));
  return report;
}

}  // namespace quadrille::casefile
