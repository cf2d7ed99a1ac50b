// SPDX-License-Identifier: Apache-2.0
// Tests codecs that come from plug-ins, separately and in a drive.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "core/random.h"
#include "ecc/codes/code.h"
#include "ecc/codes/codec.h"
#include "platform/config/configuration.h"
#include "platform/config/yaml_reader.h"
#include "platform/simulation/simulation.h"

namespace nandscape {
namespace {

const std::string folder = NANDSCAPE_PLUGIN_FOLDER;

ecc::Code code_of(const std::string& plugin, std::uint32_t payload_bytes, const std::string& options = "") {
  return {.family = std::string(ecc::plugin_family),
          .payload_bytes = payload_bytes,
          .plugin = folder + plugin + ".so",
          .plugin_options = options};
}

std::vector<std::byte> random_bytes(RandomStream& random, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

void flip(std::vector<std::byte>& payload, std::vector<std::byte>& parity, std::uint32_t bit) {
  const auto payload_bits = static_cast<std::uint32_t>(8 * payload.size());
  std::byte& byte = bit < payload_bits ? payload[bit / 8] : parity[(bit - payload_bits) / 8];
  byte ^= std::byte{1} << bit % 8;
}

const std::string device = R"(
extends: bare
simulation: {data: stored, cells: statistical}
controller: {mapping: {over_provisioning: 0.7}}
channel: {count: 2}
ecc: {decoder: bit_true}
host: {workload: {requests: 150, read_percent: 50, block_bytes: 16384, queue_depth: 8}}
nand:
  geometry: {chips_per_channel: 1, dies_per_chip: 1, planes_per_die: 2, blocks_per_plane: 16, pages_per_block: 24}
  condition: {pe_cycles: 1500, retention_days: 30}
)";

using Keys = std::vector<std::string>;

Configuration configuration(const Keys& keys) {
  std::vector<Override> overrides;
  for (const std::string& key : keys) overrides.push_back(parse_override(key));
  return resolve_configuration(read_yaml(device, {"device", 0}), overrides);
}

std::string refusal(const Keys& keys) {
  try {
    configuration(keys);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("plug-in codecs: a Hamming code corrects each single error") {
  const auto codec = make_codec(code_of("hamming", 64));
  REQUIRE(codec->codeword_bits() == 512 + 10);
  RandomStream random(1, "hamming");
  const std::vector<std::byte> payload = random_bytes(random, 64);
  std::vector<std::byte> parity(codec->parity_bytes());
  codec->encode(payload.data(), parity.data());
  for (std::uint32_t bit = 0; bit < codec->codeword_bits(); ++bit) {
    std::vector<std::byte> read = payload, read_parity = parity;
    flip(read, read_parity, bit);
    const ecc::DecodeOutcome outcome = codec->decode(read.data(), read_parity.data());
    REQUIRE(outcome.corrected);
    REQUIRE(outcome.corrected_bits == 1);
    REQUIRE(read == payload);
    REQUIRE(read_parity == parity);
  }
  // A codec that has no soft decoding uses only the signs of the LLRs of a soft read.
  std::vector<std::int8_t> llr(codec->codeword_bits());
  for (std::uint32_t bit = 0; bit < llr.size(); ++bit) {
    const std::byte byte = bit < 512 ? payload[bit / 8] : parity[(bit - 512) / 8];
    llr[bit] = (byte >> bit % 8 & std::byte{1}) == std::byte{0} ? -3 : 3;
  }
  llr[100] = static_cast<std::int8_t>(-llr[100]);
  std::vector<std::byte> decided(64), decided_parity(parity.size());
  CHECK(codec->decode_soft(llr, decided.data(), decided_parity.data()).corrected_bits == 1);
  CHECK(decided == payload);
}

TEST_CASE("plug-in codecs: the facts of a codec are checked") {
  CHECK_THROWS_WITH(make_codec(code_of("misbehaving", 512, "other payload")), ContainsSubstring("was asked for 512"));
  CHECK_THROWS_WITH(make_codec(code_of("misbehaving", 512, "no parity")), ContainsSubstring("has 0 bits of parity"));
  CHECK_THROWS_WITH(make_codec(code_of("misbehaving", 512, "too many errors")),
                    ContainsSubstring("as many as a codeword has bits"));
}

TEST_CASE("plug-in codecs: the error for a broken rule names the plug-in") {
  std::vector<std::byte> payload(512), parity(1);
  const auto throwing = make_codec(code_of("misbehaving", 512, "throw in encode"));
  CHECK_THROWS_WITH(throwing->encode(payload.data(), parity.data()),
                    ContainsSubstring("misbehaving.so: the plug-in threw an exception in encode(): no paper left"));
  const auto number = make_codec(code_of("misbehaving", 512, "throw a number in decode"));
  CHECK_THROWS_WITH(number->decode(payload.data(), parity.data()),
                    ContainsSubstring("not derived from std::exception"));
  const auto boasting = make_codec(code_of("misbehaving", 512, "correct too much"));
  CHECK_THROWS_AS(boasting->decode(payload.data(), parity.data()), InputError);
}

TEST_CASE("plug-in codecs: the name of a code identifies it") {
  for (const ecc::Code& code : {code_of("hamming", 512), code_of("repetition", 64, "copies?5")}) {
    CHECK(ecc::code_named(to_string(code)) == code);
  }
  CHECK(to_string(code_of("hamming", 512)) == "plugin_512:" + folder + "hamming.so");
  CHECK(ecc::code_named("plugin_512:x/../lib.so").plugin == std::filesystem::current_path() / "lib.so");
  for (const char* name : {"plugin_512", "plugin_512:", "plugin_:lib.so", "plugin_5a:lib.so"}) {
    CHECK_THROWS_WITH(ecc::code_named(name), ContainsSubstring("plugin_<payload bytes>:<path>"));
  }
}

TEST_CASE("plug-in codecs: nandscape's own code gives the same results in a plug-in") {
  const auto run = [](const Keys& keys) {
    Simulation simulation(configuration(keys));
    simulation.run();
    Value statistics = simulation.statistics();
    std::erase_if(*statistics.map_items(), [](const auto& entry) { return entry.first == "simulation"; });
    return std::pair(simulation.now(), statistics.to_json());
  };
  for (const std::string decoder : {"bit_true", "threshold"}) {
    const std::string by = "ecc.decoder=" + decoder;
    const auto built_in = run({by, "ecc.correctable_bits=72"});
    CHECK(built_in == run({by, "ecc.plugin=" + folder + "bch.so", "ecc.plugin_options=\"72\""}));
    CHECK(built_in != run({by, "ecc.plugin=" + folder + "bch.so", "ecc.plugin_options=\"4\""}));
  }
}

TEST_CASE("plug-in codecs: a configuration that does not suit them is refused with its key") {
  const std::string hamming = "ecc.plugin=" + folder + "hamming.so";
  CHECK(refusal({hamming}).empty());
  CHECK_THAT(refusal({"ecc.plugin=none.so"}), ContainsSubstring("ecc.plugin: there is no file"));
  CHECK_THAT(refusal({"ecc.plugin=none.so", "ecc.decoder=threshold"}),
             ContainsSubstring("ecc.plugin: there is no file"));
  CHECK_THAT(refusal({"ecc.plugin=" + folder + "repetition.so"}),
             ContainsSubstring(
                 "need 32768 bytes for parity and 64 for CRCs (ecc.crc_bits), but nand.geometry.spare_bytes is"));
  CHECK_THAT(refusal({"ecc.plugin=" + folder + "misbehaving.so", "ecc.decoder=threshold"}),
             ContainsSubstring("does not say how many errors it corrects"));
  CHECK_THAT(refusal({hamming, "ecc.decoder=table"}),
             ContainsSubstring("no measurements come with the code of a plug-in"));
  CHECK_THAT(refusal({hamming, "simulation.data=none"}), ContainsSubstring("the decoder decodes bytes"));
  CHECK_THAT(refusal({hamming, "controller.read_retry.policy=soft"}), ContainsSubstring("soft decoder"));
}

TEST_CASE("plug-in codecs: their path is relative to the file that names it") {
  const std::filesystem::path library = folder + "hamming.so";
  const std::filesystem::path file = folder + "sub/device.yaml";
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << device << "# a comment\n";
  std::ofstream(file.parent_path() / "named.yaml") << "extends: ./device.yaml\necc: {plugin: ../hamming.so}\n";
  const Configuration named = load_configuration((file.parent_path() / "named.yaml").string());
  CHECK(named.parameters.ecc.plugin == library.string());
  // The resolved configuration contains the absolute path, so it works from any folder.
  CHECK(resolve_configuration(named.resolved).parameters.ecc.plugin == library.string());
  const std::string relative = std::filesystem::relative(library).string();
  CHECK(configuration({"ecc.plugin=" + relative}).parameters.ecc.plugin == library.string());
}

}  // namespace nandscape
