#include "jetstream/topology.hpp"

#include "quadrille/error.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <future>
#include <thread>
#include <vector>

namespace quadrille::jetstream {
namespace {

using nlohmann::json;

// A server that says nobody serves the API has no JetStream, or has it in a moment.
constexpr std::chrono::milliseconds patience{5'000};
// A cluster that has just started elects leaders, and counts its servers: longer on busy disks.
constexpr std::chrono::milliseconds patience_with_clusters{45'000};
constexpr std::chrono::milliseconds answer_within{2'000};
constexpr int stream_not_found = 10059;
constexpr int consumer_not_found = 10014;
constexpr int temporarily_unavailable = 10008;  // a cluster without a leader yet
constexpr int no_suitable_peers = 10005;
constexpr int not_clustered = 10074;

std::int64_t nanoseconds(std::chrono::nanoseconds span) { return span.count(); }

int error_code(const json& answer) { return answer.contains("error") ? answer["error"].value("err_code", 1) : 0; }

/// What a cluster answers while it is being put together, and what may be true of it for good.
bool may_pass(const json& answer) {
  return error_code(answer) == temporarily_unavailable || error_code(answer) == no_suitable_peers;
}

[[noreturn]] void refuse_right(const std::string& subject) {
  throw Error(Disposition::stop, "NATS does not let this user publish to $JS.API." + subject +
                                     ": run `quadrille deploy` first as a user that may make streams and consumers, "
                                     "or give this one the right (`quadrille export --format nats-permissions`)");
}

/// One call of the API. Waits for a server whose JetStream is not up yet; what it last answered where it goes on
/// saying that it cannot.
json call(const Connection& connection, const std::string& subject, const json& body) {
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    json answer;
    std::string why = "JetStream is not available yet";
    auto longest = patience_with_clusters;
    try {
      answer = json::parse(connection.request("$JS.API." + subject, body.is_null() ? "" : body.dump(), answer_within));
      if (!may_pass(answer)) return answer;
    } catch (const NobodyServes& error) {
      longest = patience;
      why = error.what();
    } catch (const Error& error) {
      if (error.disposition() == Disposition::stop) throw;
      // The server says so to the connection, and nothing to who asks.
      if (connection.is_refused("$JS.API." + subject)) refuse_right(subject);
      why = error.what();
    }
    if (std::chrono::steady_clock::now() - begin >= longest) {
      if (error_code(answer) == no_suitable_peers) return answer;
      throw Error(Disposition::stop,
                  "$JS.API." + subject + " is not answered (" + why +
                      "): is JetStream enabled on the server (option -js), and has its cluster a leader?");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

[[noreturn]] void refuse(const std::string& what, const json& answer) {
  throw Error(Disposition::stop, what + ": " + answer["error"].value("description", "unknown error") + " (" +
                                     std::to_string(error_code(answer)) + ")");
}

/// Every field we ask for has to be echoed: 2.9 drops fields it does not know without a word.
void compare(const std::string& what, const json& wanted, const json& found) {
  std::string differences;
  for (const auto& [field, value] : wanted.items()) {
    const auto there = found.contains(field) ? found[field] : json();
    const bool zero_left_out = there.is_null() && (value == json(0) || value == json(false) || value == json(""));
    if (there != value && !zero_left_out)
      differences += "\n  " + field + ": wanted " + value.dump() + ", found " + there.dump();
  }
  if (!differences.empty())
    throw Error(Disposition::stop, what + " is not as the contract and the settings want it:" + differences +
                                       "\nMend it with `nats " +
                                       (what.starts_with("stream") ? "stream edit" : "consumer edit") +
                                       "`, or delete it and let it be created again at the next start (a deleted "
                                       "consumer loses its position; the inbox drops what comes twice).");
}

json stream_config(const Topology& topology) {
  return {{"name", topology.stream},
          {"subjects", topology.subjects},
          {"retention", "limits"},
          {"storage", "file"},
          {"num_replicas", topology.replicas},
          {"discard", "new"},
          {"max_age", nanoseconds(topology.max_age)},
          {"duplicate_window", nanoseconds(topology.duplicate_window)},
          {"allow_direct", true},
          {"deny_delete", true}};
}

/// A bucket as JetStream's clients make it, so that they can read it.
json bucket_config(const Topology& topology) {
  return {{"name", "KV_" + topology.registry},
          {"subjects", json::array({bucket_subject(topology.registry, ">")})},
          {"retention", "limits"},
          {"storage", "file"},
          {"num_replicas", topology.replicas},
          {"discard", "new"},
          {"max_msgs_per_subject", 1},
          {"max_age", nanoseconds(topology.registry_age)},
          {"duplicate_window", nanoseconds(std::chrono::minutes(2))},
          {"allow_direct", true},
          {"allow_rollup_hdrs", true},
          {"deny_delete", true}};
}

json consumer_config(const ConsumerSpec& consumer) {
  return {{"durable_name", consumer.name},
          {"deliver_policy", consumer.from_beginning ? "all" : "new"},
          {"ack_policy", "explicit"},
          {"ack_wait", nanoseconds(consumer.ack_wait)},
          {"max_deliver", -1},
          {"max_ack_pending", consumer.max_ack_pending},
          {"filter_subject", consumer.filter},
          {"replay_policy", "instant"}};
}

void ensure_stream(const Connection& connection, const json& wanted) {
  const auto name = wanted["name"].get<std::string>();
  const auto what = "stream " + name;
  auto answer = call(connection, "STREAM.INFO." + name, json());
  if (error_code(answer) == stream_not_found) answer = call(connection, "STREAM.CREATE." + name, wanted);
  if (const auto code = error_code(answer); code == no_suitable_peers || code == not_clustered)
    throw Error(Disposition::stop, what + " cannot have " + wanted["num_replicas"].dump() +
                                       " replicas (setting replicas): start that many servers of one cluster, or set "
                                       "it to the number there is, such as 1; the server says: " +
                                       answer["error"].value("description", ""));
  if (error_code(answer) != 0) refuse(what, answer);
  compare(what, wanted, answer["config"]);
}

void ensure_consumer(const Connection& connection, const std::string& stream, const ConsumerSpec& consumer) {
  const auto wanted = consumer_config(consumer);
  const auto what = "consumer " + consumer.name + " of stream " + stream;
  auto answer = call(connection, "CONSUMER.INFO." + stream + "." + consumer.name, json());
  if (error_code(answer) == consumer_not_found)
    answer = call(connection, "CONSUMER.DURABLE.CREATE." + stream + "." + consumer.name,
                  {{"stream_name", stream}, {"config", wanted}});
  if (error_code(answer) != 0) refuse(what, answer);
  compare(what, wanted, answer["config"]);
}

/// Several at once: in a cluster each new consumer waits for the election of its own leader.
void ensure_consumers(const Connection& connection, const Topology& topology) {
  constexpr std::size_t at_once = 16;
  struct ThreadMemory {
    ~ThreadMemory() { nats_ReleaseThreadMemory(); }
  };
  for (std::size_t begin = 0; begin < topology.consumers.size(); begin += at_once) {
    std::vector<std::future<void>> asked;
    for (std::size_t i = begin; i < std::min(begin + at_once, topology.consumers.size()); ++i)
      asked.push_back(std::async(std::launch::async, [&connection, &topology, i] {
        const ThreadMemory released_at_the_end;
        ensure_consumer(connection, topology.stream, topology.consumers[i]);
      }));
    for (auto& answer : asked) answer.get();
  }
}

}  // namespace

void ensure_topology(const Connection& connection, const Topology& topology) {
  ensure_stream(connection, stream_config(topology));
  if (!topology.registry.empty()) ensure_stream(connection, bucket_config(topology));
  ensure_consumers(connection, topology);
}

}  // namespace quadrille::jetstream
