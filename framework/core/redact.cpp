#include "core/redact.hpp"

#include <regex>

namespace quadrille {

std::string without_password(const std::string& text) {
  // scheme://user:SECRET@host (several in a list of servers), and tokens as scheme://SECRET@host for NATS
  static const std::regex in_url(R"(([a-z]+://[^:@/, ]*):[^@/, ]*@)");
  static const std::regex nats_token(R"((nats|tls)://[^:@/, ]+@)");
  // password=SECRET or password='SE''CRET', also as a URL parameter
  static const std::regex keyword(R"((password\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&']+))");
  auto result = std::regex_replace(text, nats_token, "$1://***@");
  result = std::regex_replace(result, in_url, "$1:***@");
  return std::regex_replace(result, keyword, "$1***");
}

}  // namespace quadrille
