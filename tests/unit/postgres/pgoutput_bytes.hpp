#pragma once

#include "postgres/replication/bytes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Writes messages of pgoutput as PostgreSQL does.
namespace quadrille::postgres {

class Bytes {
 public:
  Bytes& u8(std::uint8_t value) {
    text += static_cast<char>(value);
    return *this;
  }
  Bytes& u16(std::uint16_t value) { return u8(static_cast<std::uint8_t>(value >> 8U)).u8(value & 0xffU); }
  Bytes& u32(std::uint32_t value) { return u16(static_cast<std::uint16_t>(value >> 16U)).u16(value & 0xffffU); }
  Bytes& u64(std::uint64_t value) {
    put_u64(text, value);
    return *this;
  }
  Bytes& name(const std::string& value) {
    text += value;
    return u8(0);
  }
  Bytes& kind(char value) {
    text += value;
    return *this;
  }

  std::string text;
};

inline std::string begin_bytes(Lsn commit, std::uint32_t transaction) {
  return Bytes().kind('B').u64(commit).u64(1).u32(transaction).text;
}
inline std::string commit_bytes(Lsn commit, Lsn end) {
  return Bytes().kind('C').u8(0).u64(commit).u64(end).u64(1).text;
}
inline std::string relation_bytes(std::uint32_t id, const std::string& schema, const std::string& table,
                                  const std::vector<std::string>& columns) {
  Bytes bytes;
  bytes.kind('R').u32(id).name(schema).name(table).kind('d').u16(static_cast<std::uint16_t>(columns.size()));
  for (const auto& column : columns) bytes.u8(0).name(column).u32(25).u32(0xffffffffU);
  return bytes.text;
}
inline std::string insert_bytes(std::uint32_t relation, const std::vector<std::optional<std::string>>& values) {
  Bytes bytes;
  bytes.kind('I').u32(relation).kind('N').u16(static_cast<std::uint16_t>(values.size()));
  for (const auto& value : values) {
    bytes.kind(value ? 't' : 'n');
    if (value) bytes.u32(static_cast<std::uint32_t>(value->size())).text += *value;
  }
  return bytes.text;
}

}  // namespace quadrille::postgres
