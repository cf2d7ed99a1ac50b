// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "catch.h"
#include "controller/reading/read_recovery.h"
#include "platform/config/configuration.h"
#include "platform/config/renamed_keys.h"
#include "platform/config/yaml_reader.h"

using namespace nandscape;

namespace {

Value tree_of(const std::string& text) { return read_yaml(text, {"drive.yaml", 1}); }

// A read recovery policy object that reads each page only once.
struct Once final : controller::ReadRecoveryRegistry::Object {
  struct Made final : controller::ReadRecoveryPolicy {
    controller::RecoveryNeeds needs() const override { return {.locks_die = true}; }
    std::optional<controller::ReadStep> next(const controller::PageUnderRecovery& page) override {
      return page.attempts.empty() ? std::optional(controller::ReadStep{.retry_step = page.order[0]}) : std::nullopt;
    }
  };
  const std::string& name() const override { return name_; }
  std::string_view family() const override { return "controller.read_retry"; }
  std::unique_ptr<controller::ReadRecoveryPolicy> make() const override { return std::make_unique<Made>(); }

  std::string name_ = "mine:Once";
};

// A read recovery policy that is registered by a program, with a parameter.
struct Few final : controller::ReadRecoveryPolicy {
  struct Parameters {
    std::uint32_t most_reads = 2;
  };
  explicit Few(const Parameters& p) : most_reads(p.most_reads) {}
  std::optional<controller::ReadStep> next(const controller::PageUnderRecovery& page) override {
    const std::size_t n = page.attempts.size();
    return n < most_reads ? std::optional(controller::ReadStep{.retry_step = page.order[n]}) : std::nullopt;
  }
  std::uint32_t most_reads;
};
void describe(Few::Parameters& p, ParameterVisitor& v) {
  v.integer("most_reads", p.most_reads, {1, 8}, "", "reads of a page");
}

const std::string read_retry = "controller.read_retry.policy";

}  // namespace

TEST_CASE("a resolved configuration loads back unchanged") {
  for (const auto& [name, comment] : list_presets()) {
    CAPTURE(name);
    const Configuration configuration = load_configuration(name);
    CHECK(resolve_configuration(configuration.resolved).resolved == configuration.resolved);
    CHECK(resolve_configuration(tree_of(configuration.to_yaml())).resolved == configuration.resolved);
  }
}

TEST_CASE("overrides take precedence") {
  const Configuration configuration =
      load_configuration("bare", {parse_override("nand.timing.t_prog_us=2_000"), {"simulation.seed", 3}});
  CHECK(configuration.parameters.nand.timing.t_prog_us == 2000);
  CHECK(configuration.parameters.simulation.seed == 3);
  CHECK(configuration.resolved.at("nand.timing.t_prog_us") == Value(2000.0));
}

TEST_CASE("a tree extends presets like a file") {
  const Configuration configuration = resolve_configuration(tree_of("extends: ida_tlc_512g\nsimulation: {seed: 2}\n"));
  CHECK(configuration.parameters.nand.geometry.blocks_per_plane == 5472);
  CHECK(configuration.parameters.simulation.seed == 2);
}

TEST_CASE("errors in overrides name their source") {
  CHECK_THROWS_WITH(load_configuration("bare", {parse_override("nand.t_prog_us=650")}),
                    "--set: nand.t_prog_us: unknown key; did you mean nand.timing.t_prog_us?");
  CHECK_THROWS_WITH(
      load_configuration("bare", {parse_override("nand.timing.t_prog_us=0.65ms")}),
      "--set: nand.timing.t_prog_us: '0.65ms' carries a unit; the key already has the unit, us: write 650");
  CHECK_THROWS_WITH(parse_override("nand.timing.t_prog_us"),
                    "--set: expected key=value, as nand.timing.t_prog_us=650, got 'nand.timing.t_prog_us'");
  CHECK_THROWS_WITH(parse_override("nand..timing=1"), "--set: nand..timing: a part of the path is empty");
  CHECK_THROWS_WITH(parse_override("seed=[1"), Catch::Matchers::StartsWith("--set: not valid YAML: "));
}

TEST_CASE("the right side of an override is YAML") {
  CHECK(parse_override("a.b=1e3").second == Value(1000.0));
  CHECK(parse_override("a.b='1'").second == Value("1"));
  CHECK(parse_override("a.b=[1, 2]").second == Value(Value::List{1, 2}));
  CHECK(parse_override("a.b=x=y").second == Value("x=y"));
  CHECK(parse_override("a.b=").second.is_null());
}

TEST_CASE("contradictory parameters are reported together, at their keys") {
  CHECK_THROWS_WITH(
      resolve_configuration(tree_of("controller:\n  mapping: {over_provisioning: 0}\necc:\n  codeword_bytes: 1000\n")),
      Catch::Matchers::Contains(
          "drive.yaml:4: ecc.codeword_bytes: a page of 16384 bytes is not a whole number of codewords of 1000") &&
          Catch::Matchers::Contains(
              "drive.yaml:2: controller.mapping.over_provisioning: leaves too few spare blocks (at 0 the exported "
              "would be the raw capacity)"));
}

TEST_CASE("a host that waits for folding without a capacitor needs room for padding") {
  const auto resolve = [](const std::string& when_full, const std::string& protection) {
    return resolve_configuration(
        tree_of("controller:\n  mapping: {over_provisioning: 0.9}\n  slc_cache: "
                "{static_percent: 5, when_full: " +
                when_full + "}\n  power_loss: {protection: " + protection +
                "}\nnand:\n  geometry: {pages_per_block: 6, blocks_per_plane: 100}\n"));
  };
  CHECK_NOTHROW(resolve("fold", "capacitor"));
  CHECK_NOTHROW(resolve("direct", "none"));
  // A wordline has three of the six pages of a block, so the moved data of a block may take half a block more.
  CHECK_THROWS_WITH(resolve("fold", "none"),
                    Catch::Matchers::Contains("controller.mapping.over_provisioning: leaves too few spare blocks") &&
                        Catch::Matchers::Contains("and of the 6 units of each other block 3, since without"));
}

TEST_CASE("a real decoder needs stored data") {
  CHECK_THROWS_WITH(
      resolve_configuration(tree_of("ecc:\n  decoder: bit_true\n")),
      Catch::Matchers::StartsWith("drive.yaml:2: ecc.decoder: is 'bit_true', but simulation.data is 'none': "));
  CHECK_NOTHROW(resolve_configuration(tree_of("simulation: {data: stored}\necc: {decoder: bit_true}\n")));
}

TEST_CASE("a contradiction with an omitted key is reported at its group") {
  CHECK_THROWS_WITH(resolve_configuration(tree_of("nand:\n  geometry: {page_bytes: 1536}\necc:\n  t_decode_us: 5\n")),
                    "drive.yaml:3: ecc.codeword_bytes: a page of 1536 bytes is not a whole number of codewords of "
                    "1024 bytes; choose a divisor of nand.geometry.page_bytes");
}

TEST_CASE("cells whose levels misfit the coding are refused when program times come from them") {
  for (const std::string levels : {"[]", "[1, 2]", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]"}) {
    const std::string cells = "nand: {timing: {program: ispp}, cells: {placement: {verify_mv: " + levels + "}}}";
    CHECK_THROWS_WITH(resolve_configuration(tree_of(cells)), ContainsSubstring("nand.cells.placement.verify_mv: has "));
  }
}

TEST_CASE("every parameter is listed with a meaning, and its key ends in its unit") {
  std::set<std::string> paths;
  for (const ParameterRow& row : list_parameters()) {
    CAPTURE(row.path);
    CHECK(paths.insert(row.path + " " + row.variant).second);
    CHECK_FALSE(row.meaning.empty());
    CHECK((row.unit.empty() || row.path.ends_with("_" + row.unit)));
  }
}

TEST_CASE("a renamed key is refused with its new name") {
  std::set<std::string> paths;
  for (const ParameterRow& row : list_parameters()) paths.insert(row.path);
  for (const RenamedKey& key : renamed_keys()) {
    CAPTURE(key.old_path);
    CHECK(paths.contains(std::string(key.new_path)));
    CHECK_FALSE(paths.contains(std::string(key.old_path)));
  }
  CHECK_THROWS_WITH(resolve_configuration(tree_of("controller:\n  write_step_ratio: 2\n")),
                    "drive.yaml:2: controller.write_step_ratio: is now called controller.write_mode.step_ratio");
}

TEST_CASE("a former value is refused with the keys that replace it") {
  CHECK_THROWS_WITH(
      resolve_configuration(tree_of("controller: {read_retry: {policy: pnar2}}")),
      "drive.yaml:1: controller.read_retry.policy: 'pnar2' is now controller.read_retry.pipelined: true and "
      "controller.read_retry.adaptive: true");
  CHECK_THROWS_WITH(resolve_configuration(tree_of("controller: {write_mode: rr_2week}")),
                    "drive.yaml:1: controller.write_mode: 'rr_2week' is now controller.write_mode.kept_weeks: 2 and "
                    "controller.write_mode.step_ratio: 2.33");
  CHECK_THROWS_WITH(load_configuration("bare", {{"controller.write_mode", "cdber"}}),
                    ContainsSubstring("controller.write_mode: 'cdber' is now controller.write_mode.by_content: true"));
}

TEST_CASE("the list of parameters gives type, default and range") {
  const auto rows = list_parameters();
  const auto row_of = [&](const std::string& path) {
    for (const ParameterRow& row : rows) {
      if (row.path == path) return row;
    }
    throw std::out_of_range(path);
  };
  const ParameterRow t_prog = row_of("nand.timing.t_prog_us");
  CHECK(t_prog.type == "real");
  CHECK(t_prog.unit == "us");
  CHECK(t_prog.standard == "700.0");
  CHECK(t_prog.range == "0.001 .. 100000");
  CHECK(row_of("simulation.data").range == "none | stored");
  CHECK(row_of("simulation.data").standard == "none");
}

TEST_CASE("an object is chosen by its name, where it is supplied") {
  const VariantObjects objects{{read_retry, std::make_shared<Once>()}};
  const Configuration configuration = load_configuration("bare", {{read_retry, "mine:Once"}}, objects);
  CHECK(configuration.resolved.at(read_retry) == Value("mine:Once"));
  CHECK(configuration.objects == objects);
  const auto policy = controller::read_recovery_registry().make(configuration.parameters.controller.read_retry.policy);
  CHECK(policy->needs().locks_die);

  CHECK(resolve_configuration(configuration.resolved, {}, objects).objects == objects);
  CHECK(override_configuration(configuration, {{"simulation.seed", 3}}).objects == objects);
  CHECK(override_configuration(configuration, {{read_retry, "none"}}).objects.empty());
  CHECK(load_configuration("bare", {}, objects).objects.empty());

  const VariantObjects others{{read_retry, std::make_shared<Once>()}};
  CHECK(override_configuration(configuration, {{read_retry, "mine:Once"}}, others).objects == others);
}

TEST_CASE("an object that is missing, or of another family, is an error") {
  CHECK_THROWS_WITH(
      load_configuration("bare", {{read_retry, "mine:Once"}}),
      Catch::Matchers::Contains("controller.read_retry.policy: is 'mine:Once', the name of an object that was not "
                                "given: give the object itself, or choose one of none | regular"));
  const std::string refresh = "controller.refresh.policy";
  CHECK_THROWS_WITH(
      load_configuration("bare", {{refresh, "mine:Once"}}, {{refresh, std::make_shared<Once>()}}),
      Catch::Matchers::Contains(
          "mine:Once is a policy for controller.read_retry, but one for controller.refresh is needed here"));
}

TEST_CASE("a program adds a policy to a registry and chooses it by name, with its parameters") {
  controller::ReadRecoveryRegistry& registry = controller::read_recovery_registry();
  if (!registry.contains("few")) registry.add<Few>("few", "a few reads");
  const auto drive = [](const std::string& reads) {
    return load_configuration("bare",
                              {{read_retry, "few"}, parse_override("controller.read_retry.most_reads=" + reads)});
  };
  const Configuration configuration = drive("3");
  CHECK(configuration.resolved.at(read_retry) == Value("few"));
  const auto policy = registry.make(configuration.parameters.controller.read_retry.policy);
  REQUIRE(dynamic_cast<const Few*>(policy.get()) != nullptr);
  CHECK(dynamic_cast<const Few&>(*policy).most_reads == 3);
  CHECK_THROWS_WITH(drive("9"), ContainsSubstring("controller.read_retry.most_reads"));
}

TEST_CASE("a course of the temperature is compared with the fitted range at its extremes") {
  // This cell set has been fitted to reads between 30 and 85 degrees C.
  const auto warnings = [](const std::string& course) {
    return load_configuration(
               "bare",
               {parse_override("simulation.cells=statistical"), parse_override("nand.cells.set=tlc_3d_48"),
                parse_override("nand.condition.temperature_c=95"), parse_override("nand.condition.temperature=course"),
                parse_override("nand.condition.course_s=[0, 1, 2, 3]"),
                parse_override("nand.condition.course_c=" + course)})
        .warnings();
  };
  CHECK(warnings("[40, 85, 30, 40]").empty());
  const std::string hot = "90 °C (fitted: 30 to 85)", cold = "-5 °C (fitted: 30 to 85)";
  REQUIRE(warnings("[40, 90, 30, 40]").size() == 1);
  CHECK_THAT(warnings("[40, 90, 30, 40]")[0], ContainsSubstring(hot) && !ContainsSubstring("95"));
  REQUIRE(warnings("[40, 90, -5, 40]").size() == 1);
  CHECK_THAT(warnings("[40, 90, -5, 40]")[0], ContainsSubstring(cold) && ContainsSubstring(hot));
}
