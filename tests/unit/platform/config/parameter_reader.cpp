// SPDX-License-Identifier: Apache-2.0
#include "platform/config/parameter_reader.h"
#include "catch.h"
#include "platform/config/parameter_writer.h"
#include "platform/config/yaml_reader.h"
#include "platform/config/yaml_writer.h"
#include "unit/platform/drive_parameters.h"

using namespace nandscape;

namespace {

SampleDrive read(const std::string& text) {
  SampleDrive drive;
  read_parameters(read_yaml(text, {"drive.yaml", 1}), drive);
  return drive;
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("given values are read, others keep their defaults") {
  const SampleDrive drive = read("seed: 7\ndata: stored\nnand:\n  timing: {t_prog_us: 650, t_read_us: [40, 60.5]}\n");
  CHECK(drive.seed == 7);
  CHECK(drive.data == Data::stored);
  CHECK(drive.nand.timing.t_prog_us == 650);
  CHECK(drive.nand.timing.t_read_us == std::vector<double>{40, 60.5});
  CHECK(drive.nand.timing.t_bers_us == 5000);
  CHECK(drive.nand.page_bytes == 16'384);
}

TEST_CASE("reals without a fraction are accepted as integers") {
  CHECK(read("seed: 4.0").seed == 4);
  CHECK(read("seed: 1e6").seed == 1'000'000);
  CHECK(read("nand: {page_bytes: 4_096}").nand.page_bytes == 4096);
}

TEST_CASE("an empty group changes nothing") {
  CHECK(read("nand:\n").nand.page_bytes == 16'384);
  CHECK(read("streams:\n").streams.size() == 1);
  CHECK(read("").seed == 1);
}

TEST_CASE("a variant's parameters are given beside the key that chooses it") {
  const SampleDrive drive = read("collector: {candidates: 16, policy: randomized_greedy}");
  const auto policy = policies().make(drive.collector.policy);
  CHECK(dynamic_cast<const RandomizedGreedy&>(*policy).candidates == 16);
  CHECK(read("").collector.policy.name == "greedy");
}

TEST_CASE("one group stands for a list of one") {
  CHECK(read("streams: {depth: 4}").streams.at(0).depth == 4);
  const SampleDrive drive = read("streams: [{name: a}, {name: b, depth: 2}]");
  REQUIRE(drive.streams.size() == 2);
  CHECK(drive.streams[1].name == "b");
  CHECK(drive.streams[1].depth == 2);
  CHECK(read("streams: []").streams.empty());
}

TEST_CASE("one text stands for a list of one") {
  const auto words = [](const std::string& yaml) { return read("streams: {words: " + yaml + "}").streams.at(0).words; };
  CHECK(words("w") == std::vector<std::string>{"w"});
  CHECK(words("[w, \"12\"]") == std::vector<std::string>{"w", "12"});
  CHECK(words("[]").empty());
  CHECK(read("").streams.at(0).words == std::vector<std::string>{"r", "read"});
  CHECK(error_of("streams: {words: 12}") == "drive.yaml:1: streams.words: expected text, got 12; put it in quotes");
  CHECK(error_of("streams:\n  words:\n    - w\n    - 12\n") ==
        "drive.yaml:4: streams.words: item 1: expected text, got 12; put it in quotes");
}

TEST_CASE("unknown keys: the nearest key is named, with its full path") {
  CHECK(error_of("nand:\n  timing:\n    t_porg_us: 1\n") ==
        "drive.yaml:3: nand.timing.t_porg_us: unknown key; did you mean nand.timing.t_prog_us?");
  CHECK(error_of("nad: {page_bytes: 1}\n") == "drive.yaml:1: nad: unknown key; did you mean nand?");
}

TEST_CASE("unknown keys: the whole schema is searched") {
  CHECK(error_of("nand: {t_prog_us: 1}\n") ==
        "drive.yaml:1: nand.t_prog_us: unknown key; did you mean nand.timing.t_prog_us?");
  CHECK(error_of("page_bites: 4096\n") == "drive.yaml:1: page_bites: unknown key; did you mean nand.page_bytes?");
  CHECK(error_of("streams: [{depth: 1}, {polciy: greedy}]\n") ==
        "drive.yaml:1: streams.1.polciy: unknown key; did you mean collector.policy?");
}

TEST_CASE("unknown keys: with nothing near, the keys of the group are listed") {
  CHECK(error_of("collector: {voltage: 1}\n") ==
        "drive.yaml:1: collector.voltage: unknown key; the keys in collector are policy, enabled");
  CHECK(error_of("zzz: 1\n") ==
        "drive.yaml:1: zzz: unknown key; the keys here are seed, data, nand, collector, streams");
}

TEST_CASE("unknown keys: a path with dots is explained") {
  CHECK(error_of("nand.page_bytes: 1\n") ==
        "drive.yaml:1: nand.page_bytes: unknown key; paths with dots are for --set and Python; in a file each group is "
        "its "
        "own map");
}

TEST_CASE("unknown keys: a key of another variant is reported as such") {
  CHECK(error_of("collector:\n  policy: greedy\n  candidates: 4\n") ==
        "drive.yaml:3: collector.candidates: candidates belongs to policy randomized_greedy, but policy is greedy");
}

TEST_CASE("units: for a value with a unit, the error gives the number to write") {
  CHECK(error_of("nand: {timing: {t_prog_us: 700us}}") ==
        "drive.yaml:1: nand.timing.t_prog_us: '700us' carries a unit; the key already has the unit, us: write 700");
  CHECK(error_of("nand: {timing: {t_prog_us: '0.7 ms'}}") ==
        "drive.yaml:1: nand.timing.t_prog_us: '0.7 ms' carries a unit; the key already has the unit, us: write 700");
  CHECK(error_of("nand: {page_bytes: 16 KiB}") ==
        "drive.yaml:1: nand.page_bytes: '16 KiB' carries a unit; the key already has the unit, bytes: write 16384");
  CHECK(error_of("nand: {page_bytes: 16 KB}") ==
        "drive.yaml:1: nand.page_bytes: '16 KB' carries a unit; the key already has the unit, bytes: write 16000, or "
        "16384 if "
        "KiB is meant");
  CHECK(error_of("nand: {spare: 7%}") ==
        "drive.yaml:1: nand.spare: '7%' carries a unit; this parameter is a plain number: write 0.07");
  CHECK(error_of("nand: {timing: {t_prog_us: 3 V}}") ==
        "drive.yaml:1: nand.timing.t_prog_us: '3 V' carries a unit; the key already has the unit, us, and V cannot be "
        "converted");
  CHECK(
      error_of("nand: {timing: {t_read_us: [50us, 100, 150]}}") ==
      "drive.yaml:1: nand.timing.t_read_us: item 0: '50us' carries a unit; the key already has the unit, us: write 50");
}

TEST_CASE("units: for a key with another unit, or none, the error gives the right one") {
  CHECK(error_of("nand: {timing: {t_prog_ms: 0.7}}") ==
        "drive.yaml:1: nand.timing.t_prog_ms: unknown key; the key of this parameter ends in its unit, us: write "
        "nand.timing.t_prog_us: 700");
  CHECK(error_of("nand: {timing: {t_prog: 0.7 ms}}") ==
        "drive.yaml:1: nand.timing.t_prog: unknown key; the key of this parameter ends in its unit, us: write "
        "nand.timing.t_prog_us: 700");
  CHECK(error_of("nand: {timing: {t_prog: 700}}") ==
        "drive.yaml:1: nand.timing.t_prog: unknown key; the key of this parameter ends in its unit, us: write "
        "nand.timing.t_prog_us");
  CHECK(error_of("nand: {page_kib: 16}") ==
        "drive.yaml:1: nand.page_kib: unknown key; the key of this parameter ends in its unit, bytes: write "
        "nand.page_bytes: 16384");
}

TEST_CASE("values out of range are reported with the range and its unit") {
  CHECK(error_of("nand: {timing: {t_prog_us: 1e9}}") ==
        "drive.yaml:1: nand.timing.t_prog_us: 1000000000 us is out of range, 0 .. 100000 us");
  CHECK(error_of("nand: {page_bytes: -1}") ==
        "drive.yaml:1: nand.page_bytes: -1 bytes is out of range, 512 .. 262144 bytes");
  CHECK(error_of("seed: -1") == "drive.yaml:1: seed: -1 is out of range, >= 0");
  CHECK(error_of("seed: 1e30") == "drive.yaml:1: seed: 1e+30 does not fit in 64 bits with a sign");
  CHECK(error_of("seed: 12345678901234567890") ==
        "drive.yaml:1: seed: 1.2345678901234567e+19 does not fit in 64 bits with a sign");
  CHECK(error_of("seed: 1e17") == "drive.yaml:1: seed: 1e+17 may have been rounded; write all its digits");
}

TEST_CASE("values of the wrong type are reported with the right one") {
  CHECK(error_of("seed: 1.5") == "drive.yaml:1: seed: expected a whole number, got 1.5");
  CHECK(error_of("seed: abc") == "drive.yaml:1: seed: expected a whole number, got 'abc'");
  CHECK(error_of("seed: {a: 1}") == "drive.yaml:1: seed: expected a whole number, got a group of keys");
  CHECK(error_of("seed:") == "drive.yaml:1: seed: has no value; give one, or leave the key out for the default, 1");
  CHECK(error_of("nand: {spare: .nan}") == "drive.yaml:1: nand.spare: expected a finite number, got nan");
  CHECK(error_of("nand: {timing: {t_prog_us: true}}") ==
        "drive.yaml:1: nand.timing.t_prog_us: expected a number, got true");
  CHECK(error_of("nand: {timing: {t_read_us: 50}}") ==
        "drive.yaml:1: nand.timing.t_read_us: expected a list of numbers, got 50");
  CHECK(error_of("collector: {enabled: yes}") == "drive.yaml:1: collector.enabled: expected true or false, got 'yes'");
  CHECK(error_of("streams: {name: 12}") == "drive.yaml:1: streams.name: expected text, got 12; put it in quotes");
  CHECK(error_of("nand: 5") == "drive.yaml:1: nand: expected a group of keys, got 5");
  CHECK(error_of("streams: [1]") == "drive.yaml:1: streams.0: expected a group of keys, got 1");
}

TEST_CASE("unknown choices are reported with the choices and the nearest one") {
  CHECK(error_of("data: storde") == "drive.yaml:1: data: 'storde' is not one of none | stored; did you mean stored?");
  CHECK(error_of("collector: {policy: oldest}") ==
        "drive.yaml:1: collector.policy: 'oldest' is not one of greedy | randomized_greedy");
  CHECK(error_of("data: 1") == "drive.yaml:1: data: expected one of none | stored, got 1");
}

TEST_CASE("all errors are reported at once, and the path is that of the first") {
  try {
    read("seed: -1\nnand:\n  page_bytes: big\n  speed: 1\ncolector: {}\n");
    FAIL("no error");
  } catch (const ConfigError& error) {
    CHECK(error.path() == "seed");
    CHECK(std::string(error.what()) ==
          "drive.yaml:1: seed: -1 is out of range, >= 0\n"
          "drive.yaml:3: nand.page_bytes: expected a whole number, got 'big'\n"
          "drive.yaml:4: nand.speed: unknown key; did you mean seed?\n"
          "drive.yaml:5: colector: unknown key; did you mean collector?");
  }
}

TEST_CASE("with many errors, the first ones are reported, and the number of others") {
  constexpr int keys = 50'000;
  std::string text = "sede: 1\n";
  for (int k = 1; k < keys; ++k) text += "key" + std::to_string(k) + ": 1\n";
  const std::string told = error_of(text);
  CHECK_THAT(told, Catch::Matchers::StartsWith("drive.yaml:1: sede: unknown key; did you mean seed?\n"));
  CHECK_THAT(told, Catch::Matchers::EndsWith("\nand 49990 more"));
  CHECK(std::count(told.begin(), told.end(), '\n') == 10);
}

TEST_CASE("invalid values are quoted at a readable length") {
  const std::string long_name(100'000, 'x');
  for (const std::string& text : {long_name + ": 1", "data: " + long_name, "seed: " + long_name, "seed: 7" + long_name,
                                  "collector: {policy: " + long_name + "}", "streams: [{name: [" + long_name + "]}]"}) {
    CAPTURE(text.substr(0, 40));
    const std::string told = error_of(text);
    CHECK(told.size() > 20);
    CHECK(told.size() < 500);
  }
}

TEST_CASE("written parameters are complete and read back unchanged") {
  for (const char* text :
       {"", "collector: {policy: randomized_greedy, candidates: 3}\nstreams: [{depth: 2}, {name: x}]\n",
        "streams: []\nnand: {spare: 0.1, timing: {t_read_us: []}}\n"}) {
    SampleDrive drive = read(text);
    const Value written = write_parameters(drive);
    CAPTURE(write_yaml(written));
    SampleDrive again = read(write_yaml(written));
    CHECK(write_parameters(again) == written);
  }
  SampleDrive standard;
  CHECK(write_yaml(write_parameters(standard)) ==
        "seed: 1\n"
        "data: none\n"
        "nand:\n"
        "  timing:\n"
        "    t_prog_us: 700.0\n"
        "    t_bers_us: 5000.0\n"
        "    t_read_us: [50.0, 100.0, 150.0]\n"
        "  page_bytes: 16384\n"
        "  spare: 0.07\n"
        "collector:\n"
        "  policy: greedy\n"
        "  enabled: true\n"
        "streams:\n"
        "  name: reads\n"
        "  depth: 1\n"
        "  words: [r, read]\n");
}
