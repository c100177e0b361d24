#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

/// Real servers and services started from installed binaries, for `quadrille dev`, the demo and the tests.
namespace quadrille::embedded {

/// How a child is started.
struct Command {
  std::vector<std::string> arguments;              ///< [0] is the program, looked up in PATH
  std::map<std::string, std::string> environment;  ///< added to ours
  std::filesystem::path output;                    ///< file for both outputs, appended; empty: ours
  std::optional<std::string> user;                 ///< becomes this user first (we have to be root)
  std::filesystem::path directory;                 ///< working directory; empty: ours
};

/// A running program that ends with its owner: the destructor terminates it, then kills it, and the kernel kills it
/// when our process dies. Not thread-safe.
class ChildProcess {
 public:
  /// Throws std::runtime_error that names the program when it cannot be started.
  explicit ChildProcess(const Command& command);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] bool running();
  void signal(int number) const;
  /// Sends SIGTERM (or `number`) and waits; after `patience` SIGKILL. The exit code, or 128 + signal.
  int stop(std::chrono::milliseconds patience = std::chrono::seconds(10), int number = 15);
  /// SIGKILL, and waits.
  void kill();
  /// Waits for its end, at most this long; empty when it still runs.
  std::optional<int> wait(std::chrono::milliseconds longest);

 private:
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
};

/// A TCP port of the loopback interface that nobody listens on now.
[[nodiscard]] int free_port();

/// Where a program is: in PATH or in one of the further folders; empty when it is nowhere.
[[nodiscard]] std::filesystem::path find_program(const std::string& name,
                                                 const std::vector<std::filesystem::path>& further = {});

/// A folder of our own under TMPDIR or /tmp, which other users may enter; removed with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace quadrille::embedded
