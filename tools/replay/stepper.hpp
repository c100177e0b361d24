#pragma once

#include "contract/model.hpp"
#include "replay/stream_history.hpp"
#include "replay/timeline.hpp"

#include <google/protobuf/descriptor.h>

#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace quadrille::replay {

/// Walks through a saga event by event: forward and back, with the state of the stream before and after, why the step
/// ran that said it, and breakpoints. Commands come line by line, so a script can give them.
class Stepper {
 public:
  /// `pool` and `model` say what events hold and which steps say them; both outlive it.
  Stepper(std::vector<Event> events, const google::protobuf::DescriptorPool& pool, const contract::Model& model);

  /// Until `quit` or the end of the input. `prompt`: for people. False when a command was none, or a breakpoint names
  /// what the saga does not have.
  bool run(std::istream& input, std::ostream& output, bool prompt);

 private:
  bool obey(const std::string& line, std::ostream& output);
  void add_breakpoint(const std::string& breakpoint, std::ostream& output);
  [[nodiscard]] bool is_called(const Event& event, const std::string& name) const;
  void go_on(std::ostream& output);
  void stand(std::ostream& output) const;
  void tell_why(std::ostream& output) const;
  void list(std::ostream& output) const;
  [[nodiscard]] bool breaks_at(std::size_t index) const;
  [[nodiscard]] std::string step_of(const Event& event) const;
  [[nodiscard]] const Event* cause_of(const Event& event) const;
  [[nodiscard]] const Version& version_of(const Event& event) const;

  std::vector<Entry> entries_;
  std::map<std::string, Version> versions_;  ///< by event id
  const google::protobuf::DescriptorPool& pool_;
  const contract::Model& model_;
  bool understood_ = true;
  std::vector<std::string> breakpoints_;
  std::size_t at_ = 0;
};

}  // namespace quadrille::replay
