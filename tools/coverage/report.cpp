#include "coverage/report.hpp"

#include "checker/xml_text.hpp"

#include <algorithm>

namespace quadrille::coverage {
namespace {

using checker::xml_text;

constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --line: #8884; --missing: light-dark(#b3261e, #ffb4ab); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin-bottom: 2rem; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td.times, th:last-child { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.missing td { color: var(--missing); font-weight: 600; }
)css";

/// `3 of 4 branches (75 %)`
std::string in_words(const Share& share) {
  return std::to_string(share.taken) + " of " + std::to_string(share.all) + " branches (" +
         std::to_string(share.percent()) + " %)";
}

std::string by_kind(std::span<const Branch> branches) {
  std::string text;
  for (const auto kind : all_kinds) {
    const auto share = share_of(branches, kind);
    text += (text.empty() ? "" : ", ") + std::string(name_of(kind)) + " " + std::to_string(share.taken) + "/" +
            std::to_string(share.all);
  }
  return text;
}

std::string times_of(const Branch& branch) {
  return branch.times == 0 ? "no test" : std::to_string(branch.times) + (branch.times == 1 ? " time" : " times");
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

}  // namespace

Share share_of(std::span<const Branch> branches) {
  return {static_cast<std::size_t>(std::ranges::count_if(branches, [](const auto& one) { return one.times > 0; })),
          branches.size()};
}

Share share_of(std::span<const Branch> branches, Kind kind) {
  Share share;
  for (const auto& branch : branches) {
    if (branch.kind != kind) continue;
    ++share.all;
    if (branch.times > 0) ++share.taken;
  }
  return share;
}

std::string as_text(std::span<const Branch> branches, bool colour) {
  std::size_t width = 0;
  for (const auto& branch : branches) width = std::max(width, text_of(branch).size());
  std::string text;
  for (const auto& branch : branches) {
    const auto line =
        padded(text_of(branch), width) + "  " + padded(std::string(name_of(branch.kind)), 12) + "  " + times_of(branch);
    const bool mark = branch.times == 0 && colour;
    text += (mark ? "\033[31m" : "") + line + (mark ? "\033[0m" : "") + "\n";
  }
  return text + "\n" + in_words(share_of(branches)) + ": " + by_kind(branches) + "\n";
}

std::string as_html(std::span<const Branch> branches) {
  std::string text =
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>Branches taken by tests</title>\n<style>" +
      std::string(style) + "</style>\n<h1>Branches taken by tests</h1>\n<p>" + in_words(share_of(branches)) + ": " +
      by_kind(branches) + "</p>\n";
  std::string participant;
  for (const auto& branch : branches) {
    if (branch.participant != participant) {
      text += (participant.empty() ? "" : "</table>\n") + std::string("<h2>") + xml_text(branch.participant) +
              "</h2>\n<table>\n<tr><th scope=\"col\">Branch</th><th scope=\"col\">Kind</th><th scope=\"col\">"
              "Taken</th></tr>\n";
      participant = branch.participant;
    }
    text += std::string("<tr") + (branch.times == 0 ? " class=\"missing\"" : "") + "><td>" + xml_text(text_of(branch)) +
            "</td><td>" + std::string(name_of(branch.kind)) + "</td><td class=\"times\">" + times_of(branch) +
            "</td></tr>\n";
  }
  return text + (participant.empty() ? "" : "</table>\n") + "</html>\n";
}

std::string as_junit(std::span<const Branch> branches, std::size_t threshold) {
  const auto share = share_of(branches);
  const bool failed = share.percent() < threshold;
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"quadrille coverage\">\n"
      "  <testsuite name=\"branches\" tests=\"" +
      std::to_string(share.all + 1) + "\" skipped=\"" + std::to_string(share.all - share.taken) + "\" failures=\"" +
      (failed ? "1" : "0") + "\">\n";
  for (const auto& branch : branches) {
    text += "    <testcase classname=\"" + xml_text(branch.participant) + "\" name=\"" + xml_text(text_of(branch)) +
            " (" + std::string(name_of(branch.kind)) + ")\"";
    text += branch.times > 0 ? "/>\n" : "><skipped message=\"no test takes it\"/></testcase>\n";
  }
  text += "    <testcase classname=\"threshold\" name=\"at least " + std::to_string(threshold) + " %\"";
  text += failed ? "><failure message=\"" + in_words(share) + "\"/></testcase>\n" : "/>\n";
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace quadrille::coverage
