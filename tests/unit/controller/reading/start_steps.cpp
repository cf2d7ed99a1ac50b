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
  Page(std::uint32_t block, std::uint32_t of_layer, BlockAge of_age = {})
      : at{Superblock(block), of_layer}, aged(of_age) {}
  PagePlace place() const override { return {.superblock = at.block.value, .layer = at.layer}; }
  PagePosition position() const override { return at; }
  BlockAge age() const override { return aged; }

  const PagePosition at;
  const BlockAge aged;
};

std::unique_ptr<StartStepPredictor> make(const std::string& name) {
  return start_step_registry().make({name, nullptr}, {blocks, layers, last_step});
}

TEST_CASE("before anything is read, each predictor starts at the default levels") {
  for (const Choice& variant : start_step_registry().variants()) {
    CAPTURE(variant.name);
    CHECK(make(std::string(variant.name))->start(Page(3, 2)) == 0);
  }
}

TEST_CASE("last_of_block knows one step for all layers of a block, until its erase") {
  const auto predictor = make("last_of_block");
  predictor->succeeded(Page(1, 0), 5);
  predictor->succeeded(Page(1, 3), 7);
  predictor->succeeded(Page(2, 3), 9);
  CHECK(predictor->start(Page(1, 0)) == 7);
  CHECK(predictor->start(Page(2, 0)) == 9);
  CHECK(predictor->start(Page(3, 0)) == 0);
  predictor->erased(Superblock(1));
  CHECK(predictor->start(Page(1, 0)) == 0);
  CHECK(predictor->start(Page(2, 0)) == 9);
}

TEST_CASE("last_of_block_and_layer knows each layer of a block, and else takes the nearest, the lower of two") {
  const auto predictor = make("last_of_block_and_layer");
  predictor->succeeded(Page(1, 0), 5);
  predictor->succeeded(Page(1, 2), 7);
  CHECK(predictor->start(Page(1, 0)) == 5);
  CHECK(predictor->start(Page(1, 1)) == 5);
  CHECK(predictor->start(Page(1, 2)) == 7);
  CHECK(predictor->start(Page(1, 3)) == 7);
  CHECK(predictor->start(Page(2, 0)) == 0);
  predictor->erased(Superblock(1));
  CHECK(predictor->start(Page(1, 2)) == 0);
}

TEST_CASE(
    "last_of_layer learns from all blocks of an age class, and else takes the nearest class, the younger of two") {
  const auto predictor = make("last_of_layer");
  const auto aged = [](double hours, std::uint32_t cycles) {
    return BlockAge{.age_hours = hours, .pe_cycles = cycles};
  };
  predictor->succeeded(Page(0, 1, aged(100, 1000)), 4);
  CHECK(predictor->start(Page(5, 1, aged(100, 1000))) == 4);
  CHECK(predictor->start(Page(5, 3, aged(127, 1000))) == 4);
  predictor->succeeded(Page(0, 1, aged(400, 1000)), 8);
  CHECK(predictor->start(Page(5, 1, aged(400, 1000))) == 8);
  CHECK(predictor->start(Page(5, 1, aged(100, 1000))) == 4);
  CHECK(predictor->start(Page(5, 1, aged(200, 1000))) == 4);  // one class from both
  CHECK(predictor->start(Page(5, 1, aged(9000, 1000))) == 8);
  predictor->erased(Superblock(0));
  CHECK(predictor->start(Page(5, 1, aged(400, 1000))) == 8);
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
    const auto predictor = make(std::string(variant.name));
    const BlockAge old{.age_hours = 5000, .pe_cycles = 9};
    predictor->succeeded(Page(1, 0), 5);
    predictor->succeeded(Page(2, 3), 7);
    predictor->succeeded(Page(4, 2, old), 11);
    Archive saved;
    predictor->persist(saved);
    saved.finish();
    const std::vector<std::byte> bytes = saved.take();
    const auto restored = make(std::string(variant.name));
    restored->succeeded(Page(3, 1, {.age_hours = 64}), 13);  // is replaced
    Archive archive(bytes);
    restored->persist(archive);
    archive.finish();
    for (std::uint32_t block = 0; block < blocks; ++block) {
      for (std::uint32_t layer = 0; layer < layers; ++layer) {
        CHECK(restored->start(Page(block, layer)) == predictor->start(Page(block, layer)));
        CHECK(restored->start(Page(block, layer, old)) == predictor->start(Page(block, layer, old)));
      }
    }
    if (!start_step_registry().traits({std::string(variant.name), nullptr}).predicts) continue;
    const auto smaller = start_step_registry().make({std::string(variant.name), nullptr}, {blocks, layers, 10});
    Archive again(bytes);
    CHECK_THROWS_WITH(smaller->persist(again), ContainsSubstring("not in the table of the die"));
  }
}

}  // namespace
}  // namespace nandscape::controller
