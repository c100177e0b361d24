#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// Contracts of systems nobody has: seeded, well formed, of any size. For measuring the checker, and for planting
/// faults.
namespace quadrille::estate {

struct Size {
  std::size_t participants = 5;
  std::size_t sagas = 1;
  std::size_t public_events_per_step = 0;  ///< facts for anybody, to fill up
};

/// Where the steps of one saga are; each is `participant.Step`.
struct SagaPlan {
  std::string name;
  std::vector<std::string> compensatable;
  std::string pivot;
  std::vector<std::string> retriable;
  std::vector<std::string> undo;  ///< parallel to compensatable
  bool timed = false;             ///< GiveUp asks Abandon, which the pivot settles
  std::string give_up;
  std::string abandon;
};

struct Estate {
  std::map<std::string, std::string> files;  ///< path -> .proto text
  std::vector<SagaPlan> sagas;

  void write(const std::filesystem::path& folder) const;
};

/// The same seed and size give the same estate. Each saga: a few compensatable steps, some of which may say no, one
/// pivot, retriable steps, compensations in reverse order; half with a time-out that asks the pivot's owner, one in ten
/// with a bounded retry. A participant takes part in a saga once. `size.participants` is at least 8.
[[nodiscard]] Estate generate(std::uint64_t seed, const Size& size);

}  // namespace quadrille::estate
