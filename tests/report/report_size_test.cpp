// Estates of hundreds of services: what cannot be drawn is listed, and nothing takes long.
#include "browser.hpp"
#include "report/report.hpp"

#include <gtest/gtest.h>

namespace quadrille {
namespace {

/// Everybody hears a hub, and most the one before them.
contract::Model estate(int participants) {
  contract::Model model;
  for (int i = 0; i < participants; ++i) {
    const auto name = "service" + std::to_string(i);
    contract::Participant participant{.name = name, .owner = "team", .service = name + ".Steps"};
    for (int s = 0; s < 4; ++s) {
      contract::EventType event;
      event.short_name = "Event" + std::to_string(i) + "x" + std::to_string(s);
      event.name = name + ".v1." + event.short_name;
      event.context = event.aggregate = name;
      if (i == 0 && s == 0) {
        event.roles.emplace_back().set_saga("large");
        event.roles.back().set_role(v1::SagaRole::START);
      }
      model.events[event.name] = event;
      contract::Step step;
      step.name = "Step" + std::to_string(s);
      step.participant = name;
      step.service = participant.service;
      step.kind = v1::RETRIABLE;
      step.start = i == 0 ? contract::Start::command : contract::Start::event;
      if (i % 10 == 0 && i > 0)
        step.triggers = {"service0.v1.Event0x0"};
      else if (i > 0)
        step.triggers = {s == 0 ? "service0.v1.Event0x0"
                                : "service" + std::to_string(i - 1) + ".v1.Event" + std::to_string(i - 1) + "x" +
                                      std::to_string(s - 1)};
      step.trigger_fields.assign(step.triggers.size(), "");
      step.outcomes.push_back({false, false, {event.short_name}, {event.name}});
      participant.steps.push_back(step);
    }
    model.participants.push_back(participant);
  }
  std::ranges::sort(model.participants, {}, &contract::Participant::name);
  return model;
}

std::string report_of(const contract::Model& model) {
  const checker::Graph graph(model);
  report::Report input{graph, {}, {}};
  for (const auto& saga : checker::sagas(graph)) input.sagas.push_back({saga, {}});
  return report::as_html(input);
}

TEST(ReportSize, DrawsThreeHundredServicesAndListsMore) {
  const auto script = R"(
    await go('#/services');
    return {drawn: page().querySelectorAll('svg.drawing .node').length, listed: page().querySelectorAll('main > div .rows > li').length,
            text: page().getElementById('main').textContent};
  )";
  const auto drawn = look_at(report_of(estate(300)), script).answer;
  EXPECT_EQ(drawn["drawn"], 300) << drawn;
  const auto listed = look_at(report_of(estate(301)), script).answer;
  EXPECT_EQ(listed["drawn"], 0);
  EXPECT_EQ(listed["listed"], 50) << "a first part; the rest by request";
  EXPECT_NE(listed["text"].get<std::string>().find("301 nodes are more than a picture can show"), std::string::npos);
}

TEST(ReportSize, GoesThroughALargeMatrixAndAroundAHub) {
  const auto look = look_at(report_of(estate(300)), R"(
    const began = performance.now();
    await go('#/matrix');
    const cells = page().querySelectorAll('td').length;
    const pages = page().querySelector('.pager').textContent;
    page().querySelector('main input').focus();
    await type('Event250x');
    const rows = page().querySelectorAll('tbody tr').length;
    await go('#/event/service0.v1.Event0x0/1');
    const listed = page().getElementById('main').textContent;
    await go('#/saga/large');
    return {cells, pages, rows, listed, saga: page().getElementById('main').textContent, took: performance.now() - began};
  )");
  EXPECT_TRUE(look.console.empty()) << look.console;
  EXPECT_LE(look.answer["cells"], 25 * 12);
  EXPECT_NE(look.answer["pages"].get<std::string>().find("of 1200"), std::string::npos);
  EXPECT_EQ(look.answer["rows"], 4);
  EXPECT_NE(look.answer["listed"].get<std::string>().find("fewer steps may help"), std::string::npos);
  EXPECT_NE(look.answer["saga"].get<std::string>().find("more than a picture can show"), std::string::npos);
}

}  // namespace
}  // namespace quadrille
