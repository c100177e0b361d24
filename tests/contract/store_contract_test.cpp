// The stores that the contract suite runs on.
#include "store_contract.hpp"

#include "memory/memory_store.hpp"
#include "postgres/postgres_store.hpp"
#include "support/temporary_database.hpp"

namespace quadrille {
namespace {

class InMemory final : public StoreUnderTest {
 public:
  Store& store() override { return store_; }

 private:
  SystemClock clock_;
  memory::MemoryStore store_{clock_};
};

class OnPostgres final : public StoreUnderTest {
 public:
  Store& store() override { return *store_; }

 private:
  support::TemporaryDatabase database_;
  // As the role of least privilege: what a service may not do, the suite must not need.
  std::unique_ptr<Store> store_ = postgres::connect({.url = database_.service_url(), .application_name = "contract"});
};

template <class Kind>
std::unique_ptr<StoreUnderTest> make() {
  return std::make_unique<Kind>();
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract,
                         ::testing::Values(StoreKind{"memory", make<InMemory>},
                                           StoreKind{"postgres", make<OnPostgres>}),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace quadrille
