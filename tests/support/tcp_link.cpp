#include "support/tcp_link.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <list>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace quadrille::support {
namespace {

constexpr std::size_t piece = 64 * 1024;

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {
    const int yes = 1;
    ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK);
  }
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

/// One direction of a connection. False when it is over.
bool pump(const Socket& from, const Socket& to, std::string& rest) {
  while (true) {
    if (!rest.empty()) {
      const auto sent = ::send(to.fd(), rest.data(), rest.size(), MSG_NOSIGNAL);
      if (sent < 0) return errno == EAGAIN || errno == EINTR;
      rest.erase(0, static_cast<std::size_t>(sent));
      if (!rest.empty()) return true;
    }
    std::array<char, piece> buffer;
    const auto got = ::recv(from.fd(), buffer.data(), buffer.size(), 0);
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    rest.assign(buffer.data(), static_cast<std::size_t>(got));
  }
}

struct Pair {
  explicit Pair(int accepted) : near(accepted), far(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  Socket near;
  Socket far;
  std::string to_far;
  std::string to_near;
};

}  // namespace

TcpLink::TcpLink() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  auto address = loopback(0);
  socklen_t length = sizeof address;
  constexpr int queue = 64;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, queue) != 0 || ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) != 0)
    throw std::runtime_error("cannot listen on the loopback interface");
  port_ = ntohs(address.sin_port);
  thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
}

TcpLink::~TcpLink() {
  thread_.request_stop();
  thread_.join();
  ::close(listener_);
}

void TcpLink::run(const std::stop_token& stopping) const {
  constexpr int between_looks = 20;
  std::list<Pair> pairs;
  while (!stopping.stop_requested()) {
    const auto state = state_.load();
    if (state == State::cut) pairs.clear();
    if (state == State::stalled) {
      std::this_thread::sleep_for(std::chrono::milliseconds(between_looks));
      continue;
    }
    if (state == State::slow) std::this_thread::sleep_for(slowness);
    for (int accepted = 0; (accepted = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      if (state == State::cut || target_ == 0) {
        ::close(accepted);
        continue;
      }
      auto& pair = pairs.emplace_back(accepted);
      const auto address = loopback(target_);
      const auto status = ::connect(pair.far.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
      if (status != 0 && errno != EINPROGRESS) pairs.pop_back();
    }
    std::erase_if(pairs, [](Pair& pair) {
      return !pump(pair.near, pair.far, pair.to_far) || !pump(pair.far, pair.near, pair.to_near);
    });
    std::vector<pollfd> waiting{{listener_, POLLIN, 0}};
    for (const auto& pair : pairs) {
      waiting.push_back({pair.near.fd(), static_cast<short>(pair.to_near.empty() ? POLLIN : POLLOUT), 0});
      waiting.push_back({pair.far.fd(), static_cast<short>(pair.to_far.empty() ? POLLIN : POLLOUT), 0});
    }
    static_cast<void>(::poll(waiting.data(), waiting.size(), between_looks));
  }
}

}  // namespace quadrille::support
