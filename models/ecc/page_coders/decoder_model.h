// SPDX-License-Identifier: Apache-2.0
// How decoding is modelled (`ecc.decoder`): a model makes the coders of the engines, and says what they ask of the
// rest of the device. Variants: threshold, table, bit_true, steps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/registry.h"
#include "ecc/codes/code.h"
#include "ecc/measurement/code_table.h"
#include "ecc/page_coders/page_coder.h"
#include "protocol/page_layout.h"

namespace nandscape::ecc {

// A code that a job may name.
struct CoderCode {
  Code code;
  std::uint32_t correctable_bits = 0;
  PageLayout layout = {};
  std::shared_ptr<const CodeTable> table = nullptr;  // null unless the decoder goes by tables
};

// What an engine's coder works with.
struct PageCoderContext {
  std::span<const CoderCode> codes;
  std::uint64_t seed;
  std::string_view engine;
  std::uint32_t crc_bits = 0;  // beside each codeword; 0: none
};

class DecoderModel {
 public:
  virtual ~DecoderModel() = default;

  // The code of the configuration exists: its parity has to fit into the spare bytes, and errors count by codeword.
  // Else codewords correct up to correctable_bits errors, whatever their parity.
  virtual bool has_code() const { return true; }
  // Tells how many iterations codewords take.
  virtual bool counts_iterations() const { return has_code(); }
  // Asks tables of measurements.
  virtual bool has_tables() const { return false; }
  // Works on the bytes of pages, parity included, so that the simulation has to keep them.
  virtual bool has_bytes() const { return false; }
  // Goes by the parity of a code alone, so that one whose parity lies in several pages can be decoded.
  virtual bool takes_borrowed_parity() const { return false; }
  // Knows of codewords that are taken for corrected and are not, so that a CRC has something to detect.
  virtual bool miscorrects() const { return false; }
  // Throws ConfigError where its parameters do not go together.
  virtual void check() const {}

  virtual std::unique_ptr<PageCoder> make_coder(const PageCoderContext& context) const = 0;
};

using DecoderRegistry = Registry<DecoderModel>;
const DecoderRegistry& decoder_registry();

}  // namespace nandscape::ecc
