#include "runtime/metered_broker.hpp"

#include "telemetry/instruments.hpp"

#include <algorithm>

namespace quadrille::runtime {

std::vector<Published> MeteredBroker::publish(std::span<const Message> messages) {
  const telemetry::Stopwatch watch;
  auto answers = broker_.publish(messages);
  metrics_.observe(telemetry::Histogram::publish_duration, watch.seconds());
  const auto stored = std::ranges::count(answers, Published::stored);
  metrics_.add(telemetry::Counter::events_published, {}, static_cast<double>(stored));
  metrics_.add(telemetry::Counter::publish_failures, {},
               static_cast<double>(static_cast<std::ptrdiff_t>(answers.size()) - stored));
  return answers;
}

}  // namespace quadrille::runtime
