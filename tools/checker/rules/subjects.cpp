#include "checker/rules.hpp"
#include "checker/subject_pattern.hpp"

#include <algorithm>
#include <set>

namespace quadrille::checker {
namespace {

SubjectIndex index_events(const Graph& graph) {
  SubjectIndex index;
  for (const auto node : graph.all_events()) index.add(graph.event(node).subject_pattern(), node);
  return index;
}

/// QDR104
void one_subject_for_two(const Context& context, const SubjectIndex& index) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_events())
    for (const auto other : index.overlapping(graph.event(node).subject_pattern())) {
      if (other <= node) continue;
      context.add("QDR104", Severity::error, {other, node},
                  graph.event(other).name + " and " + graph.event(node).name + " share subjects: " +
                      graph.event(other).subject_pattern() + " and " + graph.event(node).subject_pattern(),
                  "give each type of event subjects of its own: another name, aggregate or template");
    }
}

/// The placeholders of a template: what stands between braces.
std::vector<std::string> placeholders(const std::string& text) {
  std::vector<std::string> names;
  for (auto start = text.find('{'); start != std::string::npos; start = text.find('{', start + 1)) {
    const auto end = text.find('}', start);
    if (end == std::string::npos) break;
    names.push_back(text.substr(start + 1, end - start - 1));
  }
  return names;
}

/// QDR108
void placeholder_that_breaks_the_subject(const Context& context) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_events()) {
    const auto& event = graph.event(node);
    for (const auto& name : placeholders(event.subject)) {
      if (name == "Event") continue;
      const auto* field = event.find_field(name);
      if (field == nullptr)
        context.add(
            "QDR108", Severity::error, {node},
            "subject " + event.subject + " of " + event.short_name + " names {" + name + "}, which is no field of it",
            "name a field of the event, or {Event}");
      else if (field->text && !field->token)
        context.add("QDR108", Severity::error, {node},
                    "subject " + event.subject + " of " + event.short_name + " is filled from " + name +
                        ", which may hold a dot, a blank, '*' or '>'",
                    "say [(quadrille.v1.field).token = true] if its values never do, or take it out of the subject");
    }
  }
}

/// QDR106
void kept_by_no_stream_or_by_two(const Context& context) {
  const auto& graph = context.graph;
  for (const auto node : graph.all_events()) {
    const auto& event = graph.event(node);
    if (event.subject.empty()) continue;  // in EVT, by construction
    std::string keepers;
    int count = 0;
    for (const auto& stream : graph.model().streams)
      if (std::ranges::any_of(stream.subjects,
                              [&](const auto& subject) { return covers(subject, event.subject_pattern()); })) {
        keepers += (count++ == 0 ? "" : " and ") + stream.name;
      }
    if (count == 1) continue;
    context.add("QDR106", Severity::error, {node},
                event.name + " on " + event.subject_pattern() + " is kept by " +
                    (count == 0 ? "no declared stream" : "two streams, " + keepers),
                count == 0 ? "declare the stream with option (quadrille.v1.broker_stream), or correct the subject"
                           : "let one stream keep it: a broker refuses overlapping streams");
  }
}

struct Filter {
  const contract::Participant* participant;
  const contract::Consumer* consumer;
  std::string pattern;
};

std::vector<Filter> filters_of(const contract::Model& model) {
  std::vector<Filter> filters;
  for (const auto& participant : model.participants)
    for (const auto& consumer : participant.consumers)
      for (const auto& filter : consumer.filters) filters.push_back({&participant, &consumer, filter});
  return filters;
}

void tell(const Context& context, const char* code, Severity severity, const Filter& filter, std::string message,
          std::string hint, std::string about) {
  context.findings.push_back({code,
                              severity,
                              filter.participant->location,
                              std::move(message),
                              std::move(hint),
                              {},
                              {filter.participant->name + "/" + filter.consumer->name, std::move(about)},
                              ""});
}

/// QDR105, and QDR109 where a wildcard makes a participant hear itself.
void filter_that_hears_more(const Context& context, const SubjectIndex& index) {
  const auto& graph = context.graph;
  for (const auto& filter : filters_of(graph.model())) {
    std::set<std::string> declared;
    for (const auto& step : filter.participant->steps) declared.insert(step.triggers.begin(), step.triggers.end());
    for (const auto node : index.overlapping(filter.pattern)) {
      const auto& event = graph.event(node);
      if (declared.contains(event.name)) continue;
      const bool own = std::ranges::any_of(graph.before(node), [&](Graph::Node step) {
        return graph.step(step).participant == filter.participant->name;
      });
      const auto hears = "filter " + filter.pattern + " of consumer " + filter.consumer->name + " of " +
                         filter.participant->name + " also hears " + event.name;
      if (own)
        tell(context, "QDR109", Severity::error, filter, hears + ", which it emits itself: a cycle nobody declared",
             "narrow the filter to the events its steps name", event.name);
      else
        tell(context, "QDR105", Severity::warning, filter, hears + ", which none of its steps takes",
             "narrow the filter, or declare the step that takes it", event.name);
    }
  }
}

/// QDR107: what the broker refuses (errors 10136; 10099 and 10100 on a work queue).
void filters_that_overlap(const Context& context) {
  const auto& model = context.graph.model();
  std::set<std::string> work_queues;
  for (const auto& stream : model.streams)
    if (stream.retention == v1::BrokerStream::WORK_QUEUE) work_queues.insert(stream.name);
  const auto filters = filters_of(model);
  std::map<std::string, std::vector<const Filter*>> by_stream;
  for (const auto& filter : filters) by_stream[filter.consumer->stream].push_back(&filter);
  for (const auto& [stream, group] : by_stream)
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t k = i + 1; k < group.size(); ++k) {
        const bool same = group[i]->consumer == group[k]->consumer;
        if ((!same && !work_queues.contains(stream)) || !overlap(group[i]->pattern, group[k]->pattern)) continue;
        tell(context, "QDR107", Severity::error, *group[k],
             "filters " + group[i]->pattern + " and " + group[k]->pattern + " overlap " +
                 (same ? "in consumer " + group[k]->consumer->name
                       : "in consumers " + group[i]->consumer->name + " and " + group[k]->consumer->name +
                             " of work queue " + stream),
             same ? "let the filters of one consumer share no subject: the broker refuses it"
                  : "on a work queue each message has one consumer: give them separate subjects",
             group[i]->consumer->name + " " + group[i]->pattern + " " + group[k]->pattern);
      }
}

}  // namespace

void check_subjects(const Context& context) {
  const auto index = index_events(context.graph);
  one_subject_for_two(context, index);
  placeholder_that_breaks_the_subject(context);
  kept_by_no_stream_or_by_two(context);
  filter_that_hears_more(context, index);
  filters_that_overlap(context);
}

}  // namespace quadrille::checker
