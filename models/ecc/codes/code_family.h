// SPDX-License-Identifier: Apache-2.0
// A family of codes (`ecc.codec`): the numbers that identify its codes, and the codecs that encode and decode them.
// The family of plug-ins is not a variant: `ecc.plugin` selects it.
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

  // Whether codes of this family have these fields of a Code, in the order in which names state them.
  virtual bool has_correctable_bits() const = 0;
  virtual bool has_ldpc_parity() const = 0;

  // Number of errors that the code corrects wherever they lie; 0 if no such number is known. If the code does not
  // exist, this and takes_soft_reads() throw the errors of make_codec().
  virtual std::uint32_t guaranteed_errors(const Code&) const { return 0; }
  // Whether soft reads help the code; if not, the drive makes none.
  [[nodiscard]] virtual bool takes_soft_reads(const Code&) const { return false; }
  // Whether the family has codes that differ only in their parity.
  virtual bool has_any_parity() const { return false; }

  // The probability that the decoder reports a word as corrected although it has more errors than the code corrects.
  // Returns nullopt if no closed form is known (see miscorrection.h).
  virtual std::optional<double> miscorrected_share(const Code&, std::uint32_t /*codeword_bits*/) const {
    return std::nullopt;
  }

  // The codes for which the project ships measurements.
  virtual std::vector<Code> shipped_codes() const { return {}; }

  // Throws std::invalid_argument if there is no such code; the message names the alternatives.
  virtual std::unique_ptr<Codec> make_codec(const Code& code) const = 0;
};

using CodeFamilyRegistry = Registry<CodeFamily>;
CodeFamilyRegistry& code_family_registry();

// The family of that name. Throws std::logic_error if there is none.
const CodeFamily& code_family(std::string_view name);

}  // namespace nandscape::ecc
