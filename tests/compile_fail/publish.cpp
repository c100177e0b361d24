// There is no publish function to call past the outcome.
#include "quadrille/quadrille.hpp"
#include "shop/payment/v1/payment_events.pb.h"

void shout(quadrille::Step& step) { step.publish(shop::payment::v1::PaymentVoided()); }
