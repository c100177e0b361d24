#include "telemetry/log.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <array>
#include <utility>

namespace quadrille::telemetry {
namespace {

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warn:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
    case Level::off:
      break;
  }
  return spdlog::level::off;
}

std::array<std::pair<const char*, const std::string*>, 5> named(const Fields& about) {
  return {{{"saga", &about.saga},
           {"step", &about.step},
           {"event", &about.event},
           {"type", &about.type},
           {"trace", &about.trace}}};
}

/// One line stays one line, whatever a message from outside holds.
std::string on_one_line(std::string_view text) {
  std::string line(text);
  for (auto& c : line)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return line;
}

}  // namespace

struct Log::Sink {
  spdlog::logger logger;
};

Log::Log(std::string participant, Level level, Format format) : participant_(std::move(participant)), format_(format) {
  // Colour is spdlog's automatic mode: on a terminal only.
  auto output = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  sink_ = std::make_unique<Sink>(Sink{spdlog::logger(participant_, std::move(output))});
  sink_->logger.set_level(to_spdlog(level));
  sink_->logger.flush_on(spdlog::level::debug);
  sink_->logger.set_pattern(format == Format::json ? "%v" : "%Y-%m-%dT%H:%M:%S.%e %^%-5l%$ %v");
}

Log::~Log() = default;

void Log::write(Level level, std::string_view text, const Fields& about) const {
  if (!sink_->logger.should_log(to_spdlog(level))) return;
  if (format_ == Format::text) {
    std::string line = participant_ + ": " + on_one_line(text);
    for (const auto& [name, value] : named(about))
      if (!value->empty()) line.append(" ").append(name).append("=").append(on_one_line(*value));
    sink_->logger.log(to_spdlog(level), "{}", line);
    return;
  }
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch());
  nlohmann::ordered_json line{{"time_ms", now.count()},
                              {"level", spdlog::level::to_string_view(to_spdlog(level)).data()},
                              {"participant", participant_},
                              {"text", text}};
  for (const auto& [name, value] : named(about))
    if (!value->empty()) line[name] = *value;
  sink_->logger.log(to_spdlog(level), "{}",
                    line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace quadrille::telemetry
