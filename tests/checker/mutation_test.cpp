// One fault of each kind, planted into random well-formed sagas: exactly its rule reports it. Seeds are fixed and
// printed; QUADRILLE_SEED tries another series.
#include "checker/check.hpp"
#include "checker/load.hpp"
#include "checker/report.hpp"
#include "embedded/child_process.hpp"
#include "estate/estate.hpp"
#include "mutations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace quadrille::checker {
namespace {

constexpr int estates = 40;

std::uint64_t first_seed() {
  const char* text = std::getenv("QUADRILLE_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

struct Subject {
  contract::Model model;
  estate::SagaPlan plan;
};

/// The same sagas for every mutation: reading contracts is what takes time.
const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = [] {
    std::vector<Subject> list;
    for (int i = 0; i < estates; ++i) {
      const auto generated = estate::generate(first_seed() + static_cast<std::uint64_t>(i), {8, 1, 1});
      const embedded::TemporaryFolder folder;
      generated.write(folder.path());
      const Contracts contracts({folder.path()}, {});
      EXPECT_TRUE(contracts.reading().faults.empty()) << as_text(check(contracts.reading()), false);
      list.push_back({contracts.reading().model, generated.sagas.front()});
    }
    return list;
  }();
  return all;
}

std::vector<Finding> findings_in(const contract::Model& model) {
  const Graph graph(model);
  auto findings = check(graph, sagas(graph));
  return findings;
}

void drop_notes(std::vector<Finding>& findings) {
  std::erase_if(findings, [](const Finding& finding) { return finding.severity == Severity::note; });
}

TEST(Estates, AreWellFormedWhateverTheSeed) {
  for (const auto& subject : subjects()) {
    auto findings = findings_in(subject.model);
    drop_notes(findings);
    EXPECT_TRUE(findings.empty()) << subject.plan.name << "\n" << as_text(findings, false);
  }
}

class Mutation : public ::testing::TestWithParam<mutation::Mutation> {};

TEST_P(Mutation, IsReportedByExactlyItsRule) {
  const auto& mutation = GetParam();
  int planted = 0;
  for (int i = 0; i < estates; ++i) {
    auto subject = subjects()[static_cast<std::size_t>(i)];
    if (!mutation.plant(subject.model, subject.plan)) continue;  // this saga has no place for it
    ++planted;
    auto findings = findings_in(subject.model);
    if (!mutation.note) drop_notes(findings);
    const auto wrong = std::ranges::count_if(findings, [&](const Finding& finding) {
      return finding.code != mutation.code && (!mutation.note || finding.severity != Severity::note);
    });
    const auto right = std::ranges::count(findings, mutation.code, &Finding::code);
    ASSERT_TRUE(right > 0 && wrong == 0) << "seed " << first_seed() + static_cast<std::uint64_t>(i) << "\n"
                                         << as_text(findings, false);
  }
  EXPECT_GE(planted, 3) << "too few sagas have a place for it";
}

INSTANTIATE_TEST_SUITE_P(Of, Mutation, ::testing::ValuesIn(mutation::all()),
                         [](const auto& mutation) { return mutation.param.code; });

}  // namespace
}  // namespace quadrille::checker
