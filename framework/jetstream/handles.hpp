#pragma once

#include <nats/nats.h>

#include <memory>

/// Private to this folder. Nothing else owns a pointer of nats.c.
namespace quadrille::jetstream {

template <class Handle, void (*destroy)(Handle*)>
struct Destroy {
  void operator()(Handle* handle) const { destroy(handle); }
};

using Options = std::unique_ptr<natsOptions, Destroy<natsOptions, natsOptions_Destroy>>;
using ConnectionHandle = std::unique_ptr<natsConnection, Destroy<natsConnection, natsConnection_Destroy>>;
using Subscription = std::unique_ptr<natsSubscription, Destroy<natsSubscription, natsSubscription_Destroy>>;
using Msg = std::unique_ptr<natsMsg, Destroy<natsMsg, natsMsg_Destroy>>;
using JetStreamContext = std::unique_ptr<jsCtx, Destroy<jsCtx, jsCtx_Destroy>>;

}  // namespace quadrille::jetstream
