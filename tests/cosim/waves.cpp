// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "catch.h"
#include "core/error.h"
#include "rtl/blocks/verilated_blocks.h"

using namespace nandscape;

namespace {

void run(rtl::VerilatedStream& design, int cycles, std::uint64_t from_ps) {
  for (int i = 0; i < cycles; ++i) {
    design.waves().begin_cycle(from_ps + 1000 * static_cast<std::uint64_t>(i), 1000);
    design.cycle({.in = {.data = 1, .valid = true, .last = i % 8 == 7}, .seed = 3, .out_ready = true});
  }
}

}  // namespace

TEST_CASE("only the waves within the window are written") {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "nandscape_waves.fst";
  std::filesystem::remove(path);
  const auto design = rtl::make_scrambler();
  run(*design, 10, 0);
  CHECK_FALSE(std::filesystem::exists(path));
  design->waves().open(path.string());
  run(*design, 1000, 10000);
  design->waves().close();
  const std::uintmax_t bytes = std::filesystem::file_size(path);
  CHECK(bytes > 1000);
  // Cycles outside the window add nothing.
  run(*design, 1000, 1010000);
  CHECK(std::filesystem::file_size(path) == bytes);
  std::filesystem::remove(path);
}

TEST_CASE("the error for waves that cannot be written names the file") {
  const auto design = rtl::make_scrambler();
  CHECK_THROWS_WITH(design->waves().open("/nowhere/waves.fst"), ContainsSubstring("/nowhere/waves.fst"));
  CHECK_THROWS_AS(design->waves().open("/nowhere/waves.fst"), InputError);
}
