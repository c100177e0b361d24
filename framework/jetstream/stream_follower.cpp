#include "jetstream/stream_follower.hpp"

#include "jetstream/ack_subject.hpp"
#include "jetstream/connection.hpp"
#include "jetstream/translate.hpp"
#include "jetstream/wire.hpp"

#include <nlohmann/json.hpp>

namespace quadrille::jetstream {
namespace {

constexpr std::chrono::milliseconds patience{5'000};

}  // namespace

struct StreamFollower::Parts {
  Parts(const JetStreamSettings& settings, std::string stream_name, std::string subject_filter)
      : stream(std::move(stream_name)), filter(std::move(subject_filter)), connection(settings, "read", false) {
    jsCtx* raw = nullptr;
    check(natsConnection_JetStream(&raw, connection.get(), nullptr), "use JetStream");
    context = JetStreamContext(raw);
  }

  void subscribe() {
    subscription.reset();
    generation = connection.generation();
    jsSubOptions options;
    check(jsSubOptions_Init(&options), "make options");
    options.Stream = stream.c_str();
    options.Ordered = true;
    options.Config.DeliverPolicy = js_DeliverByStartSequence;
    options.Config.OptStartSeq = next;
    natsSubscription* raw = nullptr;
    check(js_SubscribeSync(&raw, context.get(), filter.c_str(), nullptr, &options, nullptr), "read stream " + stream);
    subscription = Subscription(raw);
    // Bounded by the server's flow control, not by dropping what does not fit.
    check(natsSubscription_SetPendingLimits(subscription.get(), -1, -1), "read without limits");
  }

  /// Nothing where the server does not answer; Error(stop) where it says no.
  [[nodiscard]] std::optional<nlohmann::json> stream_info(const std::string& question) const {
    nlohmann::json answer;
    try {
      answer = nlohmann::json::parse(connection.request("$JS.API.STREAM.INFO." + stream, question, patience));
    } catch (const Error&) {
      return std::nullopt;
    }
    if (answer.contains("error"))
      throw Error(Disposition::stop, "stream " + stream + ": " + answer["error"].value("description", "unknown error"));
    return answer;
  }

  const std::string stream;
  const std::string filter;
  // Ends after its connection, and so does not ask the server to delete its consumer, which who may only read may not,
  // and would wait for in vain: a consumer without a name vanishes by itself.
  Subscription subscription;
  Connection connection;
  JetStreamContext context;
  std::uint64_t next = 1;
  std::uint64_t generation = 0;
  bool drained = false;
  std::uint64_t left_out = 0;
};

StreamFollower::StreamFollower(const JetStreamSettings& settings, std::string stream, std::string filter)
    : parts_(std::make_unique<Parts>(settings, std::move(stream), std::move(filter))) {}

StreamFollower::~StreamFollower() = default;

std::optional<StreamFollower::State> StreamFollower::look() const {
  const auto info = parts_->stream_info("");
  if (!info) return std::nullopt;
  const auto& state = (*info)["state"];
  return State{info->value("created", ""), state.value("first_seq", std::uint64_t{0}),
               state.value("last_seq", std::uint64_t{0})};
}

std::optional<std::uint64_t> StreamFollower::count_matching() const {
  const auto info = parts_->stream_info(nlohmann::json{{"subjects_filter", parts_->filter}}.dump());
  if (!info) return std::nullopt;
  std::uint64_t count = 0;
  const auto& state = (*info)["state"];
  if (state.contains("subjects"))
    for (const auto& [subject, messages] : state["subjects"].items()) count += messages.get<std::uint64_t>();
  return count;
}

void StreamFollower::start_at(std::uint64_t sequence) {
  parts_->next = std::max<std::uint64_t>(sequence, 1);
  parts_->drained = false;
  parts_->subscribe();
}

/// Hands over up to `most` messages with their places.
template <class Hand>
void StreamFollower::each(std::size_t most, std::chrono::milliseconds longest, const Hand& hand) {
  std::size_t taken = 0;
  auto& parts = *parts_;
  if (parts.generation != parts.connection.generation()) {
    try {
      parts.subscribe();
    } catch (const Error&) {
      parts.generation = ~parts.connection.generation();  // not yet: again next time
      return;
    }
  }
  while (taken < most) {
    natsMsg* raw = nullptr;
    const auto status = natsSubscription_NextMsg(&raw, parts.subscription.get(), taken == 0 ? longest.count() : 1);
    if (status == NATS_TIMEOUT || status == NATS_CONNECTION_DISCONNECTED) break;
    if (status != NATS_OK) {  // the subscription has ended: the server has lost what was behind it
      parts.generation = ~parts.connection.generation();
      break;
    }
    const Msg message(raw);
    const auto place = parse_ack_subject(natsMsg_GetReply(raw));
    if (!place || place->sequence < parts.next) continue;
    parts.next = place->sequence + 1;
    parts.drained = place->pending == 0;
    hand(raw, *place);
    ++taken;
  }
}

std::vector<Delivery> StreamFollower::receive(std::size_t most, std::chrono::milliseconds longest) {
  std::vector<Delivery> received;
  each(most, longest, [&](natsMsg* message, const AckSubject& place) {
    received.push_back({from_nats(message), {}, place.sequence, place.deliveries, {}});
  });
  return received;
}

std::optional<std::uint64_t> StreamFollower::read(
    std::size_t most, std::chrono::milliseconds longest,
    const std::function<void(std::uint64_t sequence, const Event& event)>& take) {
  std::optional<std::uint64_t> last;
  Event event;
  each(most, longest, [&](natsMsg* message, const AckSubject& place) {
    last = place.sequence;
    try {
      event_from_nats(message, event);
    } catch (const Error&) {
      ++parts_->left_out;  // its consumers have parked it
      return;
    }
    take(place.sequence, event);
  });
  return last;
}

std::uint64_t StreamFollower::left_out() const { return parts_->left_out; }

bool StreamFollower::drained() const { return parts_->drained; }

}  // namespace quadrille::jetstream
