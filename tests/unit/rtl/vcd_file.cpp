// SPDX-License-Identifier: Apache-2.0
#include "rtl/waves/vcd_file.h"

#include <fstream>
#include <sstream>

#include "catch.h"
#include "core/error.h"
#include "unit/platform/temporary_folder.h"

namespace nandscape::rtl {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_CASE("VCD: declarations, then times with the changes at each") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a.vcd";
  {
    VcdFile file(path.string(), "die");
    const std::size_t ready = file.add("rb_n", 1), data = file.add("dq", 4);
    file.change(0, ready, 1);
    file.change(0, data, 0xa);
    file.change(250, ready, 1);  // unchanged
    file.change(300, ready, 0);
    file.change(300, data, 3);
  }
  CHECK(text_of(path) ==
        "$timescale 1 ps $end\n$scope module die $end\n$var wire 1 ! rb_n $end\n$var wire 4 \" dq $end\n"
        "$upscope $end\n$enddefinitions $end\n"
        "#0\n1!\nb1010 \"\n#300\n0!\nb0011 \"\n");
}

TEST_CASE("VCD: signals beyond the printable characters have two-character codes") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a.vcd";
  {
    VcdFile file(path.string(), "many");
    for (int k = 0; k < 96; ++k) file.add("s" + std::to_string(k), 1);
    file.change(7, 95, 1);
  }
  const std::string text = text_of(path);
  CHECK_THAT(text, ContainsSubstring("$var wire 1 ~ s93 $end") && ContainsSubstring("$var wire 1 !\" s94 $end"));
  CHECK(text.ends_with("#7\n1\"\"\n"));
}

TEST_CASE("VCD: a file without changes has its declarations") {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "a.vcd";
  { VcdFile(path.string(), "none"); }
  CHECK_THAT(text_of(path), ContainsSubstring("$enddefinitions $end"));
}

TEST_CASE("VCD: an error names a file that cannot be written") {
  CHECK_THROWS_AS(VcdFile("/nowhere/a.vcd", "x"), InputError);
  CHECK_THROWS_WITH(VcdFile("/nowhere/a.vcd", "x"), ContainsSubstring("/nowhere/a.vcd"));
}

}  // namespace
}  // namespace nandscape::rtl
