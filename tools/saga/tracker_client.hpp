#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace quadrille::saga {

/// Asks a tracker over HTTP. Throws std::runtime_error that says what it was asked and what it answered.
class TrackerClient {
 public:
  /// `url`: http://host:port. `token`: of acts; may be empty. `tls_ca`: file, for https.
  TrackerClient(const std::string& url, std::string token, const std::string& tls_ca);

  using Json = nlohmann::ordered_json;
  using Query = std::multimap<std::string, std::string>;
  /// Any text as one part of a path.
  [[nodiscard]] static std::string segment(const std::string& text);
  [[nodiscard]] Json get(const std::string& path, const Query& query = {}) const;
  [[nodiscard]] Json post(const std::string& path, const Json& body) const;

 private:
  std::string url_;
  std::string token_;
  std::string tls_ca_;
};

}  // namespace quadrille::saga
