#include "embedded/probe.hpp"

#include <arpa/inet.h>
#include <cstdint>
#include <deque>
#include <fstream>
#include <sys/socket.h>
#include <unistd.h>

namespace quadrille::embedded {

bool accepts_connections(int port) {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return false;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const bool connected = connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(probe);
  return connected;
}

std::string tail(const std::filesystem::path& file) {
  constexpr std::size_t shown = 15;
  std::ifstream input(file);
  std::deque<std::string> lines;
  for (std::string line; std::getline(input, line);) {
    lines.push_back(line);
    if (lines.size() > shown) lines.pop_front();
  }
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text.empty() ? "(nothing in " + file.string() + ")" : text;
}

}  // namespace quadrille::embedded
