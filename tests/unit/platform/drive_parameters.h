// SPDX-License-Identifier: Apache-2.0
// A separate schema for tests that contains every kind of parameter. Error messages in these tests then do not change
// when the real schema is extended.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "core/registry.h"

namespace nandscape {

// A policy family with two variants.
class Policy {
 public:
  virtual ~Policy() = default;
};

class Greedy final : public Policy {
 public:
  struct Parameters {};
  explicit Greedy(const Parameters&) {}
};
inline void describe(Greedy::Parameters&, ParameterVisitor&) {}

class RandomizedGreedy final : public Policy {
 public:
  struct Parameters {
    std::uint32_t candidates = 8;
  };
  explicit RandomizedGreedy(const Parameters& p) : candidates(p.candidates) {}
  std::uint32_t candidates;
};
inline void describe(RandomizedGreedy::Parameters& p, ParameterVisitor& v) {
  v.integer("candidates", p.candidates, {1, 64}, "", "blocks drawn for a comparison");
}

using PolicyRegistry = Registry<Policy>;

inline const PolicyRegistry& policies() {
  static const PolicyRegistry registry = [] {
    PolicyRegistry r("victim policy");
    r.add<Greedy>("greedy", "the best block");
    r.add<RandomizedGreedy>("randomized_greedy", "the best of a few blocks");
    return r;
  }();
  return registry;
}

struct ArrayTiming {
  double t_prog_us = 700;
  double t_bers_us = 5000;
  std::vector<double> t_read_us = {50, 100, 150};
};
inline void describe(ArrayTiming& p, ParameterVisitor& v) {
  v.real("t_prog_us", p.t_prog_us, {0, 100'000}, "us", "programming a page");
  v.real("t_bers_us", p.t_bers_us, {0, 100'000}, "us", "erasing a block");
  v.reals("t_read_us", p.t_read_us, {0, 1000}, "us", "sensing a page, by its type");
}

struct Stream {
  std::string name = "reads";
  std::uint32_t depth = 1;
  std::vector<std::string> words = {"r", "read"};
};
inline void describe(Stream& p, ParameterVisitor& v) {
  v.text("name", p.name, "name of the stream");
  v.integer("depth", p.depth, {1, 1024}, "", "requests under way");
  v.texts("words", p.words, "words that mean a read");
}

enum class Data { none, stored };

struct Flash {
  ArrayTiming timing;
  std::uint32_t page_bytes = 16'384;
  double spare = 0.07;
};
inline void describe(Flash& p, ParameterVisitor& v) {
  v.group("timing", p.timing, "timing of the array");
  v.integer("page_bytes", p.page_bytes, {512, 262'144}, "bytes", "data of a page");
  v.real("spare", p.spare, {0, 0.5}, "", "share of reserved capacity");
}

struct Collector {
  VariantChoice policy{"greedy", nullptr};
  bool enabled = true;
};
inline void describe(Collector& p, ParameterVisitor& v) {
  v.variant("policy", p.policy, policies(), "choice of the block to reclaim");
  v.boolean("enabled", p.enabled, "collect garbage");
}

struct SampleDrive {
  std::uint64_t seed = 1;
  Data data = Data::none;
  Flash nand;
  Collector collector;
  std::vector<Stream> streams = std::vector<Stream>(1);
};
inline void describe(SampleDrive& p, ParameterVisitor& v) {
  v.integer("seed", p.seed, {}, "", "start of every random stream");
  v.choice("data", p.data, {{"none", "times only"}, {"stored", "bytes too"}}, "storage of written bytes");
  v.group("nand", p.nand, "the flash");
  v.group("collector", p.collector, "garbage collection");
  v.groups("streams", p.streams, "request streams of the host");
}

}  // namespace nandscape
