// SPDX-License-Identifier: Apache-2.0
// A decoder model (`ecc.decoder`) makes the coders of the ECC engines. It also states what the coders need from the
// other parts of the device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/registry.h"
#include "core/work_team.h"
#include "ecc/codes/code.h"
#include "ecc/measurement/code_table.h"
#include "ecc/page_coders/page_coder.h"
#include "protocol/page_layout.h"

namespace nandscape::ecc {

// One of the codes of the drive. A job refers to it by its index (EccJob::code).
struct CoderCode {
  Code code;
  std::uint32_t correctable_bits = 0;
  PageLayout layout = {};
  std::shared_ptr<const CodeTable> table = nullptr;  // null unless the decoder uses tables
};

// The arguments with which a decoder model makes the coder of an engine.
struct PageCoderContext {
  std::span<const CoderCode> codes;
  std::uint64_t seed;
  std::string_view engine;
  std::uint32_t crc_bits = 0;  // size of the CRC of each codeword; 0 if there is none
  std::shared_ptr<WorkTeam> team = std::make_shared<WorkTeam>();  // `simulation.threads`
};

class DecoderModel {
 public:
  virtual ~DecoderModel() = default;

  // Returns true if the decoder uses the code of the configuration. Then the code's parity must fit into the spare
  // bytes, and errors are counted for each codeword. If false, the decoder corrects up to correctable_bits errors in a
  // codeword, whatever the size of its parity.
  virtual bool has_code() const { return true; }
  // Returns true if the decoder reports the number of iterations for each codeword.
  virtual bool counts_iterations() const { return has_code(); }
  // Returns true if the decoder uses tables that were measured with the real decoder (CodeTable).
  virtual bool has_tables() const { return false; }
  // Returns true if the decoder works on the bytes of pages, including parity. The simulation must then store these
  // bytes.
  virtual bool has_bytes() const { return false; }
  // Returns true if the decoder needs to know only the amount of parity. It can then decode a code whose parity is
  // spread over several pages.
  virtual bool takes_borrowed_parity() const { return false; }
  // Returns true if the decoder models codewords that are corrected to wrong data, which a CRC can detect.
  virtual bool miscorrects() const { return false; }
  // Returns true if the decoder divides the codewords of a page among the threads of the simulation.
  virtual bool uses_threads() const { return false; }
  // Throws ConfigError if the parameters of the decoder model contradict each other.
  virtual void check() const {}

  virtual std::unique_ptr<PageCoder> make_coder(const PageCoderContext& context) const = 0;
};

using DecoderRegistry = Registry<DecoderModel>;
DecoderRegistry& decoder_registry();

}  // namespace nandscape::ecc
