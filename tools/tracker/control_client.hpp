#pragma once

#include "jetstream/jetstream_broker.hpp"
#include "quadrille/control/v1/control.pb.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::tracker {

/// Asks running participants, and tells them to act. Connects when it is first needed. Thread-safe. Throws Error(retry)
/// while the broker is away.
class ControlClient {
 public:
  /// Acts go as `acting`, a user that the server lets act; without one as whoever reads.
  explicit ControlClient(jetstream::JetStreamSettings reading,
                         std::optional<jetstream::JetStreamSettings> acting = std::nullopt);

  /// What one instance of the participant answers; nothing where none does in time.
  [[nodiscard]] std::optional<control::v1::Answer> ask(const std::string& participant,
                                                       const control::v1::Ask& question);
  /// The same of an act. No answer does not mean that nothing was done. Throws Error(park) that names the setting where
  /// the server does not let us act.
  [[nodiscard]] std::optional<control::v1::Answer> act(const std::string& participant, const control::v1::Ask& act);
  /// Asks several at the same time; those that answered.
  [[nodiscard]] std::map<std::string, control::v1::Answer> ask_each(const std::vector<std::string>& participants,
                                                                    const control::v1::Ask& question);
  /// What every instance of everybody says of itself.
  [[nodiscard]] std::vector<control::v1::Answer> instances(bool with_consumers);

 private:
  /// A connection that is made when it is first needed.
  class Line {
   public:
    explicit Line(jetstream::JetStreamSettings settings);
    [[nodiscard]] Broker& broker();

   private:
    jetstream::JetStreamSettings settings_;
    std::mutex mutex_;
    std::unique_ptr<Broker> broker_;
  };
  [[nodiscard]] static std::optional<control::v1::Answer> one_answer(Broker& broker, const std::string& subject,
                                                                     const control::v1::Ask& question);

  Line reading_;
  std::optional<Line> acting_;
};

}  // namespace quadrille::tracker
