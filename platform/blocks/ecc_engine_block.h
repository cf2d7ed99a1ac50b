// SPDX-License-Identifier: Apache-2.0
// The interface of an ECC engine (protocol/ecc_job.h).
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/registry.h"
#include "ecc/engine_module.h"
#include "platform/blocks/block.h"
#include "platform/blocks/waves.h"
#include "protocol/page_layout.h"

namespace nandscape {

struct EccEngineContext {
  std::string name;  // name of its SystemC module
  Calendar& calendar;
  std::span<const ecc::PageCode> codes;  // the codes of the drive; a job contains the index of its code
  const ecc::CodeParameters& hardware;   // times and FIFOs
  std::uint32_t units;                   // encoders, and as many decoders; several make the engine a pool
  const PageLayout& layout;
  // The configured decoder and its encoder.
  std::unique_ptr<ecc::PageCoder> coder;
  std::string decoder;  // name of the decoder
  bool keeps_data;      // pages have bytes
  // Number of bits of the CRC over each codeword's data, which the coder writes and checks (ecc/codes/payload_crc.h). 0
  // means that there is no CRC.
  std::uint32_t crc_bits;
  WaveFiles& waves;
};

class EccEngineBlock : public Block {
 public:
  virtual JobTargetSocket<EccJob>& decode_socket() = 0;
  virtual JobTargetSocket<EccJob>& encode_socket() = 0;

  // Returns whether the engine can be a pool, and so has as many encoders and decoders as its context asks for.
  virtual bool pools() const { return false; }

  // Returns the counters of a code for statistics. An engine without counters is shown with zeroes.
  virtual ecc::EccCounters counters(CodeNumber) const { return {}; }
};

using EccEngineBlocks = Registry<EccEngineBlock, EccEngineContext&>;
EccEngineBlocks& ecc_engine_blocks();

}  // namespace nandscape
