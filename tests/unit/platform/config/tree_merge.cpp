// SPDX-License-Identifier: Apache-2.0
#include "platform/config/tree_merge.h"
#include "catch.h"
#include "platform/config/yaml_reader.h"
#include "unit/platform/drive_parameters.h"

using namespace nandscape;

namespace {

Value tree_of(const std::string& text) { return read_yaml(text, {"drive.yaml", 1}); }

Value merged(const std::string& base, const std::string& overlay) {
  Value tree = tree_of(base);
  merge_tree(tree, tree_of(overlay), schema_of<SampleDrive>());
  return tree;
}

Value overridden(const std::string& base, const std::vector<std::pair<std::string, Value>>& overrides) {
  Value tree = tree_of(base);
  apply_overrides(tree, overrides, schema_of<SampleDrive>());
  return tree;
}

}  // namespace

TEST_CASE("groups are merged, lists and plain values are replaced") {
  CHECK(merged("nand: {spare: 0.1, timing: {t_prog_us: 1, t_read_us: [1, 2, 3]}}",
               "nand: {timing: {t_bers_us: 2, t_read_us: [4]}}") ==
        tree_of("nand: {spare: 0.1, timing: {t_prog_us: 1, t_read_us: [4], t_bers_us: 2}}"));
  CHECK(merged("seed: 1", "seed: 2") == tree_of("seed: 2"));
  CHECK(merged("streams: [{depth: 1}, {depth: 2}]", "streams: {depth: 3}") == tree_of("streams: {depth: 3}"));
}

TEST_CASE("an empty group removes nothing") {
  CHECK(merged("nand: {spare: 0.1}", "nand:\n") == tree_of("nand: {spare: 0.1}"));
}

TEST_CASE("a layer that chooses another variant drops the parameters of the old one") {
  const std::string base = "collector: {policy: randomized_greedy, candidates: 4, enabled: true}";
  CHECK(merged(base, "collector: {policy: greedy}") == tree_of("collector: {policy: greedy, enabled: true}"));
  CHECK(merged(base, "collector: {policy: randomized_greedy}") == tree_of(base));
  CHECK(merged(base, "collector: {enabled: true}") == tree_of(base));
  // If a layer contradicts itself, both values are kept, so that the contradiction is reported later.
  CHECK(merged(base, "collector: {policy: greedy, candidates: 5}") ==
        tree_of("collector: {policy: greedy, enabled: true, candidates: 5}"));
}

TEST_CASE("overrides reach every value by its path") {
  CHECK(overridden("nand: {spare: 0.1}", {{"nand.spare", 0.2}}) == tree_of("nand: {spare: 0.2}"));
  CHECK(overridden("", {{"nand.timing.t_prog_us", 650}}) == tree_of("nand: {timing: {t_prog_us: 650}}"));
  CHECK(overridden("nand: {spare: 0.1}", {{"nand", Value(Value::Map{{"page_bytes", 512}})}}) ==
        tree_of("nand: {spare: 0.1, page_bytes: 512}"));
}

TEST_CASE("overrides choose variants in any order") {
  const std::string base = "collector: {policy: randomized_greedy, candidates: 4}";
  CHECK(overridden(base, {{"collector.policy", "greedy"}}) == tree_of("collector: {policy: greedy}"));
  CHECK(overridden("collector: {policy: greedy}",
                   {{"collector.candidates", 8}, {"collector.policy", "randomized_greedy"}}) ==
        tree_of("collector: {policy: randomized_greedy, candidates: 8}"));
}

TEST_CASE("a number in a path selects the item of a list, and is optional for a list of one") {
  CHECK(overridden("streams: [{depth: 1}, {depth: 2}]", {{"streams.1.depth", 9}}) ==
        tree_of("streams: [{depth: 1}, {depth: 9}]"));
  CHECK(overridden("streams: [{depth: 1}]", {{"streams.depth", 9}}) == tree_of("streams: [{depth: 9}]"));
  CHECK(overridden("streams: {depth: 1}", {{"streams.0.depth", 9}}) == tree_of("streams: {depth: 9}"));
  CHECK(overridden("nand: {timing: {t_read_us: [1, 2]}}", {{"nand.timing.t_read_us.1", 9}}) ==
        tree_of("nand: {timing: {t_read_us: [1, 9]}}"));
  CHECK_THROWS_WITH(overridden("streams: [{}, {}]", {{"streams.depth", 9}}),
                    "streams.depth: leads through a list of 2; give the index of an item, 0 or higher");
  CHECK_THROWS_WITH(overridden("streams: [{}, {}]", {{"streams.2.depth", 9}}),
                    "streams.2.depth: leads past the end of a list of 2");
  CHECK_THROWS_WITH(overridden("streams: {}", {{"streams.1.depth", 9}}),
                    "streams.1.depth: leads past the only item of a list");
}
