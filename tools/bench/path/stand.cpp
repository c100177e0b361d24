#include "path/stand.hpp"

#include "bench/process_memory.hpp"

#include <pqxx/pqxx>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace quadrille::bench {
namespace {

namespace fs = std::filesystem;

std::vector<dev::ServiceSpec> services() {
  const auto program = fs::canonical("/proc/self/exe").parent_path() / "bench-participant";
  std::vector<dev::ServiceSpec> specs;
  for (const auto* participant : {"opener", "first", "second", "third"})
    specs.push_back({participant, program, {{"BENCH_PARTICIPANT", participant}, {"QUADRILLE_LOG_LEVEL", "warn"}}});
  return specs;
}

std::string content_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Of a process and the children it has waited for, in clock ticks; parent in `parent`.
double ticks_of(const std::string& stat, int& parent) {
  const auto rest = stat.substr(stat.rfind(')') + 2);  // the name may hold anything
  std::istringstream fields(rest);
  std::string field;
  double ticks = 0;
  for (int i = 3; fields >> field; ++i) {
    if (i == 4) parent = std::stoi(field);
    if (i >= 14 && i <= 17) ticks += std::stod(field);
  }
  return ticks;
}

}  // namespace

Stand::Stand(bool log_tailing) : log_tailing_(log_tailing) {
  system_ = std::make_unique<dev::System>(
      dev::System::Options{.folder = folder_.path(), .services = services(), .log_tailing = log_tailing});
}

void Stand::start_participants(std::size_t instances) {
  for (std::size_t i = 0; i < instances; ++i)
    for (const auto* participant : participants) system_->start(participant, static_cast<int>(i));
  for (std::size_t i = 0; i < instances; ++i)
    for (const auto* participant : participants) system_->await_ready(participant, static_cast<int>(i));
  instances_ = instances;
}

std::string Stand::query(const std::string& participant, const std::string& statement) const {
  pqxx::connection connection(system_->owner_url(participant));
  pqxx::nontransaction work(connection);
  const auto rows = work.exec(statement);
  return rows.empty() || rows.columns() == 0 ? "" : rows[0][0].c_str();
}

Stand::Memory Stand::memory(const std::string& participant, int instance) {
  const auto pid = system_->process(participant, instance).pid();
  return {process_memory(pid, "VmRSS"), process_memory(pid, "VmHWM")};
}

std::map<std::string, double> Stand::processor_seconds() {
  std::map<int, std::string> owners{{system_->postgres().pid(), "postgres"}, {system_->nats().pid(), "nats"}};
  owners[::getpid()] = "load";
  for (std::size_t i = 0; i < instances_; ++i)
    for (const auto* participant : participants)
      owners[system_->process(participant, static_cast<int>(i)).pid()] = participant;
  std::map<std::string, double> seconds;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const auto name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto stat = content_of(entry.path() / "stat");
    if (stat.empty()) continue;
    int parent = 0;
    const auto used = ticks_of(stat, parent) / static_cast<double>(sysconf(_SC_CLK_TCK));
    auto owner = owners.find(std::stoi(name));
    if (owner == owners.end() && parent == system_->postgres().pid()) owner = owners.find(parent);
    if (owner != owners.end()) seconds[owner->second] += used;
  }
  return seconds;
}

}  // namespace quadrille::bench
