#include "cases/program.hpp"

#include "casefile/case_file.hpp"
#include "casefile/report_text.hpp"
#include "embedded/child_process.hpp"

#include <chrono>
#include <fstream>
#include <stdexcept>

namespace quadrille::cases {

Program Program::parse(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw std::runtime_error("--participant '" + text + "' is not NAME=PROGRAM, such as payment=bin/shop-payment");
  return {text.substr(0, equals), text.substr(equals + 1), {}, {}};
}

std::vector<casefile::v1::Report> run(const Program& program, const std::vector<casefile::v1::Case>& cases) {
  const embedded::TemporaryFolder folder;
  const auto file = folder.path() / "cases";
  const auto answer = folder.path() / "answer";
  std::ofstream output(file, std::ios::binary);
  for (const auto& one : cases) casefile::write(one, output);
  output.close();
  if (!output) throw std::runtime_error("cannot write " + file.string() + "; set TMPDIR to where there is space");

  embedded::Command command{{program.path, "case", "run", file.string(), "--format", "json"}, {}, answer, {}, {}};
  for (const auto& timeout : program.timeouts)
    command.arguments.insert(command.arguments.end(), {"--timeout", timeout});
  command.arguments.insert(command.arguments.end(), program.options.begin(), program.options.end());
  embedded::ChildProcess child(command);
  constexpr auto patience = std::chrono::hours(1);
  const auto exit_code = child.wait(patience);

  // Both outputs of the program are in there: a line that is no report is what it has to say.
  std::vector<casefile::v1::Report> reports;
  std::string said;
  std::ifstream input(answer);
  for (std::string line; std::getline(input, line);) {
    if (line.starts_with("{"))
      reports.push_back(casefile::from_json(line));
    else
      said += "\n  " + line;
  }
  if (reports.size() != cases.size())
    throw std::runtime_error("--participant " + program.participant + "=" + program.path + " answered for " +
                             std::to_string(reports.size()) + " of " + std::to_string(cases.size()) + " cases" +
                             (exit_code ? ", exit code " + std::to_string(*exit_code) : ", and did not end") + said);
  for (const auto& report : reports)
    if (report.participant() != program.participant)
      throw std::runtime_error("--participant " + program.participant + "=" + program.path +
                               ": that is the program of " + report.participant());
  return reports;
}

}  // namespace quadrille::cases
