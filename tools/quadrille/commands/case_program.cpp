#include "quadrille/commands/case_program.hpp"

#include "casefile/case_file.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace quadrille::tool {

using casefile::v1::Case;

void ProgramOptions::add_to(CLI::App& command) {
  command
      .add_option("--participant", participants,
                  "The program of today, such as payment=build/dev/bin/shop-payment; several of them: once for each")
      ->required()
      ->type_name("NAME=PROGRAM");
  command
      .add_option("--timeout", timeouts,
                  "The time of a timer step in the system that was recorded, where it was not its contract's, such "
                  "as GiveUp=3s;\nof several programs with the participant's name, order.GiveUp=3s")
      ->delimiter(',')
      ->type_name("STEP=TIME");
}

namespace {

/// Those of a participant: what names none is everybody's.
std::vector<std::string> timeouts_of(const std::string& participant, const std::vector<std::string>& timeouts) {
  std::vector<std::string> own;
  for (const auto& timeout : timeouts) {
    const auto dot = timeout.substr(0, timeout.find('=')).find('.');
    if (dot == std::string::npos)
      own.push_back(timeout);
    else if (timeout.substr(0, dot) == participant)
      own.push_back(timeout.substr(dot + 1));
  }
  return own;
}

}  // namespace

std::vector<cases::Program> ProgramOptions::programs() const {
  std::vector<cases::Program> all;
  for (const auto& participant : participants) {
    auto& program = all.emplace_back(cases::Program::parse(participant));
    if (std::ranges::count(all, program.participant, &cases::Program::participant) > 1)
      throw CLI::ValidationError("--participant", "'" + participant + "': " + program.participant +
                                                      " has a program already; name each participant once");
    program.timeouts = timeouts_of(program.participant, timeouts);
  }
  return all;
}

cases::Program ProgramOptions::program() const {
  if (participants.size() > 1)
    throw CLI::ValidationError("--participant", "'" + participants.back() + "' is one more than this command takes");
  return programs().front();
}

void FuzzArguments::add_to(CLI::App& command) {
  auto* fuzz =
      command
          .add_option("--fuzz", tries,
                      "Disturbs the deliveries this many times as a broker may (moved, repeated, lost and sent again, "
                      "delayed), behind the\nframework's gate and inbox, and tells the fewest disturbances after "
                      "which the saga ends otherwise")
          ->type_name("N");
  command.add_option("--seed", seed, "Of --fuzz: the same one gives the same disturbances")
      ->capture_default_str()
      ->needs(fuzz);
  command
      .add_option("--tolerate", tolerate,
                  "Event types, without package, that a disturbed saga may record or not, such as PaymentVoided")
      ->type_name("EVENT,...")
      ->needs(fuzz);
  command.add_option("--latest", latest, "No delivery is delayed by more than this by --fuzz; default: 1m")
      ->type_name("TIME")
      ->needs(fuzz);
  command.add_option("--save", save, "Writes the smallest case --fuzz found into a file that `case run` takes")
      ->needs(fuzz);
}

std::vector<std::string> FuzzArguments::options() const {
  if (tries == 0) return {};
  std::vector<std::string> options{"--fuzz", std::to_string(tries), "--seed", std::to_string(seed)};
  if (!tolerate.empty()) options.insert(options.end(), {"--tolerate", tolerate});
  if (!latest.empty()) options.insert(options.end(), {"--latest", latest});
  return options;
}

bool FuzzArguments::save_smallest(const std::vector<Case>& all,
                                  const std::vector<casefile::v1::Report>& reports) const {
  if (save.empty()) return false;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (reports[i].fuzz().diverged() == 0) continue;
    auto one = all[i];
    *one.mutable_header()->mutable_variation() = reports[i].fuzz().smallest();
    std::ofstream output(save, std::ios::binary);
    casefile::write(one, output);
    if (!output.flush()) throw std::runtime_error("--save " + save.string() + " cannot be written");
    return true;
  }
  return false;
}

}  // namespace quadrille::tool
