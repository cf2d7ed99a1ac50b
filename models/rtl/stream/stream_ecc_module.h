// SPDX-License-Identifier: Apache-2.0
// An ECC engine that is made of designs at pins: a decoder, an encoder and, where there is one, a scrambler for both;
// else scrambling is done in C++ and takes no time. Its sockets and its results are those of ecc::EccEngineModule with
// the decoder `bit_true`; its times are the cycles that the designs take. A job's codewords go through a design one
// right behind the other; a job begins when the one before it is done.
//
// Wires carry bytes, whether a codeword failed, and how many bits were corrected. Jobs that need more are refused:
//
//   - without bytes (simulation.data: none): a design has nothing to decode
//   - soft reads: a design takes one bit for each cell
//   - of a second code: a design knows one
//
// Designs know of no CRC: it is made and checked in C++, beside them, and takes no time.
//
// A job is looked at by codewords that lie one by one in the layout; parity that codewords share with other pages has
// no place there. Parity is not corrected in the page, as nobody reads it again.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "core/archive.h"
#include "ecc/engine.h"
#include "protocol/job_port.h"
#include "rtl/stream/codeword_frames.h"
#include "rtl/stream/stream_driver.h"

namespace nandscape::rtl {

struct StreamEccParameters {
  PageLayout layout;
  std::uint32_t parity_bytes = 0;  // that the code makes, out of those that the layout has for a codeword
  std::uint32_t crc_bits = 0;      // of the CRC beside each codeword (ecc/codes/payload_crc.h); 0: none
  // Jobs that a FIFO holds, with the one that is worked on; 0 is one without an end.
  std::uint32_t decode_fifo_pages = 0;
  std::uint32_t encode_fifo_pages = 0;
};

// Designs that are clocked by the engine itself.
struct StreamDesigns {
  std::unique_ptr<ClockedStream> decoder;
  std::unique_ptr<ClockedStream> encoder;
  std::unique_ptr<ClockedStream> scrambler = nullptr;  // may be missing
};

// Designs that others clock, for example on wires. They outlive the engine.
struct StreamDrivers {
  StreamDriver& decoder;
  StreamDriver& encoder;
  StreamDriver* scrambler = nullptr;
};

class StreamEccModule final : public sc_core::sc_module {
 public:
  StreamEccModule(const sc_core::sc_module_name& name, Calendar& calendar, const StreamEccParameters& parameters,
                  const StreamTiming& timing, StreamDesigns designs);
  StreamEccModule(const sc_core::sc_module_name& name, Calendar& calendar, const StreamEccParameters& parameters,
                  const StreamDrivers& drivers);
  ~StreamEccModule() override;

  JobTargetSocket<EccJob>& decode_socket();
  JobTargetSocket<EccJob>& encode_socket();

  // Resets all designs, at the calendar's present. Jobs stay in their FIFOs; those that are cut off begin again.
  void reset();

  const ecc::EccCounters& counters() const { return counters_; }
  // No job is under way.
  bool idle() const;
  // Clock cycles in which there were frames in the design.
  std::uint64_t decoder_cycles() const { return drivers_.decoder.cycles(); }
  std::uint64_t encoder_cycles() const { return drivers_.encoder.cycles(); }
  // What it has counted. No job may be under way.
  void persist(Archive& archive);

 private:
  class Side;
  struct Owned;

  Calendar& calendar_;
  const std::unique_ptr<Owned> owned_;  // null where others clock the designs
  const StreamDrivers drivers_;
  const StreamEccParameters parameters_;
  ecc::EccCounters counters_;
  const std::unique_ptr<Side> decoder_;
  const std::unique_ptr<Side> encoder_;
};

}  // namespace nandscape::rtl
