// The tracker: where every saga stands, told from what the participants say. tools/tracker is all of it.
#include "tracker/engine.hpp"
#include "tracker/server.hpp"
#include "tracker/settings.hpp"
#include "tracker/token.hpp"

#include <csignal>

namespace {

using namespace quadrille;

sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return signals;
}

void serve(tracker::Settings settings, const telemetry::Log& log, const sigset_t& signals) {
  settings.engine.nats.warn = [&log](const std::string& text) { log.warn(text); };
  const SystemClock clock;
  const auto token = settings.token_file.empty() ? std::string() : tracker::read_token(settings.token_file);
  tracker::Engine engine(settings.engine, clock, log);
  tracker::View view(engine, settings.engine, clock);
  if (settings.acting) settings.acting->warn = settings.engine.nats.warn;
  tracker::ControlClient control(settings.engine.nats, settings.acting);
  tracker::Inquiries inquiries(view, control);
  tracker::Acts acts(engine, view, control, log);
  tracker::Server server(engine, view, inquiries, acts, clock, {settings.http, token, settings.tls});
  const int port = server.start();
  log.info("ready, http on port " + std::to_string(port));
  int signal = 0;
  sigwait(&signals, &signal);
  log.info("stopping");
  server.stop();
}

}  // namespace

int main(int argc, char** argv) {
  const auto signals = block_stop_signals();
  const auto [settings, exit_code] = tracker::parse_settings(argc, argv);
  if (exit_code) return *exit_code;
  const telemetry::Log log("tracker", settings.log_level, settings.log_format);
  try {
    serve(settings, log, signals);
  } catch (const std::exception& error) {
    log.error(error.what());
    return 2;
  }
  return 0;
}
