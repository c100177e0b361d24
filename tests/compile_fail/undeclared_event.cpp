// A step that says what its contract does not declare.
#include "shop/payment/v1/payment.pb.h"

void say(shop::payment::v1::AuthorizeOutcome& outcome) { outcome.mutable_voided(); }
