#include "http/problem.hpp"

#include <nlohmann/json.hpp>

namespace quadrille::http {

Response problem(int status, const std::string& title, const std::string& detail) {
  const nlohmann::ordered_json body{{"type", "about:blank"}, {"title", title}, {"status", status}, {"detail", detail}};
  return {status,
          body.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n",
          "application/problem+json",
          {}};
}

}  // namespace quadrille::http
