#pragma once

#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace quadrille {

/// What a page did in a browser.
struct Look {
  nlohmann::json answer;           ///< what the script returned
  std::string console;             ///< lines the page wrote to the console, errors among them
  std::set<std::string> requests;  ///< what was asked of the server besides the page and its harness
};

/// Opens `page` in headless Chromium, in a frame `width` pixels wide served over HTTP, and runs `script` outside of it:
/// the body of an async function that may use
///   go(hash)      changes the address and waits
///   press(key)    a key on what has the focus
///   page()        the page's document
///   frame         its window
/// Throws std::runtime_error when there is no Chromium or no answer.
[[nodiscard]] Look look_at(const std::string& page, const std::string& script, int width = 1280);

}  // namespace quadrille
