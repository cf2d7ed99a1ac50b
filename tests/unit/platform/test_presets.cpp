// SPDX-License-Identifier: Apache-2.0
#include "catch.h"
#include "platform/configuration.h"
#include "platform/presets.h"
#include "temporary_folder.h"

using namespace nandscape;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

TEST_CASE("every preset loads, and says what it is") {
  const auto presets = list_presets();
  REQUIRE(presets.size() >= 3);
  for (const auto& [name, comment] : presets) {
    CAPTURE(name);
    CHECK_NOTHROW(load_configuration(name));
    CHECK_THAT(comment, EndsWith("."));
  }
}

TEST_CASE("presets of papers have the size that the papers state") {
  const auto raw_bytes = [](const std::string& preset) {
    const PlatformParameters p = load_configuration(preset).parameters;
    const auto& g = p.nand.geometry;
    return 1.0 * p.channel.count * g.chips_per_channel * g.dies_per_chip * g.planes_per_die * g.blocks_per_plane *
           g.pages_per_block * g.page_bytes;
  };
  const double over_provisioning = 0.07;
  CHECK(raw_bytes("retry_tlc_512g") == Approx(512 * 1073741824.0).epsilon(0.04));
  CHECK(raw_bytes("ida_tlc_512g") * (1 - over_provisioning) == Approx(512e9).epsilon(0.01));
}

TEST_CASE("a file extends a file beside it, which extends a preset") {
  const TemporaryFolder folder;
  folder.write("base.yaml", "extends: retry_tlc_512g\nnand: {timing: {t_prog_us: 1000}}\n");
  const std::string file = folder.write("study.yaml", "extends: base.yaml\nsimulation: {seed: 5}\n");
  const PlatformParameters p = load_configuration(file).parameters;
  CHECK(p.simulation.seed == 5);
  CHECK(p.nand.timing.t_prog_us == 1000);
  CHECK(p.nand.geometry.blocks_per_plane == 1888);
}

TEST_CASE("an error in a file that is extended names that file") {
  const TemporaryFolder folder;
  const std::string base = folder.write("base.yaml", "simulation:\n  sed: 1\n");
  const std::string file = folder.write("study.yaml", "extends: base.yaml\n");
  CHECK_THROWS_WITH(load_configuration(file), base + ":2: simulation.sed: unknown key; did you mean simulation.seed?");
}

TEST_CASE("a circle of extends names its chain") {
  const TemporaryFolder folder;
  const std::string first = folder.write("first.yaml", "extends: second.yaml\n");
  const std::string second = folder.write("second.yaml", "# comment\nextends: first.yaml\n");
  CHECK_THROWS_WITH(load_configuration(first),
                    second + ":2: extends: goes round in a circle: first.yaml extends second.yaml extends first.yaml");
}

TEST_CASE("a name that is neither file nor preset is told the presets") {
  CHECK_THROWS_WITH(load_configuration("defualt"),
                    "no file and no preset is named 'defualt'; did you mean default? The presets are default, "
                    "ida_tlc_512g, retry_tlc_512g");
  const TemporaryFolder folder;
  const std::string file = folder.write("study.yaml", "extends: [a, b]\n");
  CHECK_THROWS_WITH(load_configuration(file), Contains(":1: extends: expected the name of a preset or the path"));
  CHECK_THROWS_WITH(load_configuration(folder.write("list.yaml", "- 1\n")), Contains("is not a group of keys"));
}

TEST_CASE("presets can lie in another folder") {
  const std::filesystem::path standard = preset_folder();
  const TemporaryFolder folder;
  folder.write("mine.yaml", "# SPDX-License-Identifier: Apache-2.0\n# My drive.\nsimulation: {seed: 9}\n");
  set_preset_folder(folder.path());
  const auto presets = list_presets();
  const Configuration mine = load_configuration("mine");
  set_preset_folder(standard);
  CHECK(presets == std::vector<std::pair<std::string, std::string>>{{"mine", "My drive."}});
  CHECK(mine.parameters.simulation.seed == 9);
}
