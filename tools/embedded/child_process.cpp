#include "embedded/child_process.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sstream>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace quadrille::embedded {
namespace {

constexpr int could_not_start = 127;

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

[[noreturn]] void become(const Command& command, const passwd* user, char* const* arguments, char* const* environment) {
  // Between fork and exec: only calls that are safe there.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);  // what we block for ourselves, the child must hear
  setsid();  // Ctrl-C at the terminal reaches us alone; we stop our children in order
  if (!command.output.empty()) {
    const int file = open(command.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file >= 0) {
      dup2(file, STDOUT_FILENO);
      dup2(file, STDERR_FILENO);
    }
  }
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  if (user != nullptr && (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0))
    _exit(could_not_start);
  if (user != nullptr) prctl(PR_SET_PDEATHSIG, SIGKILL);  // cleared by the change of user
  if (!command.directory.empty() && chdir(command.directory.c_str()) != 0) _exit(could_not_start);
  execve(arguments[0], arguments, environment);
  _exit(could_not_start);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& added) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!added.contains(text.substr(0, text.find('=')))) result.push_back(text);
  }
  for (const auto& [name, value] : added) result.push_back(name + "=" + value);
  return result;
}

}  // namespace

ChildProcess::ChildProcess(const Command& command) {
  auto arguments = command.arguments;
  const auto program = find_program(arguments.at(0));
  if (program.empty()) throw std::runtime_error("program not found: " + arguments.at(0));
  arguments[0] = program.string();
  const passwd* user = nullptr;
  if (command.user) {
    user = getpwnam(command.user->c_str());
    if (user == nullptr) throw std::runtime_error("no such user: " + *command.user);
  }
  auto environment = environment_with(command.environment);
  const auto argument_pointers = pointers(arguments);
  const auto environment_pointers = pointers(environment);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot start " + arguments[0] + ": " + std::strerror(errno));
  if (pid_ == 0) become(command, user, argument_pointers.data(), environment_pointers.data());
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) stop();
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), exit_code_(std::exchange(other.exit_code_, std::nullopt)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(exit_code_, other.exit_code_);
  return *this;
}

bool ChildProcess::running() { return pid_ > 0 && !wait(std::chrono::milliseconds(0)); }

void ChildProcess::signal(int number) const {
  if (pid_ > 0 && !exit_code_) ::kill(pid_, number);
}

int ChildProcess::stop(std::chrono::milliseconds patience, int number) {
  signal(SIGCONT);
  signal(number);
  if (const auto code = wait(patience)) return *code;
  kill();
  return 128 + SIGKILL;
}

void ChildProcess::kill() {
  signal(SIGKILL);
  wait(std::chrono::hours(1));
}

std::optional<int> ChildProcess::wait(std::chrono::milliseconds longest) {
  const auto end = std::chrono::steady_clock::now() + longest;
  while (!exit_code_) {
    int status = 0;
    const pid_t ended = waitpid(pid_, &status, WNOHANG);
    if (ended == pid_ || (ended < 0 && errno == ECHILD)) {
      exit_code_ = ended == pid_ ? exit_code_of(status) : could_not_start;
      break;
    }
    if (std::chrono::steady_clock::now() >= end) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return exit_code_;
}

int free_port() {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound = probe >= 0 && bind(probe, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  if (probe >= 0) close(probe);
  if (!bound) throw std::runtime_error(std::string("no free port: ") + std::strerror(errno));
  return ntohs(address.sin_port);
}

std::filesystem::path find_program(const std::string& name, const std::vector<std::filesystem::path>& further) {
  if (name.find('/') != std::string::npos) return {access(name.c_str(), X_OK) == 0 ? name : std::string{}};
  std::vector<std::filesystem::path> folders;
  if (const char* path = std::getenv("PATH")) {
    std::istringstream entries(path);
    for (std::string entry; std::getline(entries, entry, ':');) folders.emplace_back(entry);
  }
  folders.emplace_back("/usr/sbin");
  folders.insert(folders.end(), further.begin(), further.end());
  for (const auto& folder : folders)
    if (access((folder / name).c_str(), X_OK) == 0) return folder / name;
  return {};
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "quadrille-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw std::runtime_error("cannot make a folder like " + pattern + ": " + std::strerror(errno));
  path_ = pattern;
  std::filesystem::permissions(path_, std::filesystem::perms(0755));  // PostgreSQL may run as another user in it
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace quadrille::embedded
