#include "runtime/manual.hpp"

#include <algorithm>
#include <memory>
#include <sstream>

namespace quadrille::runtime {
namespace {

constexpr const char* exit_code = "Exit code:";

/// How a page is written. Text goes in as it is meant; each format sees to its own marks.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual void title(const std::string& name, const std::string& brief, const ManualEdition& edition) = 0;
  virtual void heading(const std::string& text) = 0;
  virtual void paragraph(const std::string& text) = 0;
  virtual void example(const std::vector<std::string>& lines) = 0;
  virtual void item(const std::string& name, const std::string& takes, const std::string& text) = 0;
  [[nodiscard]] std::string text() const { return out_.str(); }

 protected:
  std::ostringstream out_;
};

class Roff final : public Writer {
 public:
  void title(const std::string& name, const std::string& brief, const ManualEdition& edition) override {
    auto upper = name;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    out_ << ".TH " << escaped(upper) << " 1 \"" << edition.date << "\" \"quadrille " << edition.version
         << "\" \"Quadrille\"\n.SH NAME\n"
         << escaped(name) << " \\- " << escaped(brief) << "\n";
  }
  void heading(const std::string& text) override {
    auto upper = text;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    out_ << ".SH " << escaped(upper) << "\n";
    fresh_ = true;
  }
  void paragraph(const std::string& text) override {
    begin();
    out_ << line(text) << "\n";
  }
  void example(const std::vector<std::string>& lines) override {
    begin();
    out_ << ".EX\n";
    for (const auto& each : lines) out_ << line(each) << "\n";
    out_ << ".EE\n";
  }
  void item(const std::string& name, const std::string& takes, const std::string& text) override {
    fresh_ = false;
    out_ << ".TP\n\\fB" << escaped(name) << "\\fR" << (takes.empty() ? "" : " \\fI" + escaped(takes) + "\\fR") << "\n"
         << line(text) << "\n";
  }

 private:
  void begin() {
    if (!fresh_) out_ << ".PP\n";
    fresh_ = false;
  }
  static std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    return result;
  }
  /// A dot or a quote at the begin of a line would be a request, and a long line is broken anyway.
  static std::string line(const std::string& text) {
    return (text.starts_with('.') || text.starts_with('\'') ? "\\&" : "") + escaped(text);
  }

  bool fresh_ = true;
};

class Markdown final : public Writer {
 public:
  void title(const std::string& name, const std::string& brief, const ManualEdition&) override {
    out_ << "## " << name << "\n\n" << plain(brief) << ".\n";
  }
  void heading(const std::string& text) override {
    out_ << "\n### " << text << "\n";
    listing_ = false;
  }
  void paragraph(const std::string& text) override {
    out_ << "\n" << plain(text) << "\n";
    listing_ = false;
  }
  void example(const std::vector<std::string>& lines) override {
    out_ << "\n```text\n";
    for (const auto& each : lines) out_ << each << "\n";
    out_ << "```\n";
    listing_ = false;
  }
  void item(const std::string& name, const std::string& takes, const std::string& text) override {
    out_ << (listing_ ? "" : "\n") << "- `" << name << (takes.empty() ? "" : " " + takes) << "`: " << plain(text)
         << "\n";
    listing_ = true;
  }

 private:
  /// What would be a tag or a mark of emphasis, outside of `code`.
  static std::string plain(const std::string& text) {
    std::string result;
    bool code = false;
    for (const char c : text) {
      if (c == '`') code = !code;
      if (!code && (c == '<' || c == '*' || c == '_')) result += '\\';
      result += c;
    }
    return result;
  }

  bool listing_ = false;
};

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The first sentence, as a page's NAME and a list of commands have it.
std::string brief_of(const CLI::App& app) {
  std::string paragraph;
  for (const auto& line : lines_of(app.get_description())) {
    if (line.empty()) break;
    paragraph += (paragraph.empty() ? "" : " ") + line;
  }
  auto end = paragraph.find(". ");
  if (end == std::string::npos) end = paragraph.ends_with('.') ? paragraph.size() - 1 : paragraph.size();
  return paragraph.substr(0, end);
}

/// Own, or that of the command above.
std::string exit_status(const CLI::App& app) {
  std::string status;
  for (const auto& line : lines_of(app.get_description()))
    if (line.starts_with(exit_code) || (!status.empty() && !line.empty())) status += (status.empty() ? "" : " ") + line;
  return status.empty() && app.get_parent() != nullptr ? exit_status(*app.get_parent()) : status;
}

void write_description(Writer& writer, const std::string& text) {
  std::string paragraph;
  std::vector<std::string> example;
  const auto flush = [&] {
    if (!paragraph.empty()) writer.paragraph(paragraph);
    if (!example.empty()) writer.example(example);
    paragraph.clear();
    example.clear();
  };
  for (const auto& line : lines_of(text)) {
    if (line.starts_with(exit_code)) break;
    const bool is_example = line.starts_with("  ");
    if (line.empty() || (is_example ? !paragraph.empty() : !example.empty())) flush();
    if (is_example)
      example.push_back(line.substr(2));
    else if (!line.empty())
      paragraph += (paragraph.empty() ? "" : " ") + line;
  }
  flush();
}

/// `TEXT:FILE` is a FILE, `TEXT:{a,b}` is one of them; any other check is told in words.
struct Type {
  std::string takes;
  std::string check;
};
Type type_of(const CLI::Option& option) {
  const auto name = option.get_type_name();
  if (option.get_items_expected_max() == 0) return {};
  const auto colon = name.find(':');
  if (colon == std::string::npos) return {name, ""};
  const auto check = name.substr(colon + 1);
  if (check == "FILE" || check == "DIR" || check == "PATH(existing)" || check.starts_with('{')) return {check, ""};
  return {name.substr(0, colon), check};
}

void write_option(Writer& writer, const CLI::Option& option) {
  const auto type = type_of(option);
  auto text = option.get_description();
  std::ranges::replace(text, '\n', ' ');
  if (!text.empty() && !text.ends_with('.')) text += '.';
  const auto add = [&](const std::string& sentence) { text += (text.empty() ? "" : " ") + sentence + "."; };
  if (!type.check.empty()) add("Takes: " + type.check);
  if (option.get_required()) add("Required");
  if (!option.get_default_str().empty()) add("Default: " + option.get_default_str());
  if (option.get_items_expected_max() > 1) add("May be repeated");
  for (const auto* needed : option.get_needs()) add("Needs " + needed->get_name());
  for (const auto* excluded : option.get_excludes()) add("Not together with " + excluded->get_name());
  if (!option.get_envname().empty()) add("Environment: " + option.get_envname());
  auto name = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  if (const auto comma = name.find(','); comma != std::string::npos) name.insert(comma + 1, " ");
  writer.item(name, option.get_positional() ? "" : type.takes, text);
}

void write_synopsis(Writer& writer, const CLI::App& app) {
  auto usage = path_of(app) + " [OPTIONS]";
  for (const auto* option : app.get_options())
    if (option->get_positional()) usage += " " + option->get_name(true);
  if (!shown_commands(app).empty()) usage += app.get_require_subcommand_min() > 0 ? " COMMAND" : " [COMMAND]";
  writer.example({usage});
}

void write_options(Writer& writer, const CLI::App& app) {
  for (const auto* option : app.get_options())
    if (!option->get_group().empty()) write_option(writer, *option);
  for (const auto* group : app.get_subcommands([](const CLI::App* command) { return command->get_name().empty(); }))
    write_options(writer, *group);
}

void write_below(Writer& writer, const CLI::App& app) {
  for (const auto* command : shown_commands(app)) {
    writer.heading(path_of(*command));
    write_description(writer, command->get_description());
    write_options(writer, *command);
    write_below(writer, *command);
  }
}

}  // namespace

std::string manual_name(const CLI::App& app) {
  auto name = path_of(app);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  auto commands = app.get_subcommands(
      [](const CLI::App* command) { return !command->get_name().empty() && !command->get_group().empty(); });
  std::ranges::sort(commands, {}, [](const CLI::App* command) { return command->get_name(); });
  return commands;
}

std::string manual_page(const CLI::App& app, ManualFormat format, const ManualEdition& edition) {
  std::unique_ptr<Writer> writer;
  if (format == ManualFormat::roff)
    writer = std::make_unique<Roff>();
  else
    writer = std::make_unique<Markdown>();
  writer->title(manual_name(app), brief_of(app), edition);
  writer->heading("Synopsis");
  write_synopsis(*writer, app);
  writer->heading("Description");
  write_description(*writer, app.get_description());
  writer->heading("Options");
  write_options(*writer, app);
  const auto commands = shown_commands(app);
  const bool is_root = app.get_parent() == nullptr;
  if (is_root && !commands.empty()) {
    writer->heading("Commands");
    for (const auto* command : commands) writer->item(manual_name(*command), "", brief_of(*command) + ".");
  }
  if (!is_root) write_below(*writer, app);
  if (const auto status = exit_status(app); !status.empty()) {
    writer->heading("Exit status");
    writer->paragraph(status.substr(std::string(exit_code).size() + 1));
  }
  if (!is_root && format == ManualFormat::roff) {
    writer->heading("See also");
    writer->paragraph(path_of(*app.get_parent()) + "(1)");
  }
  return writer->text();
}

}  // namespace quadrille::runtime
