#include "checker/finding.hpp"

#include "core/sha256.hpp"

#include <algorithm>

namespace quadrille::checker {

std::string fingerprint(const Finding& finding) {
  auto about = finding.about;
  std::ranges::sort(about);
  std::string text = finding.code + "\n" + finding.saga;
  for (const auto& name : about) text += "\n" + name;
  return sha256(text);
}

const char* name_of(Severity severity) {
  switch (severity) {
    case Severity::off:
      return "off";
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

}  // namespace quadrille::checker
