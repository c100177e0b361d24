#include "browser.hpp"

#include "embedded/child_process.hpp"

#include <httplib.h>

#include <fstream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace quadrille {
namespace {

std::string harness(const std::string& script, int width) {
  return "<!doctype html><meta charset=utf-8><link rel=icon href='data:,'><iframe id=report style='border:0' width=" +
         std::to_string(width) + R"( height=900></iframe><pre id=answer></pre><script>
const holder = document.getElementById('report');
let frame;
const settle = () => new Promise((done) => setTimeout(done, 60));
const page = () => frame.document;
const go = async (hash) => { frame.location.hash = hash; await settle(); };
const press = async (key) => {
  const target = page().activeElement || page().body;
  target.dispatchEvent(new frame.KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  await settle();
};
const type = async (text) => {
  page().activeElement.value = text;
  page().activeElement.dispatchEvent(new frame.Event('input', {bubbles: true}));
  await settle();
};
holder.onload = async () => {
  holder.onload = null;
  frame = holder.contentWindow;
  let answer;
  try { answer = await (async () => {)" +
         script + R"(})(); } catch (error) { answer = {failed: String(error)}; }
  document.getElementById('answer').textContent = JSON.stringify(answer);
};
holder.src = '/report.html';
</script>)";
}

std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// The text of the element that holds the answer, as the serialised document has it.
nlohmann::json answer_in(const std::string& output) {
  const std::string open = "<pre id=\"answer\">";
  const auto begin = output.find(open);
  const auto end = output.find("</pre>", begin);
  if (begin == std::string::npos || end == begin + open.size())
    throw std::runtime_error("the browser gave no answer:\n" + output.substr(0, 3000));
  auto text = output.substr(begin + open.size(), end - begin - open.size());
  for (const auto& [entity, character] :
       {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}, std::pair{"&nbsp;", "\u00A0"}, std::pair{"&amp;", "&"}})
    for (auto at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
      text.replace(at, std::string(entity).size(), character);
  return nlohmann::json::parse(text);
}

class Server {
 public:
  Server(std::string page, std::string harness_page) {
    server_.Get(".*", [this, page = std::move(page), harness_page = std::move(harness_page)](
                          const httplib::Request& request, httplib::Response& response) {
      if (request.path == "/report.html") return response.set_content(page, "text/html");
      if (request.path == "/harness.html") return response.set_content(harness_page, "text/html");
      const std::lock_guard lock(mutex_);
      requests_.insert(request.path);
      response.status = 404;
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
  }
  ~Server() {
    server_.stop();
    thread_.join();
  }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/harness.html"; }
  [[nodiscard]] std::set<std::string> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  httplib::Server server_;
  int port_ = 0;
  std::mutex mutex_;
  std::set<std::string> requests_;
  std::thread thread_;
};

}  // namespace

Look look_at(const std::string& page, const std::string& script, int width) {
  const auto chromium = embedded::find_program("chromium");
  if (chromium.empty()) throw std::runtime_error("the tests of the report need chromium: apt-get install chromium");
  Server server(page, harness(script, width));
  const embedded::TemporaryFolder folder;
  const auto output = folder.path() / "output";
  embedded::ChildProcess browser(
      {.arguments = {chromium.string(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--disable-background-networking", "--user-data-dir=" + (folder.path() / "profile").string(),
                     "--window-size=1400,1000", "--enable-logging=stderr", "--virtual-time-budget=20000", "--dump-dom",
                     server.url()},
       .output = output});
  if (browser.wait(std::chrono::seconds(90)).value_or(-1) != 0)
    throw std::runtime_error("the browser failed:\n" + content(output).substr(0, 3000));
  Look look;
  std::istringstream lines(content(output));
  for (std::string line; std::getline(lines, line);)
    if (line.find(":CONSOLE") != std::string::npos) look.console += line + "\n";
  look.answer = answer_in(content(output));
  look.requests = server.requests();
  return look;
}

}  // namespace quadrille
