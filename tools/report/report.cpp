#include "report/report.hpp"

#include "core/sha256.hpp"
#include "graph/svg.hpp"
#include "report/page.hpp"
#include "report/report_model.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>

namespace quadrille::report {
namespace {

unsigned from_hex(char digit) { return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10); }

/// A source expression of a Content-Security-Policy: allows this text, and no other, to run or to style.
std::string allowed(std::string_view text) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto hex = sha256(text);
  std::string base64;
  unsigned bits = 0;
  int count = 0;
  for (const char digit : hex) {
    bits = (bits << 4U) | from_hex(digit);
    for (count += 4; count >= 6; count -= 6) base64 += alphabet[(bits >> static_cast<unsigned>(count - 6)) & 63U];
  }
  if (count > 0) base64 += alphabet[(bits << static_cast<unsigned>(6 - count)) & 63U];
  while (base64.size() % 4 != 0) base64 += '=';
  return "'sha256-" + base64 + "'";
}

/// JSON inside a script element: no name can end it.
std::string embeddable(const nlohmann::ordered_json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace))
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

/// The template with {{name}} filled in. One pass: what is filled in is not looked at again.
std::string fill(std::string_view page, const std::map<std::string, std::string, std::less<>>& parts) {
  std::string text;
  for (std::size_t at = 0; at < page.size();) {
    const auto open = page.find("{{", at);
    const auto close = page.find("}}", open);
    text += page.substr(at, open - at);
    if (close == std::string_view::npos) break;
    text += parts.at(std::string(page.substr(open + 2, close - open - 2)));
    at = close + 2;
  }
  return text;
}

}  // namespace

std::string as_html(const Report& input) {
  const auto style = graph::svg_style() + std::string(page_style());
  const std::string script(page_script());
  return fill(page_html(), {{"policy", "default-src 'none'; style-src " + allowed(style) + "; script-src " +
                                           allowed(script) + "; base-uri 'none'; form-action 'none'"},
                            {"style", style},
                            {"model", embeddable(model_of(input))},
                            {"script", script}});
}

}  // namespace quadrille::report
