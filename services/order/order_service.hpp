#pragma once

#include "order/order.hpp"
#include "quadrille/edge.hpp"
#include "shop/order/v1/order.quadrille.hpp"

namespace shop::order {

class OrderService final : public v1::OrderSteps<Order> {
 public:
  v1::PlaceOutcome place(const v1::PlaceOrder& command, const Order& order, quadrille::Step& step) override;
  v1::GiveUpOutcome give_up(const quadrille::v1::Timer& timer, const Order& order, quadrille::Step& step) override;
  v1::RejectOutcome reject(const v1::RejectCause& cause, const Order& order, quadrille::Step& step) override;
  v1::ConfirmOutcome confirm(const inventory::v1::StockDispatched& dispatched, const Order& order,
                             quadrille::Step& step) override;
};

/// POST /orders, GET /orders/{id}
[[nodiscard]] quadrille::Edge storefront();

}  // namespace shop::order
