#include "rerun/rerun.hpp"

#include "rerun/as_recorded.hpp"
#include "rerun/plan.hpp"
#include "rerun/varied.hpp"

#include <utility>

namespace quadrille::rerun {

Rerunner::Rerunner(Participant& participant, const std::map<std::string, std::chrono::milliseconds>& timeouts)
    : watched_(participant), part_(watched_, timeouts) {}

casefile::v1::Report Rerunner::run(const casefile::v1::Case& one) {
  watched_.ledger().clear();
  casefile::v1::Report report;
  auto planned = plan(part_, one);
  if (!planned.could_not.empty())
    report.set_could_not(planned.could_not);
  else if (one.header().has_variation())
    report = run_varied(part_, watched_, planned, one);
  else
    report = run_as_recorded(part_, watched_, std::move(planned));
  sign(report, one);
  return report;
}

casefile::v1::Report Rerunner::fuzz(const casefile::v1::Case& one, const FuzzOptions& options) {
  casefile::v1::Report report;
  const auto planned = plan(part_, one);
  if (planned.could_not.empty())
    report = rerun::fuzz(part_, watched_, planned, one, options);
  else
    report.set_could_not(planned.could_not);
  sign(report, one);
  return report;
}

void Rerunner::sign(casefile::v1::Report& report, const casefile::v1::Case& one) const {
  report.set_saga_id(one.header().saga_id());
  report.set_participant(part_.name());
  report.set_fingerprint(part_.fingerprint());
  if (report.variation().empty()) report.set_variation(one.header().variation().name());
}

}  // namespace quadrille::rerun
