#pragma once

#include "postgres/pool.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The tracker's tables. Each rebuild fills a schema of its own, tracker_1, tracker_2, ...; schema `tracker` says which
/// one is served. So a rebuild goes on beside the old tables, and taking its place is one statement.
namespace quadrille::tracker {

/// Makes what is missing of schema `tracker`, and a first generation to serve. Which generation is served.
[[nodiscard]] int prepare(postgres::Pool& pool);
/// Makes an empty generation with the next number.
[[nodiscard]] int add_generation(postgres::Pool& pool);
/// Makes one with what generation `other` holds, as though of the stream only what is before `sequence` had been read.
/// Nobody writes to the other one meanwhile.
[[nodiscard]] int copy_generation(postgres::Pool& pool, int other, std::uint64_t sequence);
/// Generations there are, the served one included.
[[nodiscard]] std::vector<int> generations(postgres::Pool& pool);
/// The newest generation behind the served one that was not finished and that this program can go on with: its tables
/// know how far they are.
[[nodiscard]] std::optional<int> unfinished_generation(postgres::Pool& pool, int served);
/// Serves it from now on. The one before is still there: somebody may be reading it.
void serve_generation(postgres::Pool& pool, int generation);
void drop_generation(postgres::Pool& pool, int generation);

[[nodiscard]] std::string schema_of(int generation);

}  // namespace quadrille::tracker
