// SPDX-License-Identifier: Apache-2.0
// Serves streams fairly, after Tavakkol et al., "FLIN: Enabling Fairness and Enhancing Performance in Modern NVMe Solid
// State Drives", ISCA 2018. The policy has three stages:
//
//   1  Fairness-aware queue insertion: in the queue of a class, streams of low intensity go before streams of high
//      intensity. Among ops of the same intensity, a new op moves ahead as long as its stream is the one that is slowed
//      down most.
//   2  Priority-aware queue arbitration: weighted round robin chooses the class of the next read and of the next write.
//   3  Wait-balancing transaction selection: of a read and a write, the one whose wait would otherwise be longer in
//      proportion to its service time goes first. When free pages run out, a stream's writes wait for a share of the
//      collection that equals the stream's share of the writes since the last erase.
//
// In the paper, collection goes before writes once the number of free pages falls below a threshold. Here, the
// threshold is reached when the host may take no more free blocks of a plane (`collection_urgent`). Above the
// threshold, collection runs only while neither reads nor writes wait.
//
// The service time of each kind of command is the shortest duration seen so far. The epoch, the fairness threshold, the
// class weights and the intensities of the whole device (rounded) are taken from MQSim, the authors' simulator. We
// interpret the intensities as rates per second.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

namespace {

struct FlinParameters {
  double epoch_us = 10000;
  double read_intensity_mb_s = 32;
  double write_intensity_mb_s = 0.25;
  double fairness_threshold = 0.6;
};

void describe(FlinParameters& p, ParameterVisitor& v) {
  v.real("epoch_us", p.epoch_us, {1, 1e9}, "us", "period after which streams are classified as intensive or not");
  v.real("read_intensity_mb_s", p.read_intensity_mb_s, {0.001, 1e6}, "mb_s",
         "read rate of the device, or a die's share of it, from which a stream is intensive");
  v.real("write_intensity_mb_s", p.write_intensity_mb_s, {0.001, 1e6}, "mb_s",
         "write rate of the device, or a die's share of it, from which a stream is intensive");
  v.real("fairness_threshold", p.fairness_threshold, {0, 1}, "",
         "ratio of the least slowdown of a stream to the greatest; below it, queues are reordered");
}

class Flin final : public SchedulingPolicy {
 public:
  using Parameters = FlinParameters;
  Flin(const Parameters& p, std::uint32_t dies)
      : epoch_(ticks_from_us(p.epoch_us)),
        intensive_bytes_{p.read_intensity_mb_s * p.epoch_us / dies, p.write_intensity_mb_s * p.epoch_us / dies},
        fairness_threshold_(p.fairness_threshold) {}

  bool keeps_account() const override { return true; }
  bool separates_classes() const override { return true; }

  void insert(OpQueue& queue, FlashOp& op, Tick now) override {
    const QueueKind kind = op.queue;
    put_in(op);
    if (!of_host(kind)) return queue.push(op);
    insert_fairly(queue, op, kind, now);
  }

  void put_in(const FlashOp& op) override { background_left_ += !of_host(op.queue); }
  void withdrawn(const FlashOp& op) override { background_left_ -= !of_host(op.queue); }

  // Stage 2: sorts the classes by weighted round robin. Classes with turns left in the present round come first.
  void order_classes(QueueKind kind, const ClassHeads& first, ClassOrder& order, Tick) override {
    std::array<std::uint8_t, classes>& turns = turns_[static_cast<std::size_t>(kind)];
    const auto has_turn = [&](std::uint8_t c) { return first[c] != nullptr && turns[c] > 0; };
    if (std::ranges::none_of(by_class, has_turn)) turns = turns_of_a_round;
    auto next = order.begin();
    for (const bool turn : {true, false}) {
      next = std::ranges::copy_if(by_class, next, [&](std::uint8_t c) { return has_turn(c) == turn; }).out;
    }
  }

  // Stage 3: chooses between reads, writes and collection.
  std::optional<QueueKind> choose(const DieCandidates& c, Tick now) const override {
    using enum QueueKind;
    static constexpr std::array<QueueKind, 3> relaxed = {background_read, background_write, erase};
    static constexpr std::array<QueueKind, 3> urgent = {erase, background_write, background_read};
    const auto background = [&]() -> std::optional<QueueKind> {
      for (const QueueKind kind : c.collection_urgent ? urgent : relaxed) {
        if (c[kind] != nullptr) return kind;
      }
      return std::nullopt;
    }();
    const FlashOp* const read = c[host_read];
    if (c.suspended != nullptr) {
      return read != nullptr && may_suspend(*read, *c.suspended, now) ? std::optional(host_read) : std::nullopt;
    }
    // A write without a free page waits for collection, so here it stands for the collection that competes with the
    // reads.
    const FlashOp* const write = c[host_write] != nullptr ? c[host_write] : c.without_place;
    const double owed = write != nullptr && background ? owed_collection(*write, c) : 0;
    const bool write_can_go = c[host_write] != nullptr || owed > 0;
    if (read != nullptr && (!write_can_go || !goes_before(*write, write->arrival, *read, owed, now))) return host_read;
    if (background && (c[host_write] == nullptr || owed > 0)) return background;
    return c[host_write] != nullptr ? std::optional(host_write) : std::nullopt;
  }

  // The wait of the operation under way counts from its start and includes its time in the array, so reads cannot keep
  // it suspended forever. Its wait before the start does not count.
  bool may_suspend(const FlashOp& read, const FlashOp& under_way, Tick now) const override {
    return !goes_before(under_way, under_way.started, read, 0, now);
  }

  void started(const FlashOp& op, const DieCandidates&, Tick) override {
    const QueueKind kind = op.queue;
    if (!of_host(kind)) {
      ++background_since_write_;
      if (kind == QueueKind::erase) forget_writes();
      return;
    }
    std::uint8_t& turns = turns_[static_cast<std::size_t>(kind)][class_of(op)];
    if (turns > 0) --turns;
    if (kind == QueueKind::host_write) {
      ++flow(op.stream).writes;
      ++writes_;
      background_since_write_ = 0;
    }
  }

  void ended(const FlashOp& op, Tick now) override {
    const QueueKind kind = op.queue;
    // Counted at the end, because a copyback that finds no free page is started twice.
    background_left_ -= !of_host(kind);
    Tick& quickest = quickest_[static_cast<std::size_t>(kind)];
    const Tick taken = now - op.started;
    if (quickest == 0 || taken < quickest) quickest = taken;
  }

  void persist(Archive& archive) override {
    archive(epoch_end_);
    archive.list(flows_, std::size_t{1} << 16, "streams", [&](Flow& flow) {
      for (double& bytes : flow.bytes) archive.real(bytes, 0, most_work, "the bytes of a stream");
      archive(flow.intensive);
      archive.counter(flow.writes, "the writes of a stream");
    });
    for (std::array<std::uint8_t, classes>& turns : turns_) {
      for (std::uint8_t& left : turns) archive.number(left, turns_of_a_round.front(), "the turns of a class");
    }
    archive(quickest_);
    archive.counter(writes_, "the writes of a die");
    archive.number(background_left_, 0, "the work of collection that waits");
    archive.counter(background_since_write_, "the work of collection since a write");
  }

 private:
  static constexpr std::size_t classes = priority_classes;
  static constexpr std::array<std::uint8_t, classes> turns_of_a_round = {8, 4, 2, 1};
  static constexpr double most_work = 1e18;  // largest value accepted from an archive
  static constexpr std::uint64_t intensive_rank = std::uint64_t{1} << 63;

  struct Flow {
    std::array<double, 2> bytes{};  // read and written in this epoch
    std::array<bool, 2> intensive{};
    std::uint64_t writes = 0;
    double slowdown = 0;  // sum over the `counted` ops; used only by insert_fairly()
    int counted = 0;
    int ahead = 0;
  };

  static bool of_host(QueueKind kind) { return kind == QueueKind::host_read || kind == QueueKind::host_write; }
  static std::size_t class_of(const FlashOp& t) { return static_cast<std::size_t>(t.priority); }
  static bool intensive(const FlashOp& t) { return (t.rank & intensive_rank) != 0; }

  Flow& flow(std::uint16_t stream) {
    if (stream >= flows_.size()) flows_.resize(stream + std::size_t{1});
    return flows_[stream];
  }

  // Stage 1: inserts a host op into its queue.
  void insert_fairly(OpQueue& queue, FlashOp& newcomer, QueueKind kind, Tick now) {
    if (classify(newcomer, kind, now)) newcomer.rank |= intensive_rank;
    // `like_` holds the queued ops with the same intensity as the newcomer. The newcomer starts behind them and may
    // then move ahead of them, but never ahead of ops of lower intensity.
    like_.clear();
    FlashOp* behind = nullptr;
    std::size_t ahead = 0;  // number of ops that are served before all ops of like_
    for (FlashOp* t = queue.front(); t != nullptr; t = t->next) {
      if (intensive(*t) == intensive(newcomer)) {
        like_.push_back(t);
      } else if (intensive(newcomer)) {
        behind = t;
        ++ahead;
      }
    }
    like_.push_back(&newcomer);
    std::size_t place = like_.size() - 1;
    const Tick service = quickest_[static_cast<std::size_t>(kind)];
    while (service != 0 && place > 0 && like_[place - 1]->stream != newcomer.stream &&
           slowed_most_unfairly(newcomer.stream, ahead, service, now)) {
      std::swap(like_[place - 1], like_[place]);
      --place;
    }
    queue.insert_after(place == 0 ? behind : like_[place - 1], newcomer);
  }

  // Adds the op's bytes to those of its stream in this epoch. Returns whether the stream is intensive.
  bool classify(const FlashOp& t, QueueKind kind, Tick now) {
    const std::size_t k = kind == QueueKind::host_read ? 0 : 1;
    if (now >= epoch_end_) {
      for (Flow& f : flows_) {
        for (std::size_t way = 0; way < 2; ++way) f.intensive[way] = f.bytes[way] >= intensive_bytes_[way];
        f.bytes = {};
      }
      epoch_end_ = now + epoch_;
    }
    Flow& f = flow(t.stream);
    f.bytes[k] += t.command.bytes;
    f.intensive[k] = f.intensive[k] || f.bytes[k] >= intensive_bytes_[k];
    return f.intensive[k];
  }

  // Returns whether the slowdowns of the streams are unfair if the queue has the order of like_, and `stream` is slowed
  // down most. The slowdown of a stream is the time that its ops spend in the device, including waits, divided by the
  // time that they would need if no other stream used the device.
  bool slowed_most_unfairly(std::uint16_t stream, std::size_t ahead, Tick service, Tick now) {
    for (const FlashOp* t : like_) {
      Flow& f = flow(t->stream);
      f.slowdown = 0;
      f.counted = f.ahead = 0;
    }
    double position = static_cast<double>(ahead);
    for (const FlashOp* t : like_) {
      Flow& f = flow(t->stream);
      const double shared = static_cast<double>(now - t->arrival) / static_cast<double>(service) + ++position;
      f.slowdown += shared / ++f.ahead;
      ++f.counted;
    }
    double least = HUGE_VAL;
    double most = 0;
    for (const FlashOp* t : like_) {
      const Flow& f = flow(t->stream);
      least = std::min(least, f.slowdown / f.counted);
      most = std::max(most, f.slowdown / f.counted);
    }
    const Flow& own = flow(stream);
    return least / most < fairness_threshold_ && own.slowdown / own.counted == most;
  }

  double service_time(QueueKind kind) const {
    return static_cast<double>(std::max<Tick>(quickest_[static_cast<std::size_t>(kind)], 1));
  }

  // Returns whether the other op should go before the read. The other op has waited since `since`. For each of the two,
  // computes the wait that would result if the other one and `owed` collection ops went first, divided by its service
  // time. The op with the longer relative wait goes first.
  bool goes_before(const FlashOp& other, Tick since, const FlashOp& read, double owed, Tick now) const {
    using enum QueueKind;
    const double collection = owed * (service_time(background_read) + service_time(background_write)) / 2;
    const auto waited_read = static_cast<double>(now - read.arrival);
    const auto waited_other = static_cast<double>(now - since);
    const double of_read = (waited_read + service_time(other.queue) + collection) / service_time(host_read);
    const double of_other = (waited_other + service_time(host_read) + collection) / service_time(other.queue);
    return of_other > of_read;
  }

  // Returns the number of waiting collection ops that must go before the write. A stream's writes wait for a share of
  // the collection that equals the stream's share of the writes since the last erase. A write without a free page waits
  // for all waiting collection.
  double owed_collection(const FlashOp& write, const DieCandidates& c) const {
    const auto left = static_cast<double>(background_left_);
    if (c[QueueKind::host_write] == nullptr) return left;
    if (!c.collection_urgent || write.stream >= flows_.size() || writes_ == 0) return 0;
    const double share = static_cast<double>(flows_[write.stream].writes) / static_cast<double>(writes_);
    const auto since_write = static_cast<double>(background_since_write_);
    return std::max(share * (since_write + left) - since_write, 0.0);
  }

  void forget_writes() {
    writes_ = 0;
    for (Flow& flow : flows_) flow.writes = 0;
  }

  const Tick epoch_;
  const std::array<double, 2> intensive_bytes_;  // per epoch and die: read, written
  const double fairness_threshold_;
  Tick epoch_end_ = 0;
  std::vector<Flow> flows_;  // by stream
  std::vector<FlashOp*> like_;
  std::array<std::array<std::uint8_t, classes>, queue_kinds> turns_{};
  std::array<Tick, queue_kinds> quickest_{};  // by kind; 0 if no op of the kind has ended
  std::uint64_t writes_ = 0;
  std::uint64_t background_left_ = 0;  // waiting or under way
  std::uint64_t background_since_write_ = 0;
};

}  // namespace

void register_flin(SchedulingRegistry& registry) {
  registry.add<Flin>("flin", "fairness between streams, after FLIN (ISCA 2018)");
}

}  // namespace nandscape::controller
