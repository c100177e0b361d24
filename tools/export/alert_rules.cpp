#include "core/time_text.hpp"
#include "export/export.hpp"

namespace quadrille::exports {
namespace {

/// A double-quoted scalar of YAML.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "\"";
}

/// A label value within a PromQL expression.
std::string label(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return "'" + result + "'";
}

std::string seconds(std::chrono::milliseconds time) {
  auto text = std::to_string(time.count() / 1000);
  if (const auto rest = time.count() % 1000; rest > 0) {
    auto digits = std::to_string(1000 + rest).substr(1);
    while (digits.back() == '0') digits.pop_back();
    text += "." + digits;
  }
  return text;
}

std::string rule(const std::string& alert, const std::string& expression, const std::string& wait,
                 const std::string& severity, const std::string& summary) {
  return "      - alert: " + alert + "\n        expr: " + quoted(expression) + "\n        for: " + wait +
         "\n        labels:\n          severity: " + severity +
         "\n        annotations:\n          summary: " + quoted(summary) + "\n";
}

}  // namespace

std::string alert_rules(const contract::Model& model) {
  std::string steps;
  for (const auto& participant : model.participants)
    for (const auto& step : participant.steps) {
      if (step.objective.count() == 0) continue;
      steps +=
          rule("StepOverItsObjective",
               "histogram_quantile(0.99, sum by (le) (rate(step_latency_seconds_bucket{participant=" +
                   label(participant.name) + ", step=" + label(step.name) + "}[5m]))) > " + seconds(step.objective),
               "5m", "warning",
               step.full_name() + " takes longer than the " + duration_text(step.objective) +
                   " its contract promises, from trigger to outcome, for one message in a hundred");
    }
  std::string sagas;
  for (const auto& saga : model.sagas) {
    if (saga.deadline.count() == 0) continue;
    sagas += rule(
        "SagaPastItsDeadline",
        "saga_oldest_running_age_seconds{saga=" + label(saga.name) + "} > " + seconds(saga.deadline), "1m", "critical",
        "a saga " + saga.name + " has been running for longer than its deadline of " + duration_text(saga.deadline));
  }
  std::string text = "# Derived from the contracts by `quadrille export --format alert-rules`; do not edit.\ngroups:\n";
  if (!steps.empty()) text += "  - name: quadrille-steps\n    rules:\n" + steps;
  if (!sagas.empty()) text += "  - name: quadrille-sagas\n    rules:\n" + sagas;
  return steps.empty() && sagas.empty() ? "# No step declares an objective and no saga a deadline.\ngroups: []\n"
                                        : text;
}

}  // namespace quadrille::exports
