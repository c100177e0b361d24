#include "jetstream/wire.hpp"

#include "core/envelope.hpp"
#include "jetstream/translate.hpp"

#include <cstdlib>

namespace quadrille::jetstream {

Message from_nats(natsMsg* message) {
  Message copy{natsMsg_GetSubject(message), {}, {}};
  if (natsMsg_GetDataLength(message) > 0)
    copy.payload.assign(natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message)));
  const char** names = nullptr;
  int count = 0;
  if (natsMsgHeader_Keys(message, &names, &count) != NATS_OK) return copy;  // no headers, or none that can be read
  for (int i = 0; i < count; ++i) {
    const char* value = nullptr;
    if (natsMsgHeader_Get(message, names[i], &value) == NATS_OK && value != nullptr) copy.headers[names[i]] = value;
  }
  std::free(names);  // NOLINT: the array is ours, allocated by C
  return copy;
}

void event_from_nats(natsMsg* message, Event& event) {
  const std::string_view payload(natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message)));
  read_event(
      natsMsg_GetSubject(message), payload,
      [&](const std::string& name) -> std::optional<std::string_view> {
        const char* value = nullptr;
        if (natsMsgHeader_Get(message, name.c_str(), &value) != NATS_OK || value == nullptr) return std::nullopt;
        return value;
      },
      event);
}

Msg to_nats(const Message& message) {
  natsMsg* raw = nullptr;
  check(natsMsg_Create(&raw, message.subject.c_str(), nullptr, message.payload.data(),
                       static_cast<int>(message.payload.size())),
        "make a message");
  Msg result(raw);
  for (const auto& [name, value] : message.headers)
    check(natsMsgHeader_Set(raw, name.c_str(), value.c_str()), "set header " + name);
  return result;
}

}  // namespace quadrille::jetstream
