#pragma once

#include "embedded/child_process.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace quadrille {

/// Headless Chromium, driven through its DevTools protocol over a pipe: a real page of its own, no frame around it. Not
/// thread-safe.
class Browser {
 public:
  /// Throws std::runtime_error when there is no Chromium, or it does not start.
  Browser();
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void open(const std::string& url);
  /// The value of an expression, awaited where it is a promise. Throws std::runtime_error with what it threw.
  nlohmann::json evaluate(const std::string& expression);
  /// Waits until the expression is true. Throws std::runtime_error that names it, and what the page shows, after 20 s.
  void await(const std::string& expression);
  /// A key as a person presses it, at what has the focus: Tab, Enter, ArrowDown, or a letter.
  void press(const std::string& key);
  void type(const std::string& text);
  void resize(int width, int height, bool dark);
  void screenshot(const std::filesystem::path& file);

  /// What went wrong since: errors and warnings on the console, what was thrown, what the policy blocked.
  [[nodiscard]] std::vector<std::string> complaints();
  /// The origins that were asked for anything.
  [[nodiscard]] std::set<std::string> origins();

 private:
  nlohmann::json command(const std::string& method, const nlohmann::json& parameters = nlohmann::json::object());
  [[nodiscard]] nlohmann::json read();
  void note(const nlohmann::json& event);

  embedded::TemporaryFolder folder_;
  int to_ = -1;
  int from_ = -1;
  std::string buffer_;
  int commands_ = 0;
  std::string session_;
  std::vector<std::string> complaints_;
  std::set<std::string> origins_;
  std::optional<embedded::ChildProcess> process_;
};

}  // namespace quadrille
