// SPDX-License-Identifier: Apache-2.0
// Describes the error-correcting code that protects the payload of each codeword.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nandscape::ecc {

// The family name of codes that are loaded from plug-ins (`ecc.plugin`).
inline constexpr std::string_view plugin_family = "plugin";

struct Code {
  std::string family = "bch";  // a registered family (code_family.h), or plugin_family
  std::uint32_t payload_bytes = 0;
  std::uint32_t correctable_bits = 0;   // number of errors that the BCH code corrects; 0 without a BCH code
  std::uint32_t ldpc_parity_bytes = 0;  // parity of the LDPC code; 0 without an LDPC code
  std::string plugin = {};              // path of the plug-in that contains the codec; empty for built-in codecs
  std::string plugin_options = {};      // options for the codec of the plug-in

  bool operator==(const Code&) const = default;
};

// Returns the name of a code:
//   bch_<payload bytes>_<correctable bits>
//   ldpc_<payload bytes>_<parity bytes>
//   concatenated_<payload bytes>_<correctable bits>_<LDPC parity bytes>
//   plugin_<payload bytes>:<path of the library>, followed by ?<options> if there are any
std::string to_string(const Code& code);
// Parses a name as returned by to_string(). A relative path of a plug-in becomes absolute. Throws std::invalid_argument
// if the name has another form.
Code code_named(std::string_view name);

// Returns the codes for which the project ships measurements.
std::vector<Code> shipped_codes();

}  // namespace nandscape::ecc
