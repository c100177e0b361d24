#include "runtime/gate.hpp"

#include <cstdint>
#include <utility>

namespace quadrille::runtime {

Gate::Gate(Inbox& inbox, std::string consumer, std::map<StreamName, std::uint64_t> applied,
           std::set<StreamName> waiting)
    : inbox_(inbox), consumer_(std::move(consumer)), applied_(std::move(applied)), waiting_(std::move(waiting)) {}

Gate::Gate(Inbox& inbox, std::string consumer, std::span<const StreamName> streams)
    : Gate(inbox, consumer, inbox.applied(consumer, streams), inbox.waiting_streams(consumer, streams)) {}

Gate::Verdict Gate::judge(const StreamName& stream, std::uint64_t version) const {
  const auto applied = applied_.find(stream);
  const std::uint64_t newest = applied == applied_.end() ? 0 : applied->second;
  if (version <= newest) return Verdict::old;
  if (waiting_.contains(stream)) return Verdict::behind;
  return version == newest + 1 ? Verdict::next : Verdict::gap;
}

void Gate::pass(const StreamName& stream, std::uint64_t version) {
  applied_[stream] = version;
  moved_[stream] = version;
}

void Gate::store() {
  if (!moved_.empty()) inbox_.set_applied(consumer_, moved_);
  moved_.clear();
}

}  // namespace quadrille::runtime
