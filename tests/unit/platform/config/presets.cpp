// SPDX-License-Identifier: Apache-2.0
#include "catch.h"
#include "platform/config/code_tables.h"
#include "platform/config/configuration.h"
#include "platform/config/configuration_files.h"
#include "platform/config/data_folder.h"
#include "platform/config/read_timing_tables.h"
#include "unit/platform/temporary_folder.h"

using namespace nandscape;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

TEST_CASE("every preset loads, and has a description") {
  const auto presets = list_presets();
  REQUIRE(presets.size() >= 3);
  for (const auto& [name, comment] : presets) {
    CAPTURE(name);
    CHECK_NOTHROW(load_configuration(name));
    CHECK_THAT(comment, EndsWith("."));
  }
}

TEST_CASE("presets of drives export their nominal capacity") {
  const auto exported_gb = [](const std::string& preset) {
    const PlatformParameters p = load_configuration(preset).parameters;
    const auto& g = p.nand.geometry;
    const double raw_bytes = 1.0 * p.channel.count * g.chips_per_channel * g.dies_per_chip * g.planes_per_die *
                             g.blocks_per_plane * g.pages_per_block * g.page_bytes;
    return 1e-9 * raw_bytes / (1 + p.controller.mapping.over_provisioning);
  };
  CHECK(exported_gb("drive_slc_3d") == Approx(800).epsilon(0.001));
  CHECK(exported_gb("drive_mlc_planar") == Approx(256).epsilon(0.001));
  CHECK(exported_gb("drive_tlc_planar") == Approx(250).epsilon(0.001));
  CHECK(exported_gb("drive_tlc_3d") == Approx(512).epsilon(0.001));
  CHECK(exported_gb("drive_qlc_3d") == Approx(1024).epsilon(0.001));
  CHECK(exported_gb("enterprise_tlc") == Approx(3840).epsilon(0.001));
  CHECK(exported_gb("client_tlc") == Approx(1000).epsilon(0.001));
  CHECK(exported_gb("default") == Approx(125).epsilon(0.001));
  CHECK(exported_gb("client_qlc") == Approx(1000).epsilon(0.001));
}

TEST_CASE("presets of papers have the size stated in the papers") {
  const auto raw_bytes = [](const std::string& preset) {
    const PlatformParameters p = load_configuration(preset).parameters;
    const auto& g = p.nand.geometry;
    return 1.0 * p.channel.count * g.chips_per_channel * g.dies_per_chip * g.planes_per_die * g.blocks_per_plane *
           g.pages_per_block * g.page_bytes;
  };
  const double over_provisioning = 0.07;
  CHECK(raw_bytes("retry_tlc_512g") == Approx(512 * 1073741824.0).epsilon(0.04));
  CHECK(raw_bytes("retention_mlc") == Approx(1000 * 1073741824.0));
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

TEST_CASE("an error in an extended file names that file") {
  const TemporaryFolder folder;
  const std::string base = folder.write("base.yaml", "simulation:\n  sed: 1\n");
  const std::string file = folder.write("study.yaml", "extends: base.yaml\n");
  CHECK_THROWS_WITH(load_configuration(file), base + ":2: simulation.sed: unknown key; did you mean simulation.seed?");
}

TEST_CASE("an error for circular extends names the chain") {
  const TemporaryFolder folder;
  const std::string first = folder.write("first.yaml", "extends: second.yaml\n");
  const std::string second = folder.write("second.yaml", "# comment\nextends: first.yaml\n");
  CHECK_THROWS_WITH(load_configuration(first),
                    second + ":2: extends: makes a cycle: first.yaml extends second.yaml extends first.yaml");
}

TEST_CASE("an error for an unknown name lists the presets") {
  CHECK_THROWS_WITH(load_configuration("defualt"),
                    "no preset is named 'defualt'; did you mean default? The presets are bare, cached, client_qlc, "
                    "client_tlc, default, drive_mlc_planar, drive_qlc_3d, drive_slc_3d, drive_tlc_3d, "
                    "drive_tlc_planar, enterprise_tlc, "
                    "ida_tlc_512g, retention_mlc, retry_tlc_512g");
  const TemporaryFolder folder;
  const std::string file = folder.write("study.yaml", "extends: [a, b]\n");
  CHECK_THROWS_WITH(load_configuration(file), Contains(":1: extends: expected the name of a preset or the path"));
  CHECK_THROWS_WITH(load_configuration(folder.write("list.yaml", "- 1\n")), Contains("is not a group of keys"));
}

TEST_CASE("only a path names a file: files in the working directory do not shadow presets") {
  const TemporaryFolder folder;
  const std::string shadow = folder.write("default", "simulation: {seed: 77}\n");
  folder.write("mine", "simulation: {seed: 78}\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const auto seed_of = [](const std::string& name) { return load_configuration(name).parameters.simulation.seed; };
  CHECK(seed_of("default") == 1);
  CHECK(seed_of("./default") == 77);
  CHECK(seed_of(shadow) == 77);
  folder.write("default.yaml", "simulation: {seed: 79}\n");
  CHECK(seed_of("default.yaml") == 79);
  CHECK_THROWS_WITH(seed_of("mine"), Contains("no preset is named 'mine'; for the file of that name write './mine'."));
  std::filesystem::current_path(before);
  CHECK_THROWS_WITH(seed_of("../presets/default"), Contains("there is no file '../presets/default'"));
  CHECK_THROWS_WITH(seed_of(folder.path().string() + "/"), Contains("not a regular file"));
}

TEST_CASE("every odd name is refused properly") {
  CHECK_THROWS_WITH(load_configuration(std::string(300, 'x')), StartsWith("no preset is named 'xxxx"));
  CHECK_THROWS_WITH(load_configuration("/" + std::string(5000, 'x')), StartsWith("there is no file '/xxxx"));
  CHECK_THROWS_WITH(load_configuration(std::string("default\0.yaml", 13)),
                    StartsWith("there is no file 'default?.yaml"));
  CHECK_THROWS_WITH(load_configuration(std::string("default\0", 8)), StartsWith("no preset is named 'default?"));
  CHECK_THROWS_WITH(load_configuration(""), StartsWith("no preset is named ''"));
}

TEST_CASE("the content of a foreign file is not shown") {
  const TemporaryFolder folder;
  const std::string secret = folder.write("secret", "password: xyzzy\n");
  for (const std::string& foreign : {secret, folder.write("lines", "root:x:0:0:xyzzy\nxyzzy\n"),
                                     folder.write("bytes",
                                                  "\x7f"
                                                  "ELF\x02 xyzzy"),
                                     folder.write("text", "xyzzy")}) {
    const std::string file = folder.write("study.yaml", "extends: " + foreign + "\n");
    CHECK_THROWS_WITH(load_configuration(file), StartsWith(foreign + ":") && !Contains("xyzzy") && !Contains("passw"));
  }
  CHECK_THROWS_WITH(resolve_configuration(Value(Value::Map{{"extends", Value(secret)}})),
                    secret +
                        ": is not a configuration: it has none of the keys extends, simulation, host, controller, "
                        "ecc, channel, nand");
}

TEST_CASE("a chain of files has a maximum length") {
  const TemporaryFolder folder;
  for (int k = 0; k < 100; ++k) {
    folder.write(std::to_string(k) + ".yaml", "extends: " + std::to_string(k + 1) + ".yaml\n");
  }
  CHECK_THROWS_WITH(load_configuration((folder.path() / "0.yaml").string()), Contains("a chain of more than 20 files"));
}

TEST_CASE("presets can be in another folder") {
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

TEST_CASE("everything that is called by name can be in one data folder") {
  const std::filesystem::path standard = preset_folder().parent_path();
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(set_data_folder(folder.path()), StartsWith(folder.path().string() + ": has no folder `presets`"));
  for (const char* kind : {"presets", "cells", "codes", "read_timing", "profiles", "profiles/volumes"}) {
    std::filesystem::create_directory(folder.path() / kind);
  }
  folder.write("presets/mine.yaml", "# My drive.\n");
  folder.write("cells/mine.yaml", "# My cells.\n");
  folder.write("profiles/mine.yaml", "# My workload.\n");
  set_data_folder(folder.path());
  const auto presets = list_presets();
  const auto sets = list_cell_sets();
  const auto codes = list_code_tables();
  const auto timing = list_read_timing_tables();
  const auto profiles = list_workload_profiles();
  set_data_folder(standard);
  CHECK(presets == std::vector<std::pair<std::string, std::string>>{{"mine", "My drive."}});
  CHECK(sets == std::vector<std::pair<std::string, std::string>>{{"mine", "My cells."}});
  CHECK(codes.empty());
  CHECK(timing.empty());
  REQUIRE(profiles.size() == 1);
  CHECK(profiles[0].comment == "My workload.");
  CHECK(list_presets().size() > 1);
}
