// SPDX-License-Identifier: Apache-2.0
#include "controller/streams/stream_policy.h"

#include <optional>

#include "controller/streams/update_counts.h"

namespace nandscape::controller {

namespace {

// Separates new data from moved data. Data that had to be moved have already lived longer than most new data will.
class BySource final : public StreamPolicy {
 public:
  using Parameters = NoParameters;
  explicit BySource(const Parameters&) {}

  std::uint8_t streams() const override { return 2; }
  std::uint8_t write_streams() const override { return 1; }
  std::uint8_t move_streams() const override { return 1; }
  std::uint8_t stream_of_write(Lpn, Tick) override { return 0; }
  std::uint8_t stream_of_move(Lpn) const override { return 1; }
};

class Single final : public StreamPolicy {
 public:
  using Parameters = NoParameters;
  explicit Single(const Parameters&) {}

  std::uint8_t streams() const override { return 1; }
  std::uint8_t write_streams() const override { return 1; }
  std::uint8_t move_streams() const override { return 1; }
  std::uint8_t stream_of_write(Lpn, Tick) override { return 0; }
  std::uint8_t stream_of_move(Lpn) const override { return 0; }
};

// A policy with hot streams, the hottest first, and one cold stream, the last one. Units keep their stream when they
// are moved, unless they have cooled down: with little spare flash, most units of a hot block are still valid when the
// block is collected, and would spoil the cold blocks.
class ByTemperature : public StreamPolicy {
 public:
  std::uint8_t streams() const final { return static_cast<std::uint8_t>(cold_ + 1); }
  std::uint8_t write_streams() const final { return streams(); }
  std::uint8_t move_streams() const final { return streams(); }
  void begin(std::uint64_t, std::uint64_t known_hot) override { known_hot_ = known_hot; }
  std::uint8_t stream_of_write(Lpn lpn, Tick) final {
    const std::uint8_t stream = stream_of_written(lpn);
    ++side(stream).written_units;
    if (known_hot(lpn)) {
      ++counters_.known_hot_units;
      counters_.found_hot_units += stream != cold_;
    }
    return stream;
  }
  void collected(std::uint8_t stream, std::uint32_t units, std::uint32_t valid) final {
    StreamCounters::Side& of = side(stream);
    ++of.victims;
    of.victim_units += units;
    of.valid_units += valid;
  }
  StreamCounters counters() const final { return counters_; }
  void persist_counters(Archive& archive) final { archive(counters_); }

 protected:
  explicit ByTemperature(std::uint8_t hot_streams) : cold_(hot_streams) {}
  virtual std::uint8_t stream_of_written(Lpn lpn) = 0;
  std::uint8_t cold() const { return cold_; }
  bool known_hot(Lpn lpn) const { return lpn.value < known_hot_; }

 private:
  StreamCounters::Side& side(std::uint8_t stream) { return stream == cold_ ? counters_.cold : counters_.hot; }

  const std::uint8_t cold_;
  std::uint64_t known_hot_ = 0;
  StreamCounters counters_;
};

// Takes a unit for hot if its counter has reached the threshold. Each further hot stream has twice the threshold of the
// one before it.
class HotCold final : public ByTemperature {
 public:
  struct Parameters {
    std::uint32_t hot_streams = 1;
    std::uint32_t hot_threshold = 3;
  };

  explicit HotCold(const Parameters& p)
      : ByTemperature(static_cast<std::uint8_t>(p.hot_streams)), threshold_(p.hot_threshold) {}

  void begin(std::uint64_t units, std::uint64_t known_hot) override {
    ByTemperature::begin(units, known_hot);
    counts_.emplace(units);
  }
  std::uint8_t stream_of_move(Lpn lpn) const override { return stream_of(counts_->of(lpn)); }
  void persist(Archive& archive) override { counts_->persist(archive); }

 private:
  std::uint8_t stream_of_written(Lpn lpn) override { return stream_of(counts_->write(lpn)); }
  std::uint8_t stream_of(std::uint32_t count) const {
    std::uint8_t stream = cold();
    for (std::uint32_t threshold = threshold_; stream != 0 && count >= threshold; threshold *= 2) --stream;
    return stream;
  }

  const std::uint32_t threshold_;
  std::optional<UpdateCounts> counts_;  // empty until begin()
};

void describe(HotCold::Parameters& p, ParameterVisitor& v) {
  v.integer("hot_streams", p.hot_streams, {1, 3}, "",
            "streams of hot data; each holds data that are written about twice as often as those of the next");
  v.integer("hot_threshold", p.hot_threshold, {1, UpdateCounts::most}, "",
            "counted writes of a unit from which it is hot; a unit that is written once per drive write seldom has 3");
}

// Knows the hot data: the upper bound of what any detection of hot data can reach.
class ByAddress final : public ByTemperature {
 public:
  using Parameters = NoParameters;
  explicit ByAddress(const Parameters&) : ByTemperature(1) {}

  std::uint8_t stream_of_move(Lpn lpn) const override { return known_hot(lpn) ? 0 : cold(); }

 private:
  std::uint8_t stream_of_written(Lpn lpn) override { return stream_of_move(lpn); }
};

}  // namespace

void describe(StreamParameters& p, ParameterVisitor& v) {
  v.variant("policy", p.policy, stream_registry(), "which pages share blocks");
  v.unread_if(p.policy.name == "by_source" || p.policy.name == "single", {"known_hot_percent"},
              "policy is " + p.policy.name);
  v.real("known_hot_percent", p.known_hot_percent, {0, 100}, "percent",
         "part of the exported capacity, from its first address, that is known to be hot: by_address separates it, and "
         "hot_cold compares its findings with it");
}

void describe(const StreamCounters& c, StatisticsVisitor& v) {
  v.count("hot_written_units", c.hot.written_units, "mapping units that the host wrote to hot streams");
  v.count("cold_written_units", c.cold.written_units, "mapping units that the host wrote to the cold stream");
  v.count("hot_victims", c.hot.victims, "blocks of hot streams that were collected for space");
  v.count("cold_victims", c.cold.victims, "blocks of the cold stream that were collected for space");
  v.count("known_hot_units", c.known_hot_units,
          "mapping units that the host wrote to addresses known to be hot (controller.streams.known_hot_percent)");
  const auto real = [](std::uint64_t number) { return static_cast<double>(number); };
  v.sampled_ratio("hot_valid_share", real(c.hot.valid_units), real(c.hot.victim_units), c.hot.victims, "",
                  "valid units of collected hot blocks over all their units; unknown below ten `hot_victims`");
  v.sampled_ratio("cold_valid_share", real(c.cold.valid_units), real(c.cold.victim_units), c.cold.victims, "",
                  "valid units of collected cold blocks over all their units; unknown below ten `cold_victims`");
  v.sampled_ratio("precision", real(c.found_hot_units), real(c.hot.written_units), c.hot.written_units, "",
                  "written units known to be hot over those taken for hot");
  v.sampled_ratio("recall", real(c.found_hot_units), real(c.known_hot_units), c.known_hot_units, "",
                  "written units known to be hot and taken for hot, over all that are known to be hot");
}

// To add a policy, define its class above and register it here.
StreamRegistry& stream_registry() {
  static StreamRegistry registry("controller.streams", [](StreamRegistry& r) {
    r.add<BySource>("by_source", "separates host writes from moved pages");
    r.add<Single>("single", "one stream for all pages");
    r.add<HotCold>(
        "hot_cold",
        "separates units that the host writes often from all others; gains most if victims are chosen by cost_benefit");
    r.add<ByAddress>("by_address", "separates the first part of the addresses, which is known to be hot");
  });
  return registry;
}

}  // namespace nandscape::controller
