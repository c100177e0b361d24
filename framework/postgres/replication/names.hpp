#pragma once

namespace quadrille::postgres {

/// What the tailing relay reads: the rows put into quadrille.events, whole.
inline constexpr const char* publication_name = "quadrille_outbox";

/// Slots belong to the whole server, so the name of a database's slot has the database's number in it. That keeps it
/// within what a slot may be called, whatever the database is called.
inline constexpr const char* select_slot_name =
    "SELECT 'quadrille_' || oid FROM pg_catalog.pg_database WHERE datname = current_database()";

}  // namespace quadrille::postgres
