#pragma once

#include "admin/members.hpp"
#include "core/clock.hpp"
#include "quadrille/control/v1/control.pb.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::admin {

/// Where an event, or what of a saga, is: across all participants and the broker.
struct Trace {
  std::string id;
  /// What each participant says; a Failure where it could not be asked.
  std::vector<control::v1::Answer> said;
  struct InStream {
    std::uint64_t sequence = 0;
    std::string subject;
    std::string type;
    std::string stream;
    std::string saga_id;
  };
  std::optional<InStream> in_stream;
  /// How far each durable is that takes the event.
  struct AtConsumer {
    std::string participant;
    std::string consumer;
    std::string state;  ///< pending, delivered (and not acknowledged, or out of order), acknowledged
  };
  std::vector<AtConsumer> consumers;

  /// Somebody knows it.
  [[nodiscard]] bool found() const;
};

/// `id` of an event or of a saga. Reads the stream to find an event: one subject of it where its recorder answers.
[[nodiscard]] Trace trace(Broker& broker, const jetstream::JetStreamSettings& settings,
                          const std::vector<Member>& members, const std::string& id);

[[nodiscard]] std::string as_text(const Trace& trace, TimePoint now);
[[nodiscard]] nlohmann::ordered_json as_json(const Trace& trace);

}  // namespace quadrille::admin
