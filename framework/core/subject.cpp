#include "core/subject.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace quadrille {

std::uint32_t lane_of(std::string_view key) {
  std::uint32_t hash = 2166136261U;
  for (const char c : key) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619U;
  }
  return hash % lane_count;
}

std::string event_subject(std::string_view key, std::string_view context, std::string_view aggregate,
                          std::string_view event_name) {
  std::string subject = "evt." + std::to_string(lane_of(key));
  for (const auto token : {context, aggregate, event_name}) subject.append(".").append(token);
  return subject;
}

std::string lane_filter(std::uint32_t lane, std::string_view context) {
  return "evt." + std::to_string(lane) + "." + std::string(context) + ".>";
}

std::string consumer_name(std::string_view participant, std::string_view context, std::uint32_t lane) {
  return std::string(participant) + "-" + std::string(context) + "-" + std::to_string(lane);
}

std::string consumer_of(std::string_view participant, std::string_view subject) {
  const auto after_dot = [&](std::size_t from) { return std::min(subject.find('.', from), subject.size() - 1) + 1; };
  const auto lane = after_dot(0);
  const auto context = after_dot(lane);
  const auto token = [&](std::size_t from) {
    return std::string(subject.substr(from, subject.find('.', from) - from));
  };
  return std::string(participant) + "-" + token(context) + "-" + token(lane);
}

std::string control_subject(std::string_view participant) { return "quadrille.control." + std::string(participant); }

std::string act_subject(std::string_view participant) { return "quadrille.act." + std::string(participant); }

}  // namespace quadrille
