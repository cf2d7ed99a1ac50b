// SPDX-License-Identifier: Apache-2.0
#include "platform/config/code_tables.h"

#include <algorithm>
#include <fstream>

#include "catch.h"
#include "platform/config/flash_device_parameters.h"
#include "unit/platform/temporary_folder.h"

using namespace nandscape;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

ecc::CodeMeasurement sample() {
  ecc::CodeMeasurement m{ecc::code_named("bch_1080_24"), 42, 1080, 8976, {}, {}};
  m.by_levels[1] = {{24, {128, 0, 0, 0, 0}}, {25, {128, 128, 1, 0, 0}}};
  m.by_levels[3] = {{24, {256, 3, 0, 512, 1100}}};
  m.off_channel[3] = {24, 14, {512, 1, 0, 900, 1800}};
  return m;
}

const std::string head = "code: bch_1080_24\nseed: 1\npayload_bytes: 1080\ncodeword_bits: 8976\n";

}  // namespace

TEST_CASE("a measurement survives a round trip through a file") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "table.yaml";
  for (const ecc::CodeMeasurement& m :
       {sample(), ecc::CodeMeasurement{ecc::code_named("ldpc_4096_512"), 1, 4096, 36864, {}, {}}}) {
    save_code_measurement(m, file);
    CHECK(read_code_measurement(file) == m);
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  }
  CHECK_THROWS_WITH(save_code_measurement(sample(), folder.path() / "no" / "table.yaml"),
                    Contains("cannot be written"));
}

TEST_CASE("a written measurement has a readable summary") {
  const std::string text = write_code_measurement(sample());
  CHECK_THAT(text, StartsWith("# SPDX"));
  CHECK_THAT(text, Contains("# 1 sensing level: 1e-2 of the frames fail at RBER"));
  CHECK_THAT(text, Contains("characterize-ecc bch_1080_24"));
  const std::size_t longest = 120;
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
    end = text.find('\n', at);
    CHECK(std::min(end, text.size()) - at <= longest);
  }
}

TEST_CASE("errors in broken files give the line") {
  const TemporaryFolder folder;
  const auto complaint = [&](const std::string& text) {
    try {
      read_code_measurement(folder.write("broken.yaml", text));
    } catch (const ConfigError& error) {
      return std::string(error.what()).substr(folder.path().string().size() + 1);
    }
    return std::string();
  };
  CHECK_THAT(complaint(""), StartsWith("broken.yaml: "));
  CHECK_THAT(complaint("code: [\n"), Contains("not valid YAML"));
  CHECK_THAT(complaint(head), StartsWith("broken.yaml: rows: is missing"));
  CHECK_THAT(complaint(head + "rows: []\nlevel: 1\n"), StartsWith("broken.yaml:6: level"));
  CHECK_THAT(complaint(head + "rows: 3\n"), StartsWith("broken.yaml:5: rows"));
  CHECK_THAT(complaint(head + "rows:\n  - [1, 2]\n"), StartsWith("broken.yaml:6: rows"));
  CHECK_THAT(complaint(head + "rows:\n  - [1, 2, 2, 10, 1, 0, 0, -1]\n"), StartsWith("broken.yaml:6: rows"));
  CHECK_THAT(complaint(head + "rows:\n  - [1, 2, 2, 10, 11, 0, 0, 0]\n"), StartsWith("broken.yaml:6: rows"));
  CHECK_THAT(complaint(head + "rows:\n  - [1, 2, 2, 10, 1, 2, 0, 0]\n"), StartsWith("broken.yaml:6: rows"));
  CHECK_THAT(complaint(head + "rows:\n  - [8, 2, 2, 10, 1, 0, 0, 0]\n"), Contains("1 to 7 sensing levels"));
  CHECK_THAT(complaint(head + "rows:\n  - [1, 9000, 9000, 10, 1, 0, 0, 0]\n"), Contains("more errors than bits"));
  const std::string row = "  - [1, 2, 2, 10, 1, 0, 0, 0]\n";
  CHECK_THAT(complaint(head + "rows:\n" + row + row), StartsWith("broken.yaml:7: rows"));
  CHECK_THAT(complaint("code: bch_1080\n" + head.substr(head.find('\n') + 1) + "rows: []\n"),
             StartsWith("broken.yaml:1: code"));
  CHECK_THAT(complaint("code: bch_1024_24\n" + head.substr(head.find('\n') + 1) + "rows: []\n"),
             StartsWith("broken.yaml:3: payload_bytes"));
}

TEST_CASE("a table is found by the name of its code or by its path") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "mine.yaml";
  save_code_measurement(sample(), file);
  CHECK(code_table(file.string()).measurement() == sample());
  save_code_measurement({ecc::code_named("bch_1080_24"), 1, 1080, 8976, {}, {}}, file);
  CHECK_THROWS_WITH(code_table(file.string()), Contains("mine.yaml") && Contains("holds no frames yet"));
  CHECK_THROWS_WITH(code_table("bch_512_3", {"drive.yaml", 7}, "ecc.code"),
                    StartsWith("drive.yaml:7: ecc.code: ") && Contains("`nandscape characterize-ecc bch_512_3`"));
  CHECK_THROWS_WITH(code_table("bch_1024_27_"), Contains("did you mean bch_1024_72?"));
  CHECK_THROWS_WITH(code_table("turbo"), Contains("ldpc_4096_512"));
}

TEST_CASE("a device needs a table of its own code, with hard reads") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "mine.yaml";
  ecc::EccParameters ecc;
  ecc.decoder.name = "table";
  ecc.codeword_bytes = 1080;
  ecc.correctable_bits = 24;
  ecc.table = file.string();
  save_code_measurement(sample(), file);
  CHECK(code_table_of(ecc).measurement() == sample());
  ecc.correctable_bits = 25;
  CHECK_THROWS_WITH(code_table_of(ecc),
                    StartsWith("ecc.table: holds measurements of bch_1080_24") && Contains("bch_1080_25"));
  ecc.correctable_bits = 24;
  ecc::CodeMeasurement soft = sample();
  soft.by_levels.erase(1);
  save_code_measurement(soft, file);
  CHECK_THROWS_WITH(code_table_of(ecc), StartsWith("ecc.table: holds no frames of 1 sensing level"));
}

TEST_CASE("a file in the working directory does not shadow a code's table") {
  const TemporaryFolder folder;
  folder.write("bch_1024_72", "password: xyzzy\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const ecc::CodeTable shipped = code_table("bch_1024_72");
  CHECK_THROWS_WITH(code_table("./bch_1024_72"), Contains("bch_1024_72"));
  std::filesystem::current_path(before);
  CHECK(shipped.code() == ecc::code_named("bch_1024_72"));
  CHECK_THROWS_WITH(code_table("bch_1024_72.yaml"), Contains("there is no file 'bch_1024_72.yaml'"));
  CHECK_THROWS_WITH(code_table(folder.path().string() + "/"), Contains("not a regular file"));
}
