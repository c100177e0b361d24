#pragma once

#include "quadrille/casefile/v1/case.pb.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>

/// Recorded sagas in files. The format is described in proto/quadrille/casefile/v1/case.proto.
namespace quadrille::casefile {

/// A file that is none, ends too early, or was changed. Says at which byte, and what could be read before it.
class BadFile final : public std::runtime_error {
 public:
  BadFile(const std::string& what, v1::Case whole) : std::runtime_error(what), whole_(std::move(whole)) {}
  /// The header and the events of the case that could be read before the fault.
  [[nodiscard]] const v1::Case& whole() const { return whole_; }

 private:
  v1::Case whole_;
};

void write(const v1::Case& one, std::ostream& output);

/// Reads cases one after the other. Not thread-safe.
class Reader {
 public:
  /// `name`: what to call the input in messages.
  Reader(std::istream& input, std::string name) : input_(input), name_(std::move(name)) {}

  /// Nothing at the end of the input, which has held a case at least. Throws BadFile.
  [[nodiscard]] std::optional<v1::Case> next();

 private:
  std::string take(std::size_t bytes, const std::string& part);
  v1::Record record();
  [[noreturn]] void fail(std::uint64_t offset, const std::string& what) const;

  std::istream& input_;
  std::string name_;
  std::uint64_t offset_ = 0;
  v1::Case reading_;
  std::uint64_t cases_ = 0;
  bool more_ = false;  ///< the last case says that another comes
};

}  // namespace quadrille::casefile
