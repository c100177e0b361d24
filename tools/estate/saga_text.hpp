#pragma once

#include "estate/estate.hpp"

#include <random>
#include <set>
#include <string>
#include <vector>

namespace quadrille::estate {

/// The files of one participant while they grow.
struct ParticipantText {
  std::string name;
  std::string events;
  std::string messages;
  std::string steps;
  std::string options;  ///< sagas that start here
  std::set<std::string> imports;

  [[nodiscard]] std::string events_file() const;
  [[nodiscard]] std::string steps_file() const;
};

/// Writes one saga into the participants that take part in it.
class SagaText {
 public:
  SagaText(std::vector<ParticipantText*> parts, std::string id, std::size_t public_events, std::mt19937_64& random);
  [[nodiscard]] SagaPlan write();

 private:
  struct Said {
    std::string full_name;
    ParticipantText* by = nullptr;
  };
  [[nodiscard]] bool chance(unsigned percent);
  Said event(ParticipantText& by, const std::string& name, const std::string& options);
  /// Declares what a step hears: the event itself, or a message that joins several with ANY.
  [[nodiscard]] std::string trigger(ParticipantText& hearer, const std::string& name, const std::vector<Said>& events);
  /// Declares what a step says: one of `choice`.
  [[nodiscard]] std::string outcome(ParticipantText& sayer, const std::string& name, const std::vector<Said>& choice,
                                    bool or_nothing);
  std::string step(ParticipantText& by, const std::string& name, const std::string& input, const std::string& output,
                   const std::string& options);
  void forward(SagaPlan& plan);
  void backward(SagaPlan& plan);
  void time_out(SagaPlan& plan);

  std::vector<ParticipantText*> parts_;
  std::string id_;
  std::size_t public_events_;
  std::mt19937_64& random_;
  std::size_t compensatable_ = 0;
  std::size_t retriable_ = 0;
  std::vector<std::vector<Said>> failures_;  ///< by the number of steps that have to be undone after them
};

}  // namespace quadrille::estate
