#include "postgres/replication/pgoutput.hpp"

#include "quadrille/error.hpp"

namespace quadrille::postgres::pgoutput {
namespace {

Begin begin(ByteReader& reader) {
  Begin message;
  message.commit = reader.u64();
  static_cast<void>(reader.u64());  // time
  message.transaction = reader.u32();
  return message;
}

Commit commit(ByteReader& reader) {
  Commit message;
  static_cast<void>(reader.u8());  // flags, none defined
  message.commit = reader.u64();
  message.end = reader.u64();
  static_cast<void>(reader.u64());  // time
  return message;
}

Relation relation(ByteReader& reader) {
  Relation message;
  message.id = reader.u32();
  message.schema = reader.text();
  message.name = reader.text();
  static_cast<void>(reader.u8());  // replica identity
  const auto columns = reader.u16();
  for (std::uint16_t i = 0; i < columns; ++i) {
    static_cast<void>(reader.u8());  // part of the key
    message.columns.emplace_back(reader.text());
    static_cast<void>(reader.u32());  // type
    static_cast<void>(reader.u32());  // its modifier
  }
  return message;
}

Insert insert(ByteReader& reader) {
  Insert message;
  message.relation = reader.u32();
  if (reader.u8() != 'N') throw Error(Disposition::retry, "PostgreSQL's replication stream: an insert without a row");
  const auto columns = reader.u16();
  for (std::uint16_t i = 0; i < columns; ++i) {
    switch (reader.u8()) {
      case 'n':
        message.values.emplace_back();
        break;
      case 't':
        message.values.emplace_back(reader.bytes(reader.u32()));
        break;
      default:  // binary was not asked for; an unchanged value makes no sense in a new row
        throw Error(Disposition::retry, "PostgreSQL's replication stream: a value of an unknown form");
    }
  }
  return message;
}

Type type(ByteReader& reader) {
  static_cast<void>(reader.u32());
  static_cast<void>(reader.text());
  static_cast<void>(reader.text());
  return {};
}

Origin origin(ByteReader& reader) {
  static_cast<void>(reader.u64());
  static_cast<void>(reader.text());
  return {};
}

Truncate truncate(ByteReader& reader) {
  const auto relations = reader.u32();
  static_cast<void>(reader.u8());  // options
  for (std::uint32_t i = 0; i < relations; ++i) static_cast<void>(reader.u32());
  return {};
}

Message message_of(char kind, ByteReader& reader) {
  switch (kind) {
    case 'B':
      return begin(reader);
    case 'C':
      return commit(reader);
    case 'R':
      return relation(reader);
    case 'I':
      return insert(reader);
    case 'Y':
      return type(reader);
    case 'O':
      return origin(reader);
    case 'T':
      return truncate(reader);
    default:
      throw Error(Disposition::retry,
                  std::string("PostgreSQL's replication stream: a message of unknown kind '") + kind + "'");
  }
}

}  // namespace

Message parse(std::string_view bytes) {
  ByteReader reader(bytes);
  const char kind = static_cast<char>(reader.u8());
  auto message = message_of(kind, reader);
  reader.expect_end();
  return message;
}

}  // namespace quadrille::postgres::pgoutput
