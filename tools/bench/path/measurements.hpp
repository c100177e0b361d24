#pragma once

#include "path/figures.hpp"
#include "path/saga_load.hpp"
#include "path/stand.hpp"

#include <chrono>

/// One measurement a function, one file each; all write into the figures. Those named raw.* are the limits.
namespace quadrille::bench {

/// PostgreSQL alone: 100 steps in a transaction, as four statements, over our tables and over bare ones.
void measure_postgres(Stand& stand, Figures& figures, const Extent& extent);
/// JetStream alone, with nats.c: asynchronous publish, pull with acknowledgements.
void measure_jetstream(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent);
/// The store's append, and inbox claim with step, without a broker.
void measure_store(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent);
/// What a step costs beside 10^3 to 10^6 stored events.
void measure_growth(Stand& stand, Figures& figures, const Extent& extent);
/// From a full outbox to the broker. Figures of the relay that the stand has.
void measure_drain(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent);
/// Whole sagas at the highest rate, with the memory of the participants.
void measure_sagas(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent);
/// Latencies at a tenth of the highest rate that was measured.
void measure_latency(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent);
/// The same sagas with several instances of each participant.
void measure_instances(Stand& stand, SagaLoad& load, Figures& figures, const Extent& extent);
/// The same sagas as they are usually written by hand: a message a transaction, a poll every 200 ms, one publish
/// after the other.
void measure_naive(Stand& stand, Figures& figures, const Extent& extent);
/// Sagas at half the highest rate for that long: dead rows of the outbox and memory, minute by minute.
void soak(Stand& stand, SagaLoad& load, std::chrono::seconds length);

/// `polling` or `tailing`.
[[nodiscard]] inline std::string relay_name(const Stand& stand) { return stand.log_tailing() ? "tailing" : "polling"; }

}  // namespace quadrille::bench
