#include "core/trace_context.hpp"

#include "core/uuid.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace quadrille {
namespace {

// version "-" trace id "-" parent id "-" flags
constexpr std::size_t version_length = 2;
constexpr std::size_t trace_begin = 3;
constexpr std::size_t trace_length = 32;
constexpr std::size_t span_begin = 36;
constexpr std::size_t span_length = 16;
constexpr std::size_t flags_begin = 53;
constexpr std::size_t whole_length = 55;

bool hexadecimal(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool only_zeros(std::string_view text) { return text.find_first_not_of('0') == std::string_view::npos; }

struct TraceParent {
  std::string_view trace;
  bool sampled = false;
};

/// A version we do not know may have more behind what ours has.
std::optional<TraceParent> parse(std::string_view text) {
  if (text.size() < whole_length) return std::nullopt;
  const auto version = text.substr(0, version_length);
  const auto trace = text.substr(trace_begin, trace_length);
  const auto span = text.substr(span_begin, span_length);
  const auto flags = text.substr(flags_begin, 2);
  const bool ends_well = text.size() == whole_length || (version != "00" && text[whole_length] == '-');
  const bool separated =
      text[trace_begin - 1] == '-' && text[span_begin - 1] == '-' && text[flags_begin - 1] == '-' && ends_well;
  if (!separated || version == "ff" || only_zeros(trace) || only_zeros(span)) return std::nullopt;
  for (const auto part : {version, trace, span, flags})
    if (!hexadecimal(part)) return std::nullopt;
  const char last = flags.back();
  const int low = last <= '9' ? last - '0' : last - 'a' + 10;
  return TraceParent{trace, low % 2 == 1};
}

std::string random_hex(std::size_t length) {
  for (;;) {
    auto text = new_uuid();
    std::erase(text, '-');
    text.resize(length);
    if (!only_zeros(text)) return text;
  }
}

}  // namespace

std::string next_traceparent(const std::string& parent) {
  const auto known = parse(parent);
  const auto trace = known ? std::string(known->trace) : random_hex(trace_length);
  return "00-" + trace + "-" + random_hex(span_length) + (known && !known->sampled ? "-00" : "-01");
}

std::string trace_id(const std::string& traceparent) {
  const auto known = parse(traceparent);
  return known ? std::string(known->trace) : std::string{};
}

}  // namespace quadrille
