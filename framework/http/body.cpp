#include "http/body.hpp"

#include <nlohmann/json.hpp>

namespace quadrille::http {
namespace {

std::string body_of(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

Response problem(int status, const std::string& title, const std::string& detail) {
  const nlohmann::ordered_json body{{"type", "about:blank"}, {"title", title}, {"status", status}, {"detail", detail}};
  return {status, body_of(body), "application/problem+json", {}};
}

std::string json_object(const std::map<std::string, std::string>& members) { return body_of(members); }

}  // namespace quadrille::http
