#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace quadrille::telemetry {

enum class Level { debug, info, warn, error, off };
enum class Format { text, json };

/// What a line is about. Empty fields are left out.
struct Fields {
  std::string saga;
  std::string step;
  std::string event;  ///< id
  std::string type;   ///< of the event
  std::string trace;
};

/// Structured lines on standard error: text for people, one JSON object a line for machines. Thread-safe. Never give it
/// secrets; payloads are not logged.
class Log {
 public:
  /// `participant` is in every line.
  Log(std::string participant, Level level, Format format);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void debug(std::string_view text, const Fields& about = {}) const { write(Level::debug, text, about); }
  void info(std::string_view text, const Fields& about = {}) const { write(Level::info, text, about); }
  void warn(std::string_view text, const Fields& about = {}) const { write(Level::warn, text, about); }
  void error(std::string_view text, const Fields& about = {}) const { write(Level::error, text, about); }

 private:
  void write(Level level, std::string_view text, const Fields& about) const;

  struct Sink;
  std::string participant_;
  Format format_;
  std::unique_ptr<Sink> sink_;
};

}  // namespace quadrille::telemetry
