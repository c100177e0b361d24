#pragma once

#include "core/broker.hpp"
#include "quadrille/control/v1/control.pb.h"
#include "quadrille/error.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace quadrille::asking {

/// No instance of the participant has answered: nobody serves the question, which is known at once, or nobody has said
/// a word in time. In the second case an act may have been done all the same.
class Silent final : public Error {
 public:
  Silent(const std::string& participant, std::chrono::milliseconds waited, std::chrono::milliseconds longest);
};

/// Asks running participants over the broker, and makes them act. What a participant says is an Answer, its failures
/// included. Throws Error(stop) where the broker forbids the question. Thread-safe; the broker outlives it.
class Asker {
 public:
  explicit Asker(Broker& broker) : broker_(broker) {}

  /// One instance of the participant answers. Acts go to the subject for acts. Throws Silent.
  [[nodiscard]] control::v1::Answer ask(const std::string& participant, const control::v1::Ask& ask,
                                        std::chrono::milliseconds longest = std::chrono::seconds(30)) const;
  /// The status of every instance that answers within the time, which is always spent unless nobody is there at all;
  /// by participant and instance.
  [[nodiscard]] std::vector<control::v1::Answer> instances(
      bool with_consumers, std::chrono::milliseconds longest = std::chrono::milliseconds(2'500)) const;

 private:
  Broker& broker_;
};

}  // namespace quadrille::asking
