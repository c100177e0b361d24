#include "runtime/beginning.hpp"

#include "core/subject.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace quadrille::runtime {

void Beginning::note() {
  if (noted_ || part_.declared().from_beginning || !broker_.connected()) return;
  std::vector<std::string> names;
  for (const auto& context : part_.declared().hears)
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) names.push_back(consumer_name(part_.name(), context, lane));
  std::map<std::string, std::string> made;
  for (const auto& progress : broker_.progress(names)) made[progress.name] = progress.made;
  if (!made.empty()) {
    const auto transaction = store_.begin();
    const auto first = transaction->inbox().note_durables(made);
    transaction->commit();
    for (const auto& [name, time] : made)
      if (first.at(name) != time)
        log_.warn("consumer " + name + " was made at " + time + ", and this participant began with one made at " +
                  first.at(name) + ": what was published in between is not heard, and streams that begin with a gap " +
                  "there are parked");
  }
  noted_ = true;
}

Beginning::Answer Beginning::ask(const WaitingMessage& message) {
  if (!broker_.connected()) return Answer::not_yet;
  const auto durable = consumer_of(part_.name(), message.message.subject);
  const auto found = broker_.progress(std::span(&durable, 1));
  if (found.empty()) return Answer::not_yet;
  const auto& progress = found.front();
  if (made_anew(progress)) return Answer::not_told;
  // Acknowledged is what was committed. Where the place is not known, or old servers do not move their floor past what
  // was delivered twice, it also tells when nothing is in anybody's hands.
  const bool taken = (message.sequence != 0 && progress.ack_floor >= message.sequence) ||
                     (progress.unacknowledged == 0 && progress.delivered >= message.sequence);
  return taken ? Answer::here : Answer::not_yet;
}

bool Beginning::made_anew(const ConsumerProgress& progress) {
  const auto transaction = store_.begin();
  const auto first = transaction->inbox().note_durables({{progress.name, progress.made}});
  transaction->commit();
  return first.at(progress.name) != progress.made;
}

}  // namespace quadrille::runtime
