#include "support/certificates.hpp"

#include "embedded/child_process.hpp"
#include "embedded/probe.hpp"

#include <stdexcept>

namespace quadrille::support {
namespace {

constexpr const char* new_key = " -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

}  // namespace

void Certificates::openssl(const std::string& arguments) const {
  const auto output = folder_ / "openssl.log";
  embedded::ChildProcess process(
      {.arguments = {"sh", "-c", "openssl " + arguments}, .output = output, .directory = folder_});
  if (process.wait(std::chrono::seconds(30)) != 0)
    throw std::runtime_error("openssl " + arguments + ":\n" + embedded::tail(output));
}

Certificates::Pair Certificates::authority(const std::string& name) {
  openssl(std::string("req -x509 -days 2") + new_key + " -keyout " + name + ".key -out " + name +
          ".pem -subj '/CN=" + name + "'");
  return files(name);
}

Certificates::Pair Certificates::signed_by(const std::string& authority, const std::string& name,
                                           const std::string& hosts, int days) {
  openssl(std::string("req") + new_key + " -keyout " + name + ".key -out " + name + ".csr -subj '/CN=" + name +
          "' -addext 'subjectAltName=" + hosts + "'");
  openssl("x509 -req -in " + name + ".csr -CA " + authority + ".pem -CAkey " + authority +
          ".key -CAcreateserial -copy_extensions copy -days " + std::to_string(days) + " -out " + name + ".pem");
  return files(name);
}

}  // namespace quadrille::support
