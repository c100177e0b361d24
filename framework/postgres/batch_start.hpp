#pragma once

#include "core/store.hpp"
#include "postgres/session.hpp"

#include <span>
#include <string_view>

/// The statements with which a batch begins, each in two halves, so that all can be asked together. The facets ask them
/// one by one.
namespace quadrille::postgres {

[[nodiscard]] BatchStart start_batch(Session& session, const BatchStart::Question& question);

[[nodiscard]] Command ask_leases(std::span<const Lease> leases, std::string_view owner);
[[nodiscard]] bool read_leases(const Rows& rows, std::span<const Lease> leases);

[[nodiscard]] Command ask_claims(std::string_view consumer, std::span<const Inbox::Key> keys);
[[nodiscard]] std::vector<bool> read_claims(const Rows& rows, std::span<const Inbox::Key> keys);

[[nodiscard]] Command ask_applied(std::string_view consumer, std::span<const StreamName> streams);
[[nodiscard]] std::map<StreamName, std::uint64_t> read_applied(const Rows& rows);

[[nodiscard]] Command ask_waiting_streams(std::string_view consumer, std::span<const StreamName> streams);
[[nodiscard]] std::set<StreamName> read_waiting_streams(const Rows& rows);

[[nodiscard]] Command ask_histories(std::span<const StreamName> streams);
[[nodiscard]] std::map<StreamName, std::vector<Event>> read_histories(const Rows& rows);

}  // namespace quadrille::postgres
