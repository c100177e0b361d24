#include "casefile/case_file.hpp"
#include "casefile/report_text.hpp"
#include "quadrille/rerun.hpp"
#include "rerun/rerun.hpp"

#include <fstream>

namespace quadrille::rerun {

std::vector<Rerun> run(Participant& participant, const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input) throw std::runtime_error("cannot read " + file.string());
  casefile::Reader reader(input, file.string());
  Rerunner rerunner(participant);
  std::vector<Rerun> all;
  while (const auto one = reader.next()) {
    const auto report = rerunner.run(*one);
    all.push_back(
        {report.saga_id(), report.could_not().empty() && !casefile::has_findings(report), casefile::as_text(report)});
  }
  return all;
}

}  // namespace quadrille::rerun
