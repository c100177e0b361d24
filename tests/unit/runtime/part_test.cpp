#include "runtime/part.hpp"

#include "payment_bench.hpp"

#include <gtest/gtest.h>

namespace quadrille {
namespace {

/// As if the generated header were of another contract than the linked descriptors.
class Drifted final : public Participant {
 public:
  [[nodiscard]] const google::protobuf::ServiceDescriptor& contract() const override { return payment_.contract(); }
  [[nodiscard]] std::string_view fingerprint() const override { return "0000000000000000"; }
  [[nodiscard]] std::unique_ptr<Aggregate> new_aggregate() const override { return payment_.new_aggregate(); }
  [[nodiscard]] std::unique_ptr<google::protobuf::Message> handle(int index, const google::protobuf::Message& trigger,
                                                                  const Aggregate& aggregate, Step& step) override {
    return payment_.handle(index, trigger, aggregate, step);
  }

 private:
  ScriptedPayment payment_;
};

TEST(Part, RefusesToStartWhenTheStepsWereGeneratedFromAnotherContract) {
  Drifted drifted;
  try {
    const runtime::Part part(drifted);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.disposition(), Disposition::stop);
    EXPECT_NE(
        std::string(error.what())
            .find(
                "contract drift: the steps of shop.payment.v1.PaymentSteps were generated from contract 000000000000"),
        std::string::npos)
        << error.what();
  }
}

TEST(Part, AsksTheBrokerForOneConsumerPerContextAndLane) {
  ScriptedPayment payment;
  const runtime::Part part(payment);
  const auto topology = contract::topology_of(part.declared());
  EXPECT_EQ(part.declared().hears, (std::vector<std::string>{"inventory", "order"}));
  ASSERT_EQ(topology.consumers.size(), 2 * lane_count);
  EXPECT_EQ(topology.consumers[0].name, "payment-inventory-0");
  EXPECT_EQ(topology.consumers[0].filter, "evt.0.inventory.>");
}

}  // namespace
}  // namespace quadrille
