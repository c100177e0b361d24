#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quadrille {

/// Lanes of a stream: how many keys can be worked on in parallel. Frozen for a stream's life.
inline constexpr std::uint32_t lane_count = 16;

/// FNV-1a 32 of the key modulo lane_count: the same as nats-server's {{partition(16,1)}}.
[[nodiscard]] std::uint32_t lane_of(std::string_view key);

/// `evt.<lane>.<context>.<aggregate>.<Event>`
[[nodiscard]] std::string event_subject(std::string_view key, std::string_view context, std::string_view aggregate,
                                        std::string_view event_name);

/// `evt.<lane>.<context>.>`: every event of a context in a lane, so that versions of a stream are contiguous.
[[nodiscard]] std::string lane_filter(std::uint32_t lane, std::string_view context);

/// `<participant>-<context>-<lane>`. Durable: renaming loses the position.
[[nodiscard]] std::string consumer_name(std::string_view participant, std::string_view context, std::uint32_t lane);

/// The name of that participant's consumer through which a message with this event subject comes.
[[nodiscard]] std::string consumer_of(std::string_view participant, std::string_view subject);

/// Where a participant is asked, of whose instances one answers: `quadrille.control.<participant>`.
[[nodiscard]] std::string control_subject(std::string_view participant);

/// Where a participant is told to act, which one of its instances does: `quadrille.act.<participant>`.
[[nodiscard]] std::string act_subject(std::string_view participant);

/// Where every instance of every participant answers.
inline constexpr const char* instances_subject = "quadrille.control.instances";

}  // namespace quadrille
