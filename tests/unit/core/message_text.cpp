// SPDX-License-Identifier: Apache-2.0
#include "core/message_text.h"

#include "catch.h"
#include "core/error.h"

namespace nandscape {
namespace {

using namespace std::string_view_literals;

TEST_CASE("invalid text is shown as question marks") {
  CHECK(printable("t_prog_us = 700 µs, 10 €, 𝄞", 100) == "t_prog_us = 700 µs, 10 €, 𝄞");
  CHECK(printable("a\0b\nc\x1b[31m\x7f"sv, 100) == "a?b?c?[31m?");
  CHECK(printable("\xC2\x9Bx", 100) == "?x");  // a control character of two bytes
  // An invalid first byte, a stray continuation byte, a truncated character.
  CHECK(printable("\xFF\x80 \xC3", 100) == "?? ?");
  CHECK(printable("\xC0\xAF", 100) == "??");            // overlong encoding
  CHECK(printable("\xED\xA0\x80", 100) == "???");       // half of a surrogate pair
  CHECK(printable("\xF4\x90\x80\x80", 100) == "????");  // beyond the last code point
}

TEST_CASE("long text is cut between two characters") {
  CHECK(printable(std::string(10, 'x'), 10) == std::string(10, 'x'));
  CHECK(printable(std::string(11, 'x'), 10) == std::string(10, 'x') + "...");
  CHECK(printable("µµµ", 3) == "µµ...");
  CHECK(quotation(std::string(1'000'000, 'x')).size() < 100);
}

TEST_CASE("whatever an error contains, its message is short and printable") {
  const std::string huge(5'000'000, '\xFF');
  const ConfigError error({"drive.yaml", 3}, huge, huge);
  CHECK(std::string_view(error.what()).size() < 5000);
  CHECK(std::string_view(error.what()).starts_with("drive.yaml:3: ????"));
  CHECK(std::string(Error("first\nsecond\x01\n").what()) == "first\nsecond?\n");
  std::string lines;
  for (int k = 0; k < 10'000; ++k) lines += "line\n";
  CHECK(std::string_view(Error(lines).what()).size() < 500);
}

}  // namespace
}  // namespace nandscape
