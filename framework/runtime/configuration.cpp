#include "runtime/configuration.hpp"

#include "core/redact.hpp"
#include "core/version.hpp"
#include "runtime/manual.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>
#include <string_view>
#include <unistd.h>

namespace quadrille::runtime {
namespace {

constexpr int set_up_is_wrong = 2;

bool is_setting(const CLI::Option& option) { return !option.get_envname().empty(); }

std::vector<const CLI::Option*> settings_of(const CLI::App& app) {
  auto options = app.get_options();
  std::erase_if(options, [](const CLI::Option* option) { return !is_setting(*option); });
  return {options.begin(), options.end()};
}

std::string name_of(const CLI::Option& option) { return option.get_single_name(); }

const char* in_environment(const CLI::Option& option) {
  const auto* value = std::getenv(option.get_envname().c_str());
  return value == nullptr || *value == '\0' ? nullptr : value;
}

std::string quoted(const std::string& value) { return "\"" + without_password(value) + "\""; }

/// As the file would have it.
std::string value_of(const CLI::Option& option) {
  if (option.count() == 0) return quoted(option.get_default_str());
  const auto& values = option.results();
  if (values.size() == 1) return quoted(values.front());
  std::string list;
  for (const auto& value : values) list += (list.empty() ? "[" : ", ") + quoted(value);
  return list + "]";
}

/// Variables that look like ours and are nobody's: a wrong letter would otherwise go unseen.
std::set<std::string> unread_variables(const CLI::App& app) {
  std::set<std::string> unread;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (text.starts_with("QUADRILLE_")) unread.emplace(text.substr(0, text.find('=')));
  }
  for (const auto* option : settings_of(app)) unread.erase(option->get_envname());
  return unread;
}

}  // namespace

Configuration::Configuration(CLI::App& app) : app_(app) {
  app.set_version_flag("--version", version_text(app.get_name()), "Print version, commit and libraries, and end");
  app.add_option("--config", file_,
                 "Settings file (TOML or INI), one `name = value` a line, such as nats-url = \"nats://...\"")
      ->check(CLI::ExistingFile);
  app.add_option("--manual", manual_)->check(CLI::IsMember({"man", "markdown"}))->group("");
  app.add_flag("--print-config", print_, "Print every setting and where its value comes from, check them, and end");
}

std::optional<int> Configuration::read(int argc, char** argv) {
  try {
    app_.parse(argc, argv);
    if (!manual_.empty()) {
      std::cout << manual_page(app_, manual_ == "man" ? ManualFormat::roff : ManualFormat::markdown,
                               {std::string(version()), std::string(commit_date())});
      return 0;
    }
    if (!file_.empty()) apply_file();
    if (print_) std::cout << text() << std::flush;
    check();
  } catch (const CLI::Success& success) {
    return app_.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain(error.what());
  }
  return print_ ? std::optional(0) : std::nullopt;
}

void Configuration::apply_file() {
  for (const auto& item : app_.get_config_formatter_base()->from_file(file_)) {
    auto* option = app_.get_option_no_throw("--" + item.name);
    if (option == nullptr || !is_setting(*option))
      throw CLI::ConfigError("--config " + file_ + ": there is no setting '" + item.name + "'; --help lists them",
                             CLI::ExitCodes::ConfigError);
    const bool holds = option->count() == 0;
    in_file_[option] = holds;
    if (!holds) continue;
    option->add_result(item.inputs);
    option->run_callback();
  }
}

void Configuration::check() const {
  const auto given = [&](const std::string& name) {
    const auto* option = app_.get_option("--" + name);
    return option->count() > 0 && !option->results().front().empty();
  };
  for (const auto& name : required_)
    if (!given(name))
      throw CLI::RequiredError("--" + name + " (or " + app_.get_option("--" + name)->get_envname() + ", or " + name +
                               " in the file of --config)");
  for (const auto& [one, other] : together_)
    if (given(one) != given(other)) {
      const auto& [there, missing] = given(one) ? std::tie(one, other) : std::tie(other, one);
      throw CLI::RequiresError("--" + there, "--" + missing + " (or " + app_.get_option("--" + missing)->get_envname() +
                                                 ", or " + missing + " in the file of --config)");
    }
}

bool Configuration::given_by_flag(const CLI::Option& option) const {
  return std::ranges::find(app_.parse_order(), &option) != app_.parse_order().end();
}

std::string Configuration::origin(const CLI::Option& option) const {
  const auto file = in_file_.find(&option);
  const auto variable = "environment " + option.get_envname();
  if (file != in_file_.end() && file->second) return "file " + file_;
  const std::string file_too = file == in_file_.end() ? "" : "the file";
  if (given_by_flag(option)) {
    const std::string variable_too = in_environment(option) == nullptr ? "" : "the environment";
    const std::string both = variable_too.empty() || file_too.empty() ? "" : " and ";
    const auto others = variable_too + both + file_too;
    return "flag" + (others.empty() ? "" : ", instead of " + others);
  }
  if (in_environment(option) != nullptr) return variable + (file_too.empty() ? "" : ", instead of " + file_too);
  return option.get_default_str().empty() ? "not set" : "default";
}

std::string Configuration::text() const {
  std::ostringstream out;
  out << "# " << app_.get_name() << " " << version()
      << ": a flag has the most weight, then the environment, then the file of --config\n";
  for (const auto* option : settings_of(app_)) {
    const auto from = origin(*option);
    const auto line =
        (from == "not set" || from == "default" ? "# " : "") + name_of(*option) + " = " + value_of(*option);
    out << line << std::string(line.size() < 48 ? 48 - line.size() : 1, ' ') << "# " << from << "\n";
  }
  for (const auto& variable : unread_variables(app_))
    out << "# " << variable << " is in the environment, and no setting reads it\n";
  return out.str();
}

std::string Configuration::explanation(const std::string& error) const {
  for (const auto* option : settings_of(app_)) {
    const auto flag = "--" + name_of(*option);
    if (!error.starts_with(flag + ":") && !error.starts_with(flag + " ")) continue;
    const auto from = origin(*option);
    return (from == "not set" || from == "default" ? "" : "It comes from: " + from + "\n") + "About " + flag + ": " +
           option->get_description() + "\n";
  }
  return {};
}

int Configuration::complain(const std::string& error) const {
  std::cerr << without_password(error) << "\n"
            << explanation(error) << "--help lists all settings, --print-config shows where each value comes from\n";
  return set_up_is_wrong;
}

}  // namespace quadrille::runtime
