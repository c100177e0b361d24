#pragma once

#include <filesystem>
#include <string>

namespace quadrille::support {

/// Certificates for a test, made by the installed openssl into a folder.
class Certificates {
 public:
  explicit Certificates(std::filesystem::path folder) : folder_(std::move(folder)) {}

  struct Pair {
    std::filesystem::path certificate;
    std::filesystem::path key;
  };
  /// A certification authority of that name. Throws std::runtime_error with what openssl says where it fails.
  Pair authority(const std::string& name);
  /// Signed by the authority of that name. `hosts` as openssl takes them, such as "IP:127.0.0.1"; valid for that many
  /// days, -1: it has expired.
  Pair signed_by(const std::string& authority, const std::string& name, const std::string& hosts, int days = 2);

 private:
  [[nodiscard]] Pair files(const std::string& name) const {
    return {folder_ / (name + ".pem"), folder_ / (name + ".key")};
  }
  void openssl(const std::string& arguments) const;

  std::filesystem::path folder_;
};

}  // namespace quadrille::support
