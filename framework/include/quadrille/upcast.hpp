#pragma once

#include "quadrille/error.hpp"

#include <google/protobuf/message.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace quadrille {

/// What an event of old means today, in this order; nothing added means that it says nothing any more. Keys have to be
/// set, as in every event.
class Today {
 public:
  template <class Event>
  void add(Event event) {
    events_.push_back(std::make_unique<Event>(std::move(event)));
  }

 private:
  friend class Upcasters;
  std::vector<std::unique_ptr<google::protobuf::Message>> events_;
};

/// How a participant of today reads events that were recorded when its contract, or that of another, had them under
/// another name or in other pieces. Used wherever recorded events are read: from the event store, from the broker, and
/// from case files. What is recorded stays as it is. Fields that were only added need none of this.
class Upcasters {
 public:
  using Messages = std::vector<std::unique_ptr<google::protobuf::Message>>;

  /// The event is called otherwise now; its fields are the same by their numbers.
  template <class Event>
  void renamed(std::string old_type) {
    upcasts_[std::move(old_type)] = [](const std::string& payload) {
      Messages events;
      events.push_back(parsed<Event>(payload));
      return events;
    };
  }

  /// The event is several now, or another one. `Old` stays declared for as long as it is in a store or a stream.
  /// `upcast` may throw Error(park) for one that cannot be told apart.
  template <class Old>
  void split(std::function<void(const Old& old, Today& today)> upcast) {
    upcasts_[Old::descriptor()->full_name()] = [upcast = std::move(upcast)](const std::string& payload) {
      Today today;
      upcast(static_cast<const Old&>(*parsed<Old>(payload)), today);
      return std::move(today.events_);
    };
  }

  [[nodiscard]] bool knows(const std::string& type) const { return upcasts_.contains(type); }
  [[nodiscard]] Messages upcast(const std::string& type, const std::string& payload) const {
    return upcasts_.at(type)(payload);
  }

 private:
  template <class Event>
  static std::unique_ptr<google::protobuf::Message> parsed(const std::string& payload) {
    auto event = std::make_unique<Event>();
    if (!event->ParseFromString(payload))
      throw Error(Disposition::park,
                  "the payload is not a " + event->GetTypeName() + " (" + std::to_string(payload.size()) + " bytes)",
                  ReasonClass::contract);
    return event;
  }

  std::map<std::string, std::function<Messages(const std::string& payload)>> upcasts_;
};

}  // namespace quadrille
