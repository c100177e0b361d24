#include "postgres/batch_start.hpp"

namespace quadrille::postgres {

BatchStart start_batch(Session& session, const BatchStart::Question& question) {
  // In this order: nothing is looked at before what protects it is locked.
  const auto answers =
      session.run_all({ask_leases(question.leases, question.owner), ask_claims(question.consumer, question.keys),
                       ask_applied(question.consumer, question.heard),
                       ask_waiting_streams(question.consumer, question.heard), ask_histories(question.aggregates)});
  return {.leases_held = read_leases(answers[0], question.leases),
          .claimed = read_claims(answers[1], question.keys),
          .applied = read_applied(answers[2]),
          .waiting = read_waiting_streams(answers[3]),
          .histories = read_histories(answers[4])};
}

}  // namespace quadrille::postgres
