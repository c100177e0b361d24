#include "checker/metrics.hpp"
#include "checker/rules.hpp"

namespace quadrille::checker {

void check_size(const Context& context) {
  for (const auto& saga : context.sagas) {
    const auto metrics = measure(saga);
    const auto start = saga.saga().starts.front();
    if (metrics.longest_way > runtime_hop_limit)
      context.add("QDR117", Severity::note, {start},
                  "saga " + metrics.saga + " may take " + std::to_string(metrics.longest_way) +
                      " steps one after another, more than the " + std::to_string(runtime_hop_limit) +
                      " after which the runtime parks a message as running away",
                  "lower the bounds of its loops, or raise the limit of the participants (--max-hops)", {},
                  metrics.saga);
    constexpr std::size_t few = 4;  // choreography up to three simple steps: the rule of the field
    std::size_t forward = 0;
    for (const auto kind : {v1::COMPENSATABLE, v1::PIVOT, v1::RETRIABLE}) forward += saga.steps_of(kind).size();
    const auto& beginning = context.graph.before(start);
    const bool conducted = !beginning.empty() && context.graph.conducts(beginning.front());
    if (!conducted && forward >= few && !saga.steps_of(v1::COMPENSATION).empty())
      context.add("QDR180", Severity::note, {start},
                  "saga " + metrics.saga + " has " + std::to_string(forward) +
                      " steps that change something, with compensations: an orchestrator may serve it better",
                  "from four steps on, or where compensations pile up, one place that knows the order is easier to "
                  "read and to change",
                  {}, metrics.saga);
  }
}

}  // namespace quadrille::checker
