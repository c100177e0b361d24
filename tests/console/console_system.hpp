#pragma once

#include "dev/system.hpp"
#include "shop/load.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quadrille {

/// The shop with a tracker beside it, all real: NATS, PostgreSQL, four services, the tracker's program.
class ConsoleSystem {
 public:
  static constexpr const char* token = "a-token-of-the-test";

  ConsoleSystem();

  /// Starts the tracker, or starts it again. Throws std::runtime_error with its log when it does not come up.
  void start_tracker(const std::string& http = "127.0.0.1:0", std::vector<std::string> arguments = {});
  /// The exit code of a tracker that ends by itself, and what it said.
  [[nodiscard]] std::pair<int, std::string> run_tracker(std::vector<std::string> arguments);
  void stop_tracker() { tracker_.reset(); }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }
  [[nodiscard]] int port() const { return port_; }

  [[nodiscard]] nlohmann::json get(const std::string& path) const;
  /// Places orders that could all be paid and delivered; `order_id` is of the first, where it is given.
  void place(int orders, const std::string& order_id = "");
  /// Waits until the overview shows that many sagas in the state.
  [[nodiscard]] bool await_sagas(const std::string& state, std::size_t number) const;

  /// Authorize fails until it is mended, with this error.
  void break_the_card_network(const std::string& error) const;
  void mend_the_card_network() const;
  void sql(const std::string& conninfo, const std::string& statement) const;
  [[nodiscard]] std::string tracker_database() const { return tracker_database_; }

  [[nodiscard]] dev::System& system() { return system_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  [[nodiscard]] embedded::Command command(std::vector<std::string> arguments) const;

  embedded::TemporaryFolder folder_;
  dev::System system_;
  shop::Opening opening_;
  std::string tracker_database_;
  std::optional<embedded::ChildProcess> tracker_;
  int port_ = 0;
  int starts_ = 0;
  int placed_ = 0;
};

}  // namespace quadrille
