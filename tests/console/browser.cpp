#include "browser.hpp"

#include "embedded/probe.hpp"
#include "traffic/base64.hpp"

#include <fcntl.h>
#include <fstream>
#include <map>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace quadrille {
namespace {

using nlohmann::json;

constexpr int answer_within_ms = 60'000;
constexpr std::chrono::seconds await_within{20};

std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

std::string origin_of(const std::string& url) {
  const auto scheme = url.find("://");
  return scheme == std::string::npos ? url.substr(0, url.find(':')) : url.substr(0, url.find('/', scheme + 3));
}

}  // namespace

Browser::Browser() {
  const auto chromium = embedded::find_program("chromium");
  if (chromium.empty()) throw std::runtime_error("the tests of the console need chromium: apt-get install chromium");
  const auto in = folder_.path() / "in";
  const auto out = folder_.path() / "out";
  if (mkfifo(in.c_str(), 0600) != 0 || mkfifo(out.c_str(), 0600) != 0) throw std::runtime_error("no pipes");
  // Chromium reads commands from descriptor 3 and answers on 4.
  process_.emplace(embedded::Command{
      .arguments = {"/bin/sh", "-c",
                    "exec " + quoted(chromium) +
                        " --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars "
                        "--disable-background-networking --disable-component-update --remote-debugging-pipe "
                        "--user-data-dir=" +
                        quoted(folder_.path() / "profile") + " about:blank 3<" + quoted(in) + " 4>" + quoted(out)},
      .output = folder_.path() / "log"});
  to_ = ::open(in.c_str(), O_WRONLY | O_CLOEXEC);
  from_ = ::open(out.c_str(), O_RDONLY | O_CLOEXEC);
  const auto target = command("Target.createTarget", {{"url", "about:blank"}})["targetId"];
  session_ = command("Target.attachToTarget", {{"targetId", target}, {"flatten", true}})["sessionId"];
  for (const auto* domain : {"Page", "Runtime", "Log", "Network", "Audits"}) command(std::string(domain) + ".enable");
}

Browser::~Browser() {
  ::close(to_);
  ::close(from_);
}

json Browser::read() {
  for (;;) {
    if (const auto end = buffer_.find('\0'); end != std::string::npos) {
      auto message = json::parse(buffer_.substr(0, end));
      buffer_.erase(0, end + 1);
      return message;
    }
    pollfd waiting{from_, POLLIN, 0};
    char bytes[65536];
    if (::poll(&waiting, 1, answer_within_ms) != 1) throw std::runtime_error("the browser does not answer");
    const auto size = ::read(from_, bytes, sizeof bytes);
    if (size <= 0) throw std::runtime_error("the browser has ended:\n" + embedded::tail(folder_.path() / "log"));
    buffer_.append(bytes, static_cast<std::size_t>(size));
  }
}

json Browser::command(const std::string& method, const json& parameters) {
  json message{{"id", ++commands_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) message["sessionId"] = session_;
  const auto text = message.dump() + '\0';
  for (std::size_t sent = 0; sent < text.size();) {
    const auto size = ::write(to_, text.data() + sent, text.size() - sent);
    if (size <= 0) throw std::runtime_error("the browser takes no commands");
    sent += static_cast<std::size_t>(size);
  }
  for (;;) {
    auto answer = read();
    if (answer.value("id", 0) != commands_) {
      note(answer);
      continue;
    }
    if (answer.contains("error")) throw std::runtime_error(method + ": " + answer["error"].dump());
    return answer["result"];
  }
}

void Browser::note(const json& event) {
  const auto method = event.value("method", "");
  if (method == "Network.requestWillBeSent") {
    origins_.insert(origin_of(event["params"]["request"]["url"]));
  } else if (method == "Runtime.exceptionThrown") {
    complaints_.push_back(event["params"]["exceptionDetails"].dump());
  } else if (method == "Runtime.consoleAPICalled") {
    const auto& called = event["params"];
    if (called["type"] == "error" || called["type"] == "warning") complaints_.push_back(called["args"].dump());
  } else if (method == "Log.entryAdded") {
    const auto& entry = event["params"]["entry"];
    if (entry["level"] == "error" || entry["level"] == "warning") complaints_.push_back(entry.dump());
  } else if (method == "Audits.issueAdded") {
    const auto& issue = event["params"]["issue"];
    if (issue["code"] == "ContentSecurityPolicyIssue") complaints_.push_back(issue.dump());
  }
}

json Browser::evaluate(const std::string& expression) {
  const auto answer =
      command("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}});
  if (answer.contains("exceptionDetails")) throw std::runtime_error(answer["exceptionDetails"].dump());
  return answer["result"].value("value", json());
}

void Browser::await(const std::string& expression) {
  if (embedded::await([&] { return evaluate("!!(" + expression + ")") == true; }, await_within)) return;
  throw std::runtime_error("not seen within time: " + expression + "\nThe page shows:\n" +
                           evaluate("document.body.innerText.slice(0, 3000)").get<std::string>());
}

void Browser::open(const std::string& url) {
  const auto answer = command("Page.navigate", {{"url", url}});
  if (answer.contains("errorText")) throw std::runtime_error(url + ": " + answer["errorText"].get<std::string>());
  await("document.readyState === 'complete'");
}

void Browser::press(const std::string& key) {
  static const std::map<std::string, std::pair<int, std::string>> named{
      {"Tab", {9, ""}},  {"Enter", {13, "\r"}}, {"Escape", {27, ""}},  {"PageUp", {33, ""}},    {"PageDown", {34, ""}},
      {"End", {35, ""}}, {"Home", {36, ""}},    {"ArrowUp", {38, ""}}, {"ArrowDown", {40, ""}}, {" ", {32, " "}}};
  const auto found = named.find(key);
  json event{{"type", "keyDown"}, {"key", key}, {"code", key}};
  if (found != named.end()) event["windowsVirtualKeyCode"] = found->second.first;
  const auto text = found == named.end() ? key : found->second.second;
  if (!text.empty()) event["text"] = text;
  command("Input.dispatchKeyEvent", event);
  event["type"] = "keyUp";
  event.erase("text");
  command("Input.dispatchKeyEvent", event);
}

void Browser::type(const std::string& text) { command("Input.insertText", {{"text", text}}); }

void Browser::resize(int width, int height, bool dark) {
  command("Emulation.setDeviceMetricsOverride",
          {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  command("Emulation.setEmulatedMedia",
          {{"features", {{{"name", "prefers-color-scheme"}, {"value", dark ? "dark" : "light"}}}}});
}

void Browser::screenshot(const std::filesystem::path& file) {
  const auto picture = command("Page.captureScreenshot", {{"format", "png"}});
  std::ofstream(file, std::ios::binary) << traffic::from_base64(picture["data"].get<std::string>()).value_or("");
}

std::vector<std::string> Browser::complaints() {
  evaluate("1");  // whatever was said before is read now
  return std::exchange(complaints_, {});
}

std::set<std::string> Browser::origins() {
  evaluate("1");
  return origins_;
}

}  // namespace quadrille
