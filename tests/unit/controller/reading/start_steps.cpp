// SPDX-License-Identifier: Apache-2.0
// Tests the start step predictors alone, with pages whose place and age the test gives.
#include "controller/reading/start_step.h"

#include "catch.h"
#include "fakes/mapping_fixture.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t blocks = 6;
constexpr std::uint32_t layers = 4;
constexpr std::uint32_t last_step = 20;

struct Page final : PageUnderRecovery {
  explicit Page(BlockAge of_age) : aged(of_age) {}
  PagePlace place() const override { return {}; }
  BlockAge age() const override { return aged; }

  const BlockAge aged;
};

// A predictor, and pages of a block, a layer and an age.
struct Bench {
  explicit Bench(const std::string& name, std::uint32_t last = last_step)
      : predictor(start_step_registry().make({name, nullptr}, {blocks, layers, last})) {}

  unsigned start(std::uint32_t block, std::uint32_t layer, const BlockAge& age = {}) const {
    return predictor->start({Superblock(block), layer}, Page(age));
  }
  void succeeded(std::uint32_t block, std::uint32_t layer, std::uint8_t step, const BlockAge& age = {}) const {
    predictor->succeeded({Superblock(block), layer}, step, Page(age));
  }

  const std::unique_ptr<StartStepPredictor> predictor;
};

TEST_CASE("before anything is read, each predictor starts at the default levels") {
  for (const Choice& variant : start_step_registry().variants()) {
    CAPTURE(variant.name);
    CHECK(Bench(std::string(variant.name)).start(3, 2) == 0);
  }
}

TEST_CASE("last_of_block knows one step for all layers of a block, until its erase") {
  const Bench bench("last_of_block");
  bench.succeeded(1, 0, 5);
  bench.succeeded(1, 3, 7);
  bench.succeeded(2, 3, 9);
  CHECK(bench.start(1, 0) == 7);
  CHECK(bench.start(2, 0) == 9);
  CHECK(bench.start(3, 0) == 0);
  bench.predictor->erased(Superblock(1));
  CHECK(bench.start(1, 0) == 0);
  CHECK(bench.start(2, 0) == 9);
}

TEST_CASE("last_of_block_and_layer knows each layer of a block, and else takes the nearest, the lower of two") {
  const Bench bench("last_of_block_and_layer");
  bench.succeeded(1, 0, 5);
  bench.succeeded(1, 2, 7);
  CHECK(bench.start(1, 0) == 5);
  CHECK(bench.start(1, 1) == 5);
  CHECK(bench.start(1, 2) == 7);
  CHECK(bench.start(1, 3) == 7);
  CHECK(bench.start(2, 0) == 0);
  bench.predictor->erased(Superblock(1));
  CHECK(bench.start(1, 2) == 0);
}

TEST_CASE(
    "last_of_layer learns from all blocks of an age class, and else takes the nearest class, the younger of two") {
  const Bench bench("last_of_layer");
  const auto aged = [](double hours, std::uint32_t cycles) {
    return BlockAge{.age_hours = hours, .pe_cycles = cycles};
  };
  bench.succeeded(0, 1, 4, aged(100, 1000));
  CHECK(bench.start(5, 1, aged(100, 1000)) == 4);
  CHECK(bench.start(5, 3, aged(127, 1000)) == 4);
  bench.succeeded(0, 1, 8, aged(400, 1000));
  CHECK(bench.start(5, 1, aged(400, 1000)) == 8);
  CHECK(bench.start(5, 1, aged(100, 1000)) == 4);
  CHECK(bench.start(5, 1, aged(200, 1000)) == 4);  // one class from both
  CHECK(bench.start(5, 1, aged(9000, 1000)) == 8);
  bench.predictor->erased(Superblock(0));
  CHECK(bench.start(5, 1, aged(400, 1000)) == 8);
}

TEST_CASE("age classes are limited by powers of two") {
  const auto of = [](double hours, std::uint32_t cycles) {
    return age_class({.age_hours = hours, .pe_cycles = cycles});
  };
  CHECK(of(0, 0) == AgeClass{0, 0});
  CHECK(of(-1e-9, 0) == AgeClass{0, 0});  // a block that is being written, with rounded hours
  CHECK(of(0.99, 1) == AgeClass{0, 1});
  CHECK(of(1, 2) == AgeClass{1, 2});
  CHECK(of(3.5, 3) == AgeClass{2, 2});
  CHECK(of(8760, 2000) == AgeClass{14, 11});
  CHECK(of(1e12, 0xffffffff) == AgeClass{most_age_class, most_age_class});
}

TEST_CASE("what a predictor has learnt is saved and restored, and unknown steps are refused") {
  for (const Choice& variant : start_step_registry().variants()) {
    CAPTURE(variant.name);
    const Bench bench{std::string(variant.name)};
    const BlockAge old{.age_hours = 5000, .pe_cycles = 9};
    bench.succeeded(1, 0, 5);
    bench.succeeded(2, 3, 7);
    bench.succeeded(4, 2, 11, old);
    Archive saved;
    bench.predictor->persist(saved);
    saved.finish();
    const std::vector<std::byte> bytes = saved.take();
    const Bench restored{std::string(variant.name)};
    restored.succeeded(3, 1, 13, {.age_hours = 64});  // is replaced
    Archive archive(bytes);
    restored.predictor->persist(archive);
    archive.finish();
    for (std::uint32_t block = 0; block < blocks; ++block) {
      for (std::uint32_t layer = 0; layer < layers; ++layer) {
        CHECK(restored.start(block, layer) == bench.start(block, layer));
        CHECK(restored.start(block, layer, old) == bench.start(block, layer, old));
      }
    }
    if (!start_step_registry().traits({std::string(variant.name), nullptr}).predicts) continue;
    const Bench smaller(std::string(variant.name), 10);
    Archive again(bytes);
    CHECK_THROWS_WITH(smaller.predictor->persist(again), ContainsSubstring("not in the table of the die"));
  }
}

}  // namespace
}  // namespace nandscape::controller
