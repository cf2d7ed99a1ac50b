// SPDX-License-Identifier: Apache-2.0
// A decoder model (`ecc.decoder`): makes the coders of the engines and states what they need from the rest of the
// device.
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

// A code that jobs may name.
struct CoderCode {
  Code code;
  std::uint32_t correctable_bits = 0;
  PageLayout layout = {};
  std::shared_ptr<const CodeTable> table = nullptr;  // null unless the decoder uses tables
};

// The inputs of an engine's coder.
struct PageCoderContext {
  std::span<const CoderCode> codes;
  std::uint64_t seed;
  std::string_view engine;
  std::uint32_t crc_bits = 0;  // beside each codeword; 0: none
};

class DecoderModel {
 public:
  virtual ~DecoderModel() = default;

  // Whether the decoder uses the code of the configuration. If so, the code's parity must fit into the spare bytes, and
  // errors are counted by codeword. Otherwise up to correctable_bits errors of a codeword are corrected, whatever its
  // parity.
  virtual bool has_code() const { return true; }
  // Whether the decoder reports the iterations of codewords.
  virtual bool counts_iterations() const { return has_code(); }
  // Whether the decoder uses tables of measurements.
  virtual bool has_tables() const { return false; }
  // Whether the decoder works on the bytes of pages, including parity, which the simulation must then store.
  virtual bool has_bytes() const { return false; }
  // Whether the decoder needs only the amount of parity, so that it can decode a code whose parity lies in several
  // pages.
  virtual bool takes_borrowed_parity() const { return false; }
  // Whether the decoder models codewords that are wrongly reported as corrected, which a CRC can detect.
  virtual bool miscorrects() const { return false; }
  // Throws ConfigError if its parameters are inconsistent.
  virtual void check() const {}

  virtual std::unique_ptr<PageCoder> make_coder(const PageCoderContext& context) const = 0;
};

using DecoderRegistry = Registry<DecoderModel>;
DecoderRegistry& decoder_registry();

}  // namespace nandscape::ecc
