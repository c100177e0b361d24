#pragma once

#include "quadrille/participant.hpp"

#include <google/protobuf/message.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace quadrille {

/// What a participant offers over HTTP. Filled before the service starts; served by run() on the address of the setting
/// `http`. Bodies are protobuf's JSON; errors are RFC 9457 problem bodies.
class Edge {
 public:
  /// POST `path` with the command as JSON and an Idempotency-Key header runs the step once: 201 with the key and the
  /// saga id; the same answer again for a repetition; 400 without a key or with an invalid body; 409 while the first is
  /// running; 422 when the key was used for another body. An empty key field is filled with a new UUID. `complaint`
  /// says what is wrong with a command (400), empty when nothing is.
  template <class Command>
  void command(std::string path, std::string step,
               std::function<std::optional<std::string>(const Command&)> complaint) {
    commands_.push_back({std::move(path), std::move(step), [] { return std::make_unique<Command>(); },
                         [complaint = std::move(complaint)](const google::protobuf::Message& message) {
                           return complaint(static_cast<const Command&>(message));
                         }});
  }

  /// GET `path`/{key} answers with what `show` makes of the aggregate's state; 404 when it has no events.
  template <class AggregateType, class Show>
  void view(std::string path, Show show) {
    views_.push_back({std::move(path), [show](const std::string& key, const Aggregate& aggregate) {
                        return boxed(show(key, static_cast<const AggregateType&>(aggregate).state()));
                      }});
  }

  struct CommandRoute {
    std::string path;
    std::string step;
    std::function<std::unique_ptr<google::protobuf::Message>()> make;
    std::function<std::optional<std::string>(const google::protobuf::Message&)> complaint;
  };
  struct ViewRoute {
    std::string path;
    std::function<std::unique_ptr<google::protobuf::Message>(const std::string& key, const Aggregate&)> show;
  };
  [[nodiscard]] const std::vector<CommandRoute>& commands() const { return commands_; }
  [[nodiscard]] const std::vector<ViewRoute>& views() const { return views_; }

 private:
  std::vector<CommandRoute> commands_;
  std::vector<ViewRoute> views_;
};

}  // namespace quadrille
