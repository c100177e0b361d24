#pragma once

#include "contract/model.hpp"

#include <filesystem>
#include <vector>

namespace quadrille::checker {

/// What Contracts reads, without its descriptors: files that have not changed since the last time, nor anything they
/// import, are taken from `cache`, which is written anew when anything was. A cache that is missing, broken, of another
/// version or another folder is as good as none.
[[nodiscard]] contract::Reading read_cached(const std::vector<std::filesystem::path>& paths,
                                            const std::vector<std::filesystem::path>& import_roots,
                                            const std::filesystem::path& cache);

}  // namespace quadrille::checker
