#include "core/version.hpp"
#include "quadrille/called_environment.hpp"
#include "quadrille/commands/commands.hpp"
#include "quadrille/completion.hpp"

#include <iostream>

int main(int argc, char** argv) {
  CLI::App app(
      "Choreographed sagas over NATS JetStream and PostgreSQL: check the contracts, draw the flow, run it, replay "
      "it.\n\n"
      "  quadrille new project cinema                 begins a project of one's own\n"
      "  quadrille check contracts/shop               faults of a choreography, before it runs\n"
      "  quadrille explain QDR161                     a fault, why it hurts, and its repair\n"
      "  quadrille graph contracts/shop --view saga   its flow\n"
      "  quadrille coverage contracts --record FILE   which ways through it the tests have taken\n"
      "  quadrille can-deploy NEW --deployed OLD      whether a new version may go out, and in which order\n"
      "  quadrille dev run                            NATS, PostgreSQL and the shop on this machine\n"
      "  quadrille conform contracts/shop --nats-url  whether what happened is what was declared\n"
      "  quadrille replay --saga ID                   what happened to one saga\n"
      "  quadrille saga list --state STUCK            which sagas wait for a person, and why\n"
      "  quadrille status                             how everybody is who runs\n"
      "  quadrille where ID                           where an event is, or what of a saga waits\n"
      "  quadrille case export --saga ID              that saga in a file, to be run again and made a test\n"
      "  quadrille archive create november.qarc       recorded traffic in one indexed file\n"
      "  quadrille republish --archive november.qarc  the same traffic again, where nobody live hears it\n"
      "  quadrille parked list --participant payment  what waits for a person there\n\n"
      "Exit code: 0 good, 1 findings, 2 the tool could not do it.",
      "quadrille");
  app.set_version_flag("--version", quadrille::version_text("quadrille"));
  app.require_subcommand(1);
  int exit_code = 0;
  quadrille::tool::add_check(app, exit_code);
  quadrille::tool::add_coverage(app, exit_code);
  quadrille::tool::add_explain(app, exit_code);
  quadrille::tool::add_graph(app, exit_code);
  quadrille::tool::add_diff(app, exit_code);
  quadrille::tool::add_can_deploy(app, exit_code);
  quadrille::tool::add_conform(app, exit_code);
  quadrille::tool::add_deploy(app, exit_code);
  quadrille::tool::add_export(app, exit_code);
  quadrille::tool::add_dev(app, exit_code);
  quadrille::tool::add_manual(app, exit_code);
  quadrille::tool::add_migrate(app, exit_code);
  quadrille::tool::add_new(app, exit_code);
  quadrille::tool::add_parked(app, exit_code);
  quadrille::tool::add_replay(app, exit_code);
  quadrille::tool::add_republish(app, exit_code);
  quadrille::tool::add_rebuild(app, exit_code);
  quadrille::tool::add_saga(app, exit_code);
  quadrille::tool::add_status(app, exit_code);
  quadrille::tool::add_where(app, exit_code);
  quadrille::tool::add_case(app, exit_code);
  quadrille::tool::add_archive(app, exit_code);
  app.add_subcommand("completion",
                     "A script by which bash completes commands and options.\n\n  source <(quadrille completion)")
      ->callback([&app] { std::cout << quadrille::tool::bash_completion(app); });
  quadrille::tool::read_environment_of_called_only(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::cerr << "quadrille: " << error.what() << "\n";
    return 2;
  }
  return exit_code;
}
