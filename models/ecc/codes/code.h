// SPDX-License-Identifier: Apache-2.0
// Which code protects the payload of a codeword.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nandscape::ecc {

// Family of the codes that plug-ins bring (`ecc.plugin`).
inline constexpr std::string_view plugin_family = "plugin";

struct Code {
  std::string family = "bch";  // a registered one (code_family.h), or plugin_family
  std::uint32_t payload_bytes = 0;
  std::uint32_t correctable_bits = 0;   // of the BCH code; 0 where there is none
  std::uint32_t ldpc_parity_bytes = 0;  // of the LDPC code; 0 where there is none
  std::string plugin = {};              // path of the library that has the codec; empty where nandscape has it
  std::string plugin_options = {};      // that its codec is made with

  bool operator==(const Code&) const = default;
};

// bch_<payload bytes>_<correctable bits>, ldpc_<payload bytes>_<parity bytes>,
// concatenated_<payload bytes>_<correctable bits>_<LDPC parity bytes>,
// plugin_<payload bytes>:<path of the library>, and behind that ?<options> where there are any
std::string to_string(const Code& code);
// Throws std::invalid_argument for a name of another form. The path of a plug-in becomes an absolute one.
Code code_named(std::string_view name);

// Those that the project ships measurements for.
std::vector<Code> shipped_codes();

}  // namespace nandscape::ecc
