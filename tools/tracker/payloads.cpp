#include "tracker/payloads.hpp"

#include "core/broker.hpp"
#include "traffic/base64.hpp"

#include <nlohmann/json.hpp>

#include <chrono>

namespace quadrille::tracker {

std::optional<std::string> Payloads::read(std::uint64_t sequence, const std::string& event_id) {
  const std::lock_guard lock(mutex_);
  if (!api_) api_.emplace(settings_);
  const auto answer =
      api_->request({"$JS.API.STREAM.MSG.GET." + Topology{}.stream, {}, nlohmann::json{{"seq", sequence}}.dump()},
                    std::chrono::seconds(2));
  if (!answer) return std::nullopt;
  const auto json = nlohmann::json::parse(*answer, nullptr, false);
  if (!json.is_object() || !json.contains("message")) return std::nullopt;
  const auto& message = json["message"];
  // A stream that was made anew has something else there.
  const auto headers = traffic::from_base64(message.value("hdrs", ""));
  if (!headers || headers->find(event_id) == std::string::npos) return std::nullopt;
  return traffic::from_base64(message.value("data", ""));
}

}  // namespace quadrille::tracker
