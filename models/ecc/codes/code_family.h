// SPDX-License-Identifier: Apache-2.0
// A family of codes (`ecc.codec`): which numbers tell its codes apart, and the codecs that encode and decode them.
// Variants: bch, ldpc, concatenated. The family of plug-ins is none of them: it is chosen by `ecc.plugin`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/registry.h"
#include "ecc/codes/code.h"
#include "ecc/codes/codec.h"

namespace nandscape::ecc {

class CodeFamily {
 public:
  virtual ~CodeFamily() = default;

  // Numbers of a Code that its codes have besides their payload, in the order of their names.
  virtual bool has_correctable_bits() const = 0;
  virtual bool has_ldpc_parity() const = 0;

  // Errors that the code corrects wherever they lie; 0 where no such number is known. Like takes_soft_reads() it asks
  // that there is such a code, and throws what make_codec() throws otherwise.
  virtual std::uint32_t guaranteed_errors(const Code&) const { return 0; }
  // Soft reads are made for the code.
  virtual bool takes_soft_reads(const Code&) const { return false; }
  // Has codes that differ in their parity alone.
  virtual bool has_any_parity() const { return false; }

  // The probability that the decoder reports a word with more errors than the code corrects as corrected; none where no
  // closed form gives it (see miscorrection.h).
  virtual std::optional<double> miscorrected_share(const Code&, std::uint32_t /*codeword_bits*/) const {
    return std::nullopt;
  }

  // Those that the project ships measurements for.
  virtual std::vector<Code> shipped_codes() const { return {}; }

  // Throws std::invalid_argument, saying what there is instead, when there is no such code.
  virtual std::unique_ptr<Codec> make_codec(const Code& code) const = 0;
};

using CodeFamilyRegistry = Registry<CodeFamily>;
const CodeFamilyRegistry& code_family_registry();

// The family of that name. Throws std::logic_error when there is none.
const CodeFamily& code_family(std::string_view name);

}  // namespace nandscape::ecc
