// SPDX-License-Identifier: Apache-2.0
#include "ecc/codes/code.h"

#include <array>
#include <charconv>
#include <stdexcept>
#include <vector>

#include "core/message_text.h"

namespace nandscape {

namespace {

struct Family {
  CodeFamily family;
  std::string_view prefix;
  bool correctable_bits;
  bool ldpc_parity_bytes;
};

constexpr std::array<Family, 3> families = {{
    {CodeFamily::bch, "bch", true, false},
    {CodeFamily::ldpc, "ldpc", false, true},
    {CodeFamily::concatenated, "concatenated", true, true},
}};

[[noreturn]] void refuse(std::string_view name) {
  throw std::invalid_argument("\"" + printable(name, 80) +
                              "\" names no code; a name is bch_<payload bytes>_<correctable bits>, ldpc_<payload "
                              "bytes>_<parity bytes> or concatenated_<payload bytes>_<correctable bits>_<LDPC parity "
                              "bytes>, such as bch_1024_72 or ldpc_4096_512");
}

}  // namespace

std::string to_string(const Code& code) {
  for (const Family& family : families) {
    if (family.family != code.family) continue;
    std::string name(family.prefix);
    const auto append = [&](std::uint32_t number) { name.append("_").append(std::to_string(number)); };
    append(code.payload_bytes);
    if (family.correctable_bits) append(code.correctable_bits);
    if (family.ldpc_parity_bytes) append(code.ldpc_parity_bytes);
    return name;
  }
  return "?";
}

Code code_named(std::string_view name) {
  for (const Family& family : families) {
    if (!name.starts_with(family.prefix)) continue;
    Code code;
    code.family = family.family;
    std::vector<std::uint32_t*> numbers = {&code.payload_bytes};
    if (family.correctable_bits) numbers.push_back(&code.correctable_bits);
    if (family.ldpc_parity_bytes) numbers.push_back(&code.ldpc_parity_bytes);
    const char* at = name.data() + family.prefix.size();
    const char* const end = name.data() + name.size();
    for (std::uint32_t* number : numbers) {
      if (at == end || *at != '_') refuse(name);
      const auto [rest, error] = std::from_chars(at + 1, end, *number);
      if (error != std::errc()) refuse(name);
      at = rest;
    }
    if (at != end) refuse(name);
    return code;
  }
  refuse(name);
}

std::span<const Code> shipped_codes() {
  static constexpr std::array<Code, 17> codes = {{
      {CodeFamily::bch, 1080, 24, 0},
      {CodeFamily::bch, 1024, 72, 0},
      {CodeFamily::bch, 4096, 55, 0},
      {CodeFamily::bch, 2048, 29, 0},
      {CodeFamily::bch, 1024, 16, 0},
      {CodeFamily::bch, 512, 9, 0},
      {CodeFamily::bch, 256, 5, 0},
      {CodeFamily::bch, 128, 3, 0},
      {CodeFamily::ldpc, 4096, 0, 512},
      {CodeFamily::ldpc, 4096, 0, 256},
      {CodeFamily::ldpc, 2048, 0, 256},
      {CodeFamily::ldpc, 2048, 0, 128},
      {CodeFamily::ldpc, 4096, 0, 544},
      {CodeFamily::ldpc, 4096, 0, 480},
      {CodeFamily::ldpc, 4096, 0, 448},
      {CodeFamily::ldpc, 4096, 0, 576},
      {CodeFamily::concatenated, 4096, 24, 512},
  }};
  return codes;
}

}  // namespace nandscape
