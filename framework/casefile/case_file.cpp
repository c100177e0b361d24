#include "casefile/case_file.hpp"

#include "core/sha256.hpp"

#include <string_view>
#include <utility>

namespace quadrille::casefile {
namespace {

constexpr std::string_view magic = "QDRCASE";
constexpr char version = '1';
constexpr std::size_t length_bytes = 4;
constexpr std::size_t digits = 16;
/// No record is larger; a length above it is a damaged one, and nothing is allocated for it.
constexpr std::uint32_t largest = 256U << 20U;

std::string checksum(const std::string& bytes) { return sha256(bytes).substr(0, digits); }

void put(const v1::Record& record, std::ostream& output) {
  const auto bytes = record.SerializeAsString();
  for (std::size_t i = 0; i < length_bytes; ++i) output.put(static_cast<char>(bytes.size() >> (8U * i) & 0xffU));
  output << checksum(bytes) << bytes;
}

std::uint32_t number(const std::string& bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = length_bytes; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

void write(const v1::Case& one, std::ostream& output) {
  output << magic << version;
  v1::Record record;
  *record.mutable_header() = one.header();
  put(record, output);
  for (const auto& event : one.event()) {
    *record.mutable_event() = event;
    put(record, output);
  }
  record.mutable_footer()->set_events(static_cast<std::uint32_t>(one.event_size()));
  put(record, output);
}

void Reader::fail(std::uint64_t offset, const std::string& what) const {
  std::string text = name_ + ": " + what + " at byte " + std::to_string(offset);
  if (reading_.has_header())
    text += "; " + std::to_string(reading_.event_size()) + " events of saga " + reading_.header().saga_id() +
            " before it are whole";
  throw BadFile(text, reading_);
}

std::string Reader::take(std::size_t bytes, const std::string& part) {
  std::string taken(bytes, '\0');
  input_.read(taken.data(), static_cast<std::streamsize>(bytes));
  const auto got = static_cast<std::size_t>(input_.gcount());
  if (got < bytes)
    fail(offset_ + got, "ends in the middle of " + part + ", " + std::to_string(bytes - got) + " bytes are missing,");
  offset_ += bytes;
  return taken;
}

v1::Record Reader::record() {
  const auto begin = offset_;
  const auto part =
      reading_.has_header() ? "record " + std::to_string(reading_.event_size() + 2) : std::string("the header");
  const auto size = number(take(length_bytes, part));
  if (size > largest) fail(begin, "is damaged: " + part + " says it has " + std::to_string(size) + " bytes,");
  const auto expected = take(digits, part);
  const auto bytes = take(size, part);
  if (checksum(bytes) != expected) fail(begin, "is damaged: the checksum of " + part + " does not match,");
  v1::Record record;
  if (!record.ParseFromString(bytes)) fail(begin, "holds no record this program knows,");
  return record;
}

std::optional<v1::Case> Reader::next() {
  reading_.Clear();
  if (input_.peek() == std::istream::traits_type::eof()) {
    if (offset_ == 0) fail(0, "is empty, and a case file has a case at least,");
    if (more_)
      fail(offset_, "lacks cases: behind the " + std::to_string(cases_) + " in it more were written, the next");
    return std::nullopt;
  }
  const auto begin = offset_;
  const auto first = take(magic.size() + 1, "the first word");
  if (!first.starts_with(magic)) fail(begin, "is no case file, which begins with " + std::string(magic) + ",");
  if (first.back() != version)
    fail(begin, std::string("is a case file of format ") + first.back() + ", this program reads format " + version +
                    ": use a newer one,");
  for (;;) {
    const auto at = offset_;
    auto next = record();
    if (next.has_header() == reading_.has_header()) fail(at, "has no header, or two,");
    if (next.has_header()) {
      ++cases_;
      more_ = next.header().more();
      next.mutable_header()->clear_more();
      *reading_.mutable_header() = std::move(*next.mutable_header());
    } else if (next.has_event()) {
      *reading_.add_event() = std::move(*next.mutable_event());
    } else {
      if (next.footer().events() != static_cast<std::uint32_t>(reading_.event_size()))
        fail(at, "lacks events: its footer counts " + std::to_string(next.footer().events()) + ",");
      return std::exchange(reading_, {});
    }
  }
}

}  // namespace quadrille::casefile
