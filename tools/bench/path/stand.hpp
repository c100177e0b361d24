#pragma once

#include "dev/system.hpp"
#include "embedded/child_process.hpp"
#include "path/figures.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace quadrille::bench {

/// How long and how much.
struct Extent {
  bool quick = false;
  std::size_t sagas = 60'000;           ///< of one measurement of throughput
  std::size_t messages = 100'000;       ///< of one measurement of a relay or of the broker
  double seconds = 5;                   ///< of one measurement of the database
  std::size_t stored_most = 1'000'000;  ///< events in the store at most
  std::size_t instances_most = 4;
};

/// Servers of our own with a database for each participant of the saga that is measured. The participants' programs are
/// started by whoever measures.
class Stand {
 public:
  explicit Stand(bool log_tailing);

  [[nodiscard]] dev::System& system() { return *system_; }
  [[nodiscard]] bool log_tailing() const { return log_tailing_; }
  /// Starts instances of first, second and third, and waits until they hear.
  void start_participants(std::size_t instances = 1);
  void stop_participants() { system_->stop_services(); }
  /// As superuser, in a participant's database; the first field of the first row.
  std::string query(const std::string& participant, const std::string& statement) const;
  /// Bytes of memory a process of a participant has now, and had at most: VmRSS, VmHWM.
  struct Memory {
    double now_megabytes = 0;
    double peak_megabytes = 0;
  };
  [[nodiscard]] Memory memory(const std::string& participant, int instance = 0);
  /// Processor seconds used so far, by who used them: postgres, nats, first, second, third.
  [[nodiscard]] std::map<std::string, double> processor_seconds();

 private:
  const bool log_tailing_;
  embedded::TemporaryFolder folder_;
  std::unique_ptr<dev::System> system_;
  std::size_t instances_ = 0;
};

/// The participants of the saga besides the one that begins it.
inline constexpr const char* participants[] = {"first", "second", "third"};

}  // namespace quadrille::bench
