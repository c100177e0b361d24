#include "inspect/inspect.hpp"
#include "quadrille/error.hpp"

#include <nlohmann/json.hpp>

namespace quadrille::inspect {
namespace {

using nlohmann::json;

json call(const jetstream::ServerApi& api, const std::string& subject, const json& body) {
  constexpr std::chrono::seconds patience{5};
  const auto answer = api.request({subject, {}, body.dump()}, patience);
  if (!answer)
    throw Error(Disposition::stop,
                subject + " is not answered: is JetStream enabled, and may this user ask? Look with a user that may");
  return json::parse(*answer);
}

/// Every page of a list, as name -> configuration.
std::map<std::string, std::string> list(const jetstream::ServerApi& api, const std::string& subject,
                                        const char* field) {
  std::map<std::string, std::string> all;
  for (std::size_t offset = 0;;) {
    const auto answer = call(api, subject, {{"offset", offset}});
    if (!answer.contains(field) || answer[field].is_null() || answer[field].empty()) return all;
    for (const auto& entry : answer[field]) {
      const auto name = entry.contains("name") ? entry["name"] : entry["config"]["name"];
      all[name.get<std::string>()] = entry["config"].dump();
    }
    offset += answer[field].size();
    if (offset >= answer.value("total", std::size_t{0})) return all;
  }
}

}  // namespace

BrokerFacts read_broker(const jetstream::ServerApi& api) {
  BrokerFacts facts;
  facts.streams = list(api, "$JS.API.STREAM.LIST", "streams");
  for (const auto& [name, config] : facts.streams)
    facts.consumers[name] = list(api, "$JS.API.CONSUMER.LIST." + name, "consumers");
  return facts;
}

}  // namespace quadrille::inspect
