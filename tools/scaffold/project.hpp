#pragma once

#include "scaffold/edits.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace quadrille::scaffold {

/// A project of participants, as `quadrille new project` lays it out.
class Project {
 public:
  /// The project that `folder` is in or below. Throws std::runtime_error where there is none.
  [[nodiscard]] static Project find(const std::filesystem::path& folder);
  /// Makes the files of a new one in `folder`/`name`, without a participant; its README speaks of `participant`.
  static Project make(const std::filesystem::path& folder, const std::string& name, const std::string& participant,
                      const std::string& version);

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Files of a participant, relative to the project.
  [[nodiscard]] std::filesystem::path steps_file(const std::string& participant) const;
  [[nodiscard]] std::filesystem::path events_file(const std::string& participant) const;
  [[nodiscard]] static std::filesystem::path service_file(const std::string& participant, const std::string& ending);
  /// Throws std::runtime_error that lists those there are.
  void need_participant(const std::string& participant) const;
  [[nodiscard]] std::vector<std::string> participants() const;

  void add_participant(Edits& edits, const std::string& participant) const;

 private:
  Project(std::filesystem::path root, std::string name) : root_(std::move(root)), name_(std::move(name)) {}
  void fill(Edits& edits, const std::string& part, const std::map<std::string, std::string>& words) const;

  std::filesystem::path root_;
  std::string name_;
};

}  // namespace quadrille::scaffold
