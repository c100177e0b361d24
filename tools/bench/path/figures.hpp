#pragma once

#include <optional>
#include <string>
#include <vector>

namespace quadrille::bench {

/// A measured number beside what it is held against.
struct Figure {
  std::string name;   ///< dotted, for machines
  std::string title;  ///< for people
  double value = 0;
  std::string unit;
  std::string limit = {};   ///< name of the figure of the same run it is divided by; empty: none
  std::string target = {};  ///< of the ratio, or of the value where there is no limit: ">= 0.30", "< 2"; empty: none
};

/// All figures of one run, in the order in which they were measured. Not thread-safe.
class Figures {
 public:
  /// Shows it on standard error too, as it comes.
  void add(Figure figure);
  /// Throws std::out_of_range where it was not measured.
  [[nodiscard]] double value(const std::string& name) const;
  [[nodiscard]] std::string table() const;
  [[nodiscard]] std::string json() const;

 private:
  [[nodiscard]] std::optional<double> ratio(const Figure& figure) const;
  [[nodiscard]] std::string verdict(const Figure& figure) const;

  std::vector<Figure> figures_;
};

}  // namespace quadrille::bench
