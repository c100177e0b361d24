#pragma once

#include <map>
#include <string>

namespace quadrille::http {

struct Request {
  std::string method;
  std::string path;
  std::string peer;                            ///< address of who asks; of a proxy, where one is between
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
  std::string rest;  ///< what follows the route's path and a slash; empty for an exact route
  std::multimap<std::string, std::string> query;

  /// Of a name in lower case; empty where there is none.
  [[nodiscard]] std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
  /// The first value of a name; empty where there is none.
  [[nodiscard]] std::string asked(const std::string& name) const {
    const auto found = query.find(name);
    return found == query.end() ? std::string() : found->second;
  }
};

struct Response {
  int status = 200;
  std::string body;
  std::string content_type = "application/json";
  std::map<std::string, std::string> headers;
};

}  // namespace quadrille::http
