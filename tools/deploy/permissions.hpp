#pragma once

#include "contract/model.hpp"

#include <string>

namespace quadrille::deploy {

/// A configuration for nats-server in which each participant is a user of its name that may publish what its contract
/// declares, read its own durables and acknowledge on them, answer what it is asked, and nothing else; a user
/// `deployer` that may do everything; `operator`, who may read everything, ask everybody and make them act; and
/// `tracker`, who may read and ask. Passwords are variables (`$PAYMENT_PASSWORD`) that the server takes from its
/// environment. Include it in the server's configuration. The topology has to be there before: services may not create
/// it.
[[nodiscard]] std::string nats_permissions(const contract::Model& model);

/// PAYMENT_PASSWORD
[[nodiscard]] std::string password_variable(const std::string& user);

}  // namespace quadrille::deploy
