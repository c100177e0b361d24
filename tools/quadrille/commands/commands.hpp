#pragma once

#include <CLI/CLI.hpp>

/// One function a command: it declares its options and registers what runs, which sets `exit_code` (0 good, 1 findings,
/// 2 the tool could not do it) or throws.
namespace quadrille::tool {

void add_archive(CLI::App& app, int& exit_code);
void add_can_deploy(CLI::App& app, int& exit_code);
void add_case(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_conform(CLI::App& app, int& exit_code);
void add_coverage(CLI::App& app, int& exit_code);
void add_deploy(CLI::App& app, int& exit_code);
void add_dev(CLI::App& app, int& exit_code);
void add_diff(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_graph(CLI::App& app, int& exit_code);
void add_manual(CLI::App& app, int& exit_code);
void add_migrate(CLI::App& app, int& exit_code);
void add_new(CLI::App& app, int& exit_code);
void add_parked(CLI::App& app, int& exit_code);
void add_rebuild(CLI::App& app, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);
void add_republish(CLI::App& app, int& exit_code);
void add_saga(CLI::App& app, int& exit_code);
void add_status(CLI::App& app, int& exit_code);
void add_where(CLI::App& app, int& exit_code);

}  // namespace quadrille::tool
