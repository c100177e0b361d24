#include "core/stream_name.hpp"

#include "quadrille/error.hpp"

namespace quadrille {

StreamName StreamName::parse(std::string_view text) {
  const auto dash = text.find('-');
  if (dash == std::string_view::npos || dash == 0 || dash + 1 == text.size())
    throw Error(Disposition::park, "stream name '" + std::string(text) + "' is not <category>-<key>",
                ReasonClass::contract);
  return {std::string(text.substr(0, dash)), std::string(text.substr(dash + 1))};
}

}  // namespace quadrille
