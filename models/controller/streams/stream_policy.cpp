// SPDX-License-Identifier: Apache-2.0
#include "controller/streams/stream_policy.h"

#include "controller/streams/hot_pages.h"

namespace nandscape::controller {

namespace {

// Separates new data from moved data. Data that had to be moved have already lived longer than most new data will.
class BySource final : public StreamPolicy {
 public:
  using Parameters = NoParameters;
  explicit BySource(const Parameters&) {}

  std::uint8_t streams() const override { return 2; }
  std::uint8_t write_streams() const override { return 1; }
  std::uint8_t stream_of_write(Lpn, Tick) override { return 0; }
  std::uint8_t stream_of_move(Lpn, std::uint8_t) override { return 1; }
};

class Single final : public StreamPolicy {
 public:
  using Parameters = NoParameters;
  explicit Single(const Parameters&) {}

  std::uint8_t streams() const override { return 1; }
  std::uint8_t write_streams() const override { return 1; }
  std::uint8_t stream_of_write(Lpn, Tick) override { return 0; }
  std::uint8_t stream_of_move(Lpn, std::uint8_t) override { return 0; }
};

class HotCold final : public StreamPolicy {
 public:
  struct Parameters {
    std::uint32_t filters = 4;
    std::uint32_t window_writes = 65'536;
    double hot_threshold = 4;
  };

  explicit HotCold(const Parameters& p) : hot_pages_(p.filters, p.window_writes, p.hot_threshold) {}

  std::uint8_t streams() const override { return 2; }
  std::uint8_t write_streams() const override { return 2; }
  std::uint8_t stream_of_write(Lpn lpn, Tick) override { return hot_pages_.write(lpn) ? hot : cold; }
  // Moved pages are treated as cold, because a hot page would have been overwritten before its block was collected.
  std::uint8_t stream_of_move(Lpn, std::uint8_t) override { return cold; }
  void persist(Archive& archive) override { hot_pages_.persist(archive); }

 private:
  static constexpr std::uint8_t hot = 0;
  static constexpr std::uint8_t cold = 1;

  HotPages hot_pages_;
};

void describe(HotCold::Parameters& p, ParameterVisitor& v) {
  v.integer("filters", p.filters, {1, 16}, "", "Bloom filters that remember written pages");
  v.integer("window_writes", p.window_writes, {16, 1 << 24}, "",
            "writes after which the oldest filter is cleared; each takes 16 bits of memory per filter");
  v.real("hot_threshold", p.hot_threshold, {0, 32}, "",
         "sum of the weights of the filters that contain a page from which it is hot; the newest filter weighs 2");
}

}  // namespace

void describe(StreamParameters& p, ParameterVisitor& v) {
  v.variant("policy", p.policy, stream_registry(), "which pages share blocks");
}

// To add a policy, define its class above and register it here.
StreamRegistry& stream_registry() {
  static StreamRegistry registry("controller.streams", [](StreamRegistry& r) {
    r.add<BySource>("by_source", "separates host writes from moved pages");
    r.add<Single>("single", "one stream for all pages");
    r.add<HotCold>("hot_cold", "separates pages that the host writes often from all other and moved pages");
  });
  return registry;
}

}  // namespace nandscape::controller
