#pragma once

#include "core/store.hpp"
#include "memory/tables.hpp"

#include <cstdint>

namespace quadrille::memory {

class MemoryInbox final : public Inbox {
 public:
  explicit MemoryInbox(Tables& tables) : tables_(tables) {}
  [[nodiscard]] std::vector<bool> claim(std::string_view consumer, std::span<const Key> keys) override;
  [[nodiscard]] std::map<StreamName, std::uint64_t> applied(std::string_view consumer,
                                                            std::span<const StreamName> streams) override;
  void set_applied(std::string_view consumer, const std::map<StreamName, std::uint64_t>& versions) override;
  [[nodiscard]] std::set<StreamName> waiting_streams(std::string_view consumer,
                                                     std::span<const StreamName> streams) override;
  void put_waiting(std::string_view consumer, std::span<const WaitingMessage> messages) override;
  [[nodiscard]] std::vector<WaitingMessage> take_due(std::string_view consumer, TimePoint now,
                                                     std::size_t limit) override;
  void remove_waiting(std::string_view consumer, std::span<const std::string> message_ids) override;
  [[nodiscard]] std::vector<WaitingMessage> look(std::string_view consumer, const Filter& filter,
                                                 std::size_t limit) override;
  [[nodiscard]] std::set<std::string> claimed(std::string_view consumer,
                                              std::span<const std::string> message_ids) override;
  [[nodiscard]] std::optional<WaitingMessage> find_waiting(std::string_view consumer,
                                                           std::string_view message_id) override;
  [[nodiscard]] std::optional<std::uint64_t> oldest_waiting(std::string_view consumer,
                                                            const StreamName& stream) override;
  [[nodiscard]] std::map<std::string, std::string> note_durables(
      const std::map<std::string, std::string>& made) override;
  [[nodiscard]] std::vector<Count> count_waiting(std::string_view consumer, std::uint64_t most) override;

 private:
  [[nodiscard]] bool is_head(const std::string& consumer, const WaitingMessage& message) const;
  [[nodiscard]] bool is_next(const std::string& consumer, const WaitingMessage& message) const;

  Tables& tables_;
};

}  // namespace quadrille::memory
