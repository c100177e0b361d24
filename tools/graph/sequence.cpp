#include "core/time_text.hpp"
#include "graph/mermaid_limits.hpp"
#include "graph/scenario.hpp"

#include <algorithm>
#include <functional>

namespace quadrille::graph {
namespace {

using checker::Graph;
using Node = Graph::Node;

/// What differs between the two languages; the rest is one.
struct Dialect {
  const char* message;  ///< arrow
  const char* note;     ///< `note over`, with the participant behind it
  const char* branch;   ///< separates branches of a `par`
  std::function<std::string(const std::string&)> text;
  std::function<std::string(const std::string& id, const std::string& name)> declare;
};

class Writer {
 public:
  Writer(const Graph& graph, const Dialect& dialect) : graph_(graph), dialect_(dialect) {}

  /// Participants in order of appearance, then the beats.
  std::string write(const Scenario& scenario) {
    for (const auto& beat : scenario.beats) {
      if (beat.kind == Beat::Kind::command) actor("client", true);
      if (beat.from >= 0) actor(participant(beat.from), false);
      for (const auto step : beat.to) actor(participant(step), false);
    }
    for (const auto& beat : scenario.beats) add(beat);
    return text_;
  }

 private:
  [[nodiscard]] std::string participant(Node step) const { return graph_.step(step).participant; }

  void actor(const std::string& name, bool person) {
    if (std::ranges::find(actors_, name) != actors_.end()) return;
    actors_.push_back(name);
    text_ += "  " + std::string(person ? "actor " : "participant ") + dialect_.declare(id(name), name) + "\n";
  }
  /// Names may be reserved words or anything else: in the drawing each is a letter and a number.
  [[nodiscard]] std::string id(const std::string& name) const {
    return "p" + std::to_string(std::ranges::find(actors_, name) - actors_.begin() + 1);
  }

  void line(const std::string& content) { text_ += std::string(2 * (depth_ + 1), ' ') + content + "\n"; }
  void open(const std::string& keyword, const std::string& what) {
    line(keyword + " " + dialect_.text(what));
    ++depth_;
  }
  void next(const std::string& keyword, const std::string& what) {
    --depth_;
    open(keyword, what);
  }
  void close() {
    --depth_;
    line("end");
  }
  void note(Node step, const std::string& what) {
    line(std::string(dialect_.note) + " " + id(participant(step)) + ": " + dialect_.text(what));
  }

  void add(const Beat& beat) {
    switch (beat.kind) {
      case Beat::Kind::command:
        line(id("client") + dialect_.message + id(participant(beat.to.front())) + ": " +
             dialect_.text(graph_.step(beat.to.front()).name));
        return;
      case Beat::Kind::timer:
        note(beat.from,
             "after " + duration_text(graph_.step(beat.from).timeout->after) + ": " + graph_.step(beat.from).name);
        return;
      case Beat::Kind::end:
        note(beat.from, checker::has_role(graph_.event(beat.event), v1::SagaRole::END_DONE)    ? "COMPLETED"
                        : checker::has_role(graph_.event(beat.event), v1::SagaRole::END_STUCK) ? "STUCK"
                                                                                               : "CANCELLED");
        return;
      case Beat::Kind::message:
        message(beat);
    }
  }

  void message(const Beat& beat) {
    if (!beat.loop.empty()) open("loop", beat.loop);
    if (!beat.otherwise.empty()) open("alt", graph_.event(beat.event).short_name);
    deliver(beat);
    for (const auto other : beat.otherwise) {
      next("else", graph_.event(other).short_name);
      note(beat.from, "another scenario");
    }
    if (!beat.otherwise.empty()) close();
    if (!beat.loop.empty()) close();
  }

  void deliver(const Beat& beat) {
    const auto& event = graph_.event(beat.event).short_name;
    if (beat.to.empty()) {
      note(beat.from, event);
      return;
    }
    for (std::size_t i = 0; i < beat.to.size(); ++i) {
      const auto step = beat.to[i];
      if (beat.to.size() > 1) i == 0 ? open("par", graph_.label(step)) : next(dialect_.branch, graph_.label(step));
      line(id(participant(beat.from)) + dialect_.message + id(participant(step)) + ": " +
           dialect_.text(event + " (" + graph_.step(step).name + ")"));
    }
    if (beat.to.size() > 1) close();
  }

  const Graph& graph_;
  const Dialect& dialect_;
  std::vector<std::string> actors_;
  std::string text_;
  std::size_t depth_ = 0;
};

/// Mermaid ends a text at `;` and reads `#` as an entity; entities are how it takes everything else.
std::string mermaid_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == ';' || c == '#' || c == '<' || c == '>' || c == '"' || c == '&')
      result += "#" + std::to_string(static_cast<int>(c)) + ";";
    else if (c == '\n' || c == '\r')
      result += ' ';
    else
      result += c;
  }
  return result;
}

std::string plantuml_text(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '\n' || c == '\r' ? ' ' : c == '"' ? '\'' : c;
  return result;
}

}  // namespace

std::string as_mermaid(const Graph& graph, const Scenario& scenario) {
  static const Dialect dialect{
      "->>", "Note over", "and", mermaid_text,
      [](const std::string& id, const std::string& name) { return id + " as " + mermaid_text(name); }};
  auto text = "sequenceDiagram\n  title " + mermaid_text(scenario.name) + "\n" + Writer(graph, dialect).write(scenario);
  refuse_over_mermaids_limits(text.size(), scenario.beats.size());
  return text;
}

std::string as_plantuml(const Graph& graph, const Scenario& scenario) {
  static const Dialect dialect{
      " -> ", "note over", "else", plantuml_text,
      [](const std::string& id, const std::string& name) { return "\"" + plantuml_text(name) + "\" as " + id; }};
  return "@startuml\ntitle " + plantuml_text(scenario.name) + "\n" + Writer(graph, dialect).write(scenario) +
         "@enduml\n";
}

}  // namespace quadrille::graph
