#pragma once

#include "core/broker.hpp"
#include "core/event.hpp"
#include "republish/pace.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace quadrille::republish {

struct Options {
  std::string prefix;               ///< before every subject; empty: the subjects as they were recorded
  std::optional<std::string> salt;  ///< renews ids; nothing: they are kept
  Pace pace;
};

/// Publishes recorded events again, in their order: of a stream one after the other, and never an effect before its
/// cause. Used by one thread; the broker outlives it.
class Republisher {
 public:
  Republisher(Broker& broker, Options options) : broker_(broker), options_(std::move(options)) {}

  /// Waits until it is due. Throws quadrille::Error that says how many are published when the broker refuses one or
  /// does not answer.
  void add(Event event);
  /// Publishes what is left; how many there were.
  std::uint64_t finish();

 private:
  void flush();
  void publish(std::vector<Message> messages);

  Broker& broker_;
  Options options_;
  std::vector<Event> waiting_;
  std::uint64_t published_ = 0;
};

}  // namespace quadrille::republish
