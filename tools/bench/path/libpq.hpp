#pragma once

#include <libpq-fe.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace quadrille::bench {

using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

/// A connection without anything of the framework. Used by one thread. Throws std::runtime_error with libpq's words.
class Libpq {
 public:
  explicit Libpq(const std::string& url) : connection_(PQconnectdb(url.c_str()), PQfinish) {
    if (PQstatus(connection_.get()) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(connection_.get()));
  }
  Result run(const std::string& text) { return checked(PQexec(connection_.get(), text.c_str())); }
  void prepare(const char* name, const std::string& text) {
    checked(PQprepare(connection_.get(), name, text.c_str(), 0, nullptr));
  }
  Result run_prepared(const char* name, const std::vector<std::string>& parameters) {
    std::vector<const char*> values;
    for (const auto& parameter : parameters) values.push_back(parameter.c_str());
    return checked(
        PQexecPrepared(connection_.get(), name, static_cast<int>(values.size()), values.data(), nullptr, nullptr, 0));
  }

 private:
  Result checked(PGresult* raw) {
    Result result(raw, PQclear);
    const auto status = PQresultStatus(raw);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
      throw std::runtime_error(PQerrorMessage(connection_.get()));
    return result;
  }

  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

}  // namespace quadrille::bench
