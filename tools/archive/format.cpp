#include "archive/format.hpp"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/util/delimited_message_util.h>

#include <stdexcept>
#include <zlib.h>
#include <zstd.h>

namespace quadrille::archive {
namespace {

std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325ULL;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

/// No frame of ours unpacks to more; a length above it is a damaged one, and nothing is allocated for it.
constexpr std::uint64_t largest = 1ULL << 30U;

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

std::uint64_t saga_hash(std::string_view saga_id) { return hash(saga_id) & ~1ULL; }
std::uint64_t stream_hash(std::string_view stream) { return hash(stream) | 1ULL; }

void put_32(std::string& bytes, std::uint32_t value) {
  for (unsigned i = 0; i < sizeof value; ++i) bytes += static_cast<char>(value >> (8U * i) & 0xffU);
}

void put_64(std::string& bytes, std::uint64_t value) {
  for (unsigned i = 0; i < sizeof value; ++i) bytes += static_cast<char>(value >> (8U * i) & 0xffU);
}

std::uint32_t get_32(const char* bytes) {
  std::uint32_t value = 0;
  for (unsigned i = sizeof value; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

std::uint64_t get_64(const char* bytes) {
  return get_32(bytes) | static_cast<std::uint64_t>(get_32(bytes + sizeof(std::uint32_t))) << 32U;
}

std::uint32_t crc(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

struct Packer::Context {
  ZSTD_CCtx* context = ZSTD_createCCtx();
};

Packer::Packer() : context_(std::make_unique<Context>()) {
  ZSTD_CCtx_setParameter(context_->context, ZSTD_c_checksumFlag, 1);
}

Packer::~Packer() { ZSTD_freeCCtx(context_->context); }

std::string Packer::pack(std::string_view bytes) {
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const auto length = ZSTD_compress2(context_->context, frame.data(), frame.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(length) != 0) throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(length));
  frame.resize(length);
  return frame;
}

std::string unpack(std::string_view frame) {
  const auto length = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (length == ZSTD_CONTENTSIZE_ERROR || length == ZSTD_CONTENTSIZE_UNKNOWN || length > largest)
    throw std::runtime_error("is no frame of an archive");
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  std::string bytes(length, '\0');
  const auto got = ZSTD_decompressDCtx(context.get(), bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(got) != 0) throw std::runtime_error(std::string("is damaged: ") + ZSTD_getErrorName(got));
  if (got != length) throw std::runtime_error("is damaged: it unpacks to less than it says");
  return bytes;
}

std::size_t length_of_frame(std::string_view bytes) {
  const auto length = ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
  return ZSTD_isError(length) != 0 || length > bytes.size() ? 0 : length;
}

std::string skippable(std::uint32_t magic, std::string_view content) {
  std::string frame;
  put_32(frame, magic);
  put_32(frame, static_cast<std::uint32_t>(content.size()));
  frame += content;
  return frame;
}

void put_record(std::string& bytes, const casefile::v1::Entry& entry) {
  auto length = static_cast<std::uint32_t>(entry.ByteSizeLong());
  for (; length >= 0x80U; length >>= 7U) bytes += static_cast<char>(length | 0x80U);
  bytes += static_cast<char>(length);
  entry.AppendToString(&bytes);
}

void take_record(std::string_view& bytes, casefile::v1::Entry& entry) {
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                               static_cast<int>(bytes.size()));
  std::uint32_t length = 0;
  if (!input.ReadVarint32(&length)) throw std::runtime_error("holds no length where a record begins");
  const auto begin = static_cast<std::size_t>(input.CurrentPosition());
  if (length > bytes.size() - begin || !entry.ParseFromArray(bytes.data() + begin, static_cast<int>(length)))
    throw std::runtime_error("holds a record this program does not know");
  bytes.remove_prefix(begin + length);
}

}  // namespace quadrille::archive
