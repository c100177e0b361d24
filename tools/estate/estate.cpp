#include "estate/estate.hpp"

#include "estate/saga_text.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace quadrille::estate {

void Estate::write(const std::filesystem::path& folder) const {
  for (const auto& [name, text] : files) {
    const auto path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
}

Estate generate(std::uint64_t seed, const Size& size) {
  constexpr std::size_t most_parts = 8;
  if (size.participants < most_parts) throw std::invalid_argument("an estate has at least 8 participants");
  std::mt19937_64 random(seed);
  std::vector<ParticipantText> participants(size.participants);
  for (std::size_t i = 0; i < participants.size(); ++i) participants[i].name = "p" + std::to_string(i + 1);
  Estate estate;
  for (std::size_t i = 0; i < size.sagas; ++i) {
    const std::size_t count = 3 + random() % (most_parts - 2);
    // Neighbours of a random one: each takes part once, and every participant has about as many sagas.
    const std::size_t first = random() % participants.size();
    std::vector<ParticipantText*> parts;
    for (std::size_t k = 0; k < count; ++k) parts.push_back(&participants[(first + k) % participants.size()]);
    for (std::size_t k = parts.size(); k-- > 1;) std::swap(parts[k], parts[random() % (k + 1)]);
    estate.sagas.push_back(SagaText(parts, std::to_string(i + 1), size.public_events_per_step, random).write());
  }
  for (const auto& participant : participants) {
    if (participant.steps.empty()) continue;
    estate.files["estate/" + participant.name + "_events.proto"] = participant.events_file();
    estate.files["estate/" + participant.name + ".proto"] = participant.steps_file();
  }
  return estate;
}

}  // namespace quadrille::estate
