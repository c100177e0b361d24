#include "saga/act.hpp"

#include <stdexcept>

namespace quadrille::saga {

std::vector<std::string> act(const TrackerClient& tracker, const std::string& saga_id, const Act& wanted) {
  std::vector<std::string> done;
  std::string refused;
  const auto told = tracker.get("/api/sagas/" + TrackerClient::segment(saga_id));
  for (const auto& part : told["parts"]) {
    for (const auto& can : part["can"]) {
      if (can["act"] != wanted.name) continue;
      if (!can["allowed"].get<bool>()) {
        refused = can["reason"];
        continue;
      }
      TrackerClient::Json body{{"act", wanted.name}, {"who", wanted.who}, {"why", wanted.why}};
      if (can["message_id"] != "")
        body.update({{"participant", can["participant"]}, {"message_id", can["message_id"]}});
      else
        body.update({{"saga_id", saga_id}, {"part", part["part"]}});
      if (can["message_id"] == "" && wanted.name == "retry") body["step"] = can["step"];
      if (!wanted.outcome.empty()) body["outcome"] = wanted.outcome;
      static_cast<void>(tracker.post("/api/acts", body));
      done.push_back(wanted.name + ": " + can["reason"].get<std::string>());
    }
  }
  if (done.empty())
    throw std::runtime_error("cannot " + wanted.name + " saga " + saga_id + ": " +
                             (refused.empty() ? "nothing of it asks for that" : refused));
  return done;
}

}  // namespace quadrille::saga
