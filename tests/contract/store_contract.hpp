#pragma once

#include "core/clock.hpp"
#include "core/store.hpp"
#include "core/uuid.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace quadrille {

/// A store under test with whatever it stands on.
class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;
  virtual Store& store() = 0;
};

using MakeStore = std::unique_ptr<StoreUnderTest> (*)();
struct StoreKind {
  const char* name;
  MakeStore make;
  friend void PrintTo(const StoreKind& kind, std::ostream* out) { *out << kind.name; }
};

/// Every promise of core/store.hpp, on every store.
class StoreContract : public ::testing::TestWithParam<StoreKind> {
 protected:
  [[nodiscard]] Store& store() { return under_test_->store(); }

  /// Runs `work` in a transaction of its own and commits.
  template <class Work>
  void commit(const Work& work) {
    const auto transaction = store().begin();
    work(*transaction);
    transaction->commit();
  }
  /// Runs `work` in a transaction of its own, which is then rolled back.
  template <class Work>
  auto look(const Work& work) {
    const auto transaction = store().begin();
    return work(*transaction);
  }

  static Event event(const StreamName& stream, std::uint64_t version) {
    Event result;
    result.id = new_uuid();
    result.type = "test.Happened";
    result.source = "tester";
    result.subject = "evt.1.test.thing.Happened";
    result.stream = stream;
    result.version = version;
    result.saga_id = "saga";
    result.causation_id = "cause";
    result.hops = 2;
    result.contract = "c0ffee";
    result.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    result.payload = std::string("\0\x01\xff{\"quoted\\\"}", 15);
    return result;
  }

  void append(const std::vector<Event>& events) {
    commit([&](Transaction& transaction) { transaction.events().append(events); });
  }
  std::vector<Event> history(const StreamName& stream) {
    return look([&](Transaction& transaction) { return transaction.events().load(std::span(&stream, 1))[stream]; });
  }

  static inline const StreamName stream_a{"thing", "a-\"quoted\"-{}"};
  static inline const StreamName stream_b{"thing", "b"};
  static inline const TimePoint now =
      std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());

 private:
  std::unique_ptr<StoreUnderTest> under_test_ = GetParam().make();
};

}  // namespace quadrille
