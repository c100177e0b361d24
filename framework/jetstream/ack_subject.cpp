#include "jetstream/ack_subject.hpp"

#include <charconv>
#include <vector>

namespace quadrille::jetstream {
namespace {

template <class Number>
bool read(std::string_view token, Number& number) {
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), number);
  return error == std::errc{} && end == token.data() + token.size();
}

}  // namespace

std::optional<AckSubject> parse_ack_subject(std::string_view subject) {
  if (!subject.starts_with("$JS.ACK.")) return std::nullopt;
  std::vector<std::string_view> tokens;
  tokens.reserve(12);
  for (std::size_t begin = 0; begin <= subject.size();) {
    const auto end = std::min(subject.find('.', begin), subject.size());
    tokens.push_back(subject.substr(begin, end - begin));
    begin = end + 1;
  }
  constexpr std::size_t tokens_of_first_form = 9;
  constexpr std::size_t fewest_of_second_form = 11;
  if (tokens.size() != tokens_of_first_form && tokens.size() < fewest_of_second_form) return std::nullopt;
  const std::size_t consumer = tokens.size() == tokens_of_first_form ? 3 : 5;
  AckSubject parsed{std::string(tokens[consumer])};
  if (!read(tokens[consumer + 1], parsed.deliveries) || !read(tokens[consumer + 2], parsed.sequence) ||
      !read(tokens[consumer + 5], parsed.pending))
    return std::nullopt;
  return parsed;
}

}  // namespace quadrille::jetstream
