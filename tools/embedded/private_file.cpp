#include "embedded/private_file.hpp"

#include <fstream>
#include <stdexcept>

namespace quadrille::embedded {

void write_private(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path) << "";
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  if (!(std::ofstream(path) << content << "\n")) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace quadrille::embedded
