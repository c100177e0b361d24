#include "checker/policy.hpp"

#include "checker/rule_book.hpp"
#include "quadrille/policy/v1/policy.pb.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace quadrille::checker {
namespace {

using std::chrono::year_month_day;

std::string place(const std::string& file, int line) { return file + ":" + std::to_string(line) + ": "; }

class Complaints final : public google::protobuf::io::ErrorCollector {
 public:
  explicit Complaints(std::string file) : file_(std::move(file)) {}
  void AddError(int line, int column, const std::string& message) override {
    if (first.empty())
      first = file_ + ":" + std::to_string(line + 1) + ":" + std::to_string(column + 1) + ": " + message;
  }
  std::string first;

 private:
  std::string file_;
};

/// 2027-03-31; nothing where it is no day of the calendar.
std::optional<year_month_day> parse_day(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  const auto number = [&](std::size_t from, std::size_t count, auto& value) {
    const auto* begin = text.data() + from;
    return std::from_chars(begin, begin + count, value).ptr == begin + count;
  };
  if (text.size() != 10 || text[4] != '-' || text[7] != '-' || !number(0, 4, year) || !number(5, 2, month) ||
      !number(8, 2, day))
    return std::nullopt;
  const year_month_day result{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  return result.ok() ? std::optional(result) : std::nullopt;
}

Severity to_severity(policy::v1::Severity severity) {
  switch (severity) {
    case policy::v1::OFF:
      return Severity::off;
    case policy::v1::NOTE:
      return Severity::note;
    case policy::v1::WARNING:
      return Severity::warning;
    default:
      return Severity::error;
  }
}

bool concerns(const policy::v1::Waiver& waiver, const Finding& finding) {
  return waiver.code() == finding.code && (waiver.saga().empty() || waiver.saga() == finding.saga) &&
         (waiver.about().empty() || std::ranges::find(finding.about, waiver.about()) != finding.about.end());
}

}  // namespace

struct Policy::Content {
  std::string file;
  policy::v1::Policy policy;
  std::vector<int> waiver_lines;
};

Policy::Policy() : content_(std::make_unique<Content>()) {}
Policy::~Policy() = default;
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;

Policy::Policy(const std::filesystem::path& file) : content_(std::make_unique<Content>()) {
  std::ifstream input(file);
  if (!input) throw std::runtime_error("--policy: cannot read " + file.string());
  std::ostringstream text;
  text << input.rdbuf();
  content_->file = file.string();
  Complaints complaints(content_->file);
  google::protobuf::TextFormat::ParseInfoTree places;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&complaints);
  parser.WriteLocationsTo(&places);
  if (!parser.ParseFromString(text.str(), &content_->policy))
    throw std::runtime_error(complaints.first +
                             "\n  repair: write it as quadrille/policy/v1/policy.proto says, such as rule { "
                             "code: \"QDR178\" severity: OFF }");
  const auto line_of = [&](const char* field, int index) {
    const auto* descriptor = policy::v1::Policy::descriptor()->FindFieldByName(field);
    return places.GetLocation(descriptor, index).line + 1;
  };
  for (int i = 0; i < content_->policy.rule_size(); ++i) {
    const auto& rule = content_->policy.rule(i);
    if (!find_rule(rule.code()) || rule.severity() == policy::v1::SEVERITY_UNSPECIFIED)
      throw std::runtime_error(place(content_->file, line_of("rule", i)) + "a rule needs a code that exists (is \"" +
                               rule.code() +
                               "\") and a severity\n  repair: `quadrille explain` lists the codes; "
                               "severities are OFF, NOTE, WARNING and ERROR");
  }
  for (int i = 0; i < content_->policy.waiver_size(); ++i) {
    const auto& waiver = content_->policy.waiver(i);
    content_->waiver_lines.push_back(line_of("waiver", i));
    if (!find_rule(waiver.code()) || waiver.reason().empty() || waiver.owner().empty() || !parse_day(waiver.expires()))
      throw std::runtime_error(place(content_->file, content_->waiver_lines.back()) +
                               "a waiver needs a code that exists, reason, owner, and expires with its last day\n  "
                               "repair: waiver { code: \"QDR172\" about: \"...\" reason: \"...\" owner: \"...\" "
                               "expires: \"2027-03-31\" }");
  }
}

void Policy::apply(std::vector<Finding>& findings, year_month_day today) const {
  for (auto& finding : findings)
    for (const auto& rule : content_->policy.rule())
      if (rule.code() == finding.code && (rule.saga().empty() || rule.saga() == finding.saga))
        finding.severity = to_severity(rule.severity());
  std::erase_if(findings, [](const Finding& finding) { return finding.severity == Severity::off; });
  std::vector<Finding> about_waivers;
  for (int i = 0; i < content_->policy.waiver_size(); ++i) {
    const auto& waiver = content_->policy.waiver(i);
    const bool expired = std::chrono::sys_days(*parse_day(waiver.expires())) < std::chrono::sys_days(today);
    bool used = false;
    for (auto& finding : findings) {
      if (!concerns(waiver, finding)) continue;
      used = true;
      if (!expired) finding.suppressed = "waived by " + waiver.owner() + ": " + waiver.reason();
    }
    if (used && !expired) continue;
    about_waivers.push_back(
        {used ? "QDR001" : "QDR002",
         Severity::warning,
         {content_->file, content_->waiver_lines[static_cast<std::size_t>(i)], 1},
         "the waiver of " + waiver.code() + (waiver.about().empty() ? "" : " for " + waiver.about()) +
             (used ? " by " + waiver.owner() + " expired on " + waiver.expires() : " suppresses nothing"),
         used ? "repair what it waives, or decide again" : "remove it",
         {},
         {waiver.code(), waiver.about()},
         waiver.saga()});
  }
  findings.insert(findings.end(), about_waivers.begin(), about_waivers.end());
}

}  // namespace quadrille::checker
