#include "jetstream/server_api.hpp"

#include "jetstream/connection.hpp"
#include "jetstream/wire.hpp"

namespace quadrille::jetstream {

struct ServerApi::Parts {
  explicit Parts(const JetStreamSettings& settings) : connection(settings, "look", false) {}
  Connection connection;
};

ServerApi::ServerApi(JetStreamSettings settings) {
  settings.warn = [](const std::string&) {};  // what is refused is asked for with refused()
  parts_ = std::make_unique<Parts>(settings);
}

ServerApi::~ServerApi() = default;

std::optional<std::string> ServerApi::request(const Message& message, std::chrono::milliseconds longest) const {
  const auto question = to_nats(message);
  natsMsg* raw = nullptr;
  if (natsConnection_RequestMsg(&raw, parts_->connection.get(), question.get(), longest.count()) != NATS_OK)
    return std::nullopt;
  const Msg answer(raw);
  return std::string(natsMsg_GetData(raw), static_cast<std::size_t>(natsMsg_GetDataLength(raw)));
}

bool ServerApi::refused(const std::string& subject) const { return parts_->connection.is_refused(subject); }

}  // namespace quadrille::jetstream
