// SPDX-License-Identifier: Apache-2.0
// A family of codes (`ecc.codec`): defines which numbers identify a code of the family, and makes the codecs that
// encode and decode. The family of plug-ins is not selected by `ecc.codec` but by `ecc.plugin`.
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

  // Whether a code of this family is described by these fields of Code. The name of a code lists the fields in this
  // order.
  virtual bool has_correctable_bits() const = 0;
  virtual bool has_ldpc_parity() const = 0;

  // Returns the number of errors that the code always corrects, whatever their positions, or 0 if no such number is
  // known. If the code does not exist, this function and takes_soft_reads() throw the same errors as make_codec().
  virtual std::uint32_t guaranteed_errors(const Code&) const { return 0; }
  // Returns true if soft reads improve the decoding of this code. Otherwise the drive makes no soft reads.
  [[nodiscard]] virtual bool takes_soft_reads(const Code&) const { return false; }
  // Returns true if the family can have several codes that differ only in their parity.
  virtual bool has_any_parity() const { return false; }

  // Returns the probability that a word with more errors than the code corrects is decoded to a wrong codeword and
  // reported as corrected. Returns nullopt if no closed form is known (see miscorrection.h).
  virtual std::optional<double> miscorrected_share(const Code&, std::uint32_t /*codeword_bits*/) const {
    return std::nullopt;
  }

  // Returns the codes of this family for which the project ships measurements.
  virtual std::vector<Code> shipped_codes() const { return {}; }

  // Makes an encoder and decoder for `code`. Throws std::invalid_argument if the code does not exist. The message lists
  // the codes that exist.
  virtual std::unique_ptr<Codec> make_codec(const Code& code) const = 0;
};

using CodeFamilyRegistry = Registry<CodeFamily>;
CodeFamilyRegistry& code_family_registry();

// Returns the family with this name. Throws std::logic_error if there is none.
const CodeFamily& code_family(std::string_view name);

}  // namespace nandscape::ecc
