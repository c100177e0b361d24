#include "jetstream/consumer_progress.hpp"

#include "jetstream/inquiry.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace quadrille::jetstream {
namespace {

constexpr std::chrono::seconds patience{3};

std::uint64_t sequence(const nlohmann::json& info, const char* place) {
  return info.value(nlohmann::json::json_pointer(std::string("/") + place + "/stream_seq"), std::uint64_t{0});
}

}  // namespace

std::vector<ConsumerProgress> consumer_progress(Connection& connection, const std::string& stream,
                                                std::span<const std::string> consumers) {
  Inquiry inquiry(connection, patience);
  for (const auto& name : consumers) inquiry.send("$JS.API.CONSUMER.INFO." + stream + "." + name, "");
  std::vector<ConsumerProgress> all;
  for (std::size_t answers = 0; answers < consumers.size(); ++answers) {
    const auto answer = inquiry.next();
    if (!answer) break;
    const auto info = nlohmann::json::parse(answer->payload, nullptr, false);
    if (!info.is_object() || info.contains("error")) continue;  // it is not there
    all.push_back({.name = info.value("name", ""),
                   .pending = info.value("num_pending", std::uint64_t{0}),
                   .unacknowledged = info.value("num_ack_pending", std::uint64_t{0}),
                   .redelivered = info.value("num_redelivered", std::uint64_t{0}),
                   .delivered = sequence(info, "delivered"),
                   .ack_floor = sequence(info, "ack_floor"),
                   .made = info.value("created", "")});
  }
  return all;
}

}  // namespace quadrille::jetstream
