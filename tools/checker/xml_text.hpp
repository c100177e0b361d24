#pragma once

#include <string>
#include <string_view>

namespace quadrille::checker {

/// Text for an XML element or attribute; characters that XML 1.0 cannot hold become U+FFFD.
inline std::string xml_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
          result += "\xEF\xBF\xBD";
        else
          result += c;
    }
  }
  return result;
}

}  // namespace quadrille::checker
