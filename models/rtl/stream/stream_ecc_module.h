// SPDX-License-Identifier: Apache-2.0
// An ECC engine that consists of cycle-accurate designs: a decoder, an encoder and, optionally, a scrambler for both.
// Without a scrambler, the scrambling is done in C++ and needs no simulated time. The sockets and the results are the
// same as those of ecc::EccEngineModule with the decoder `bit_true`. The times are determined by the cycles of the
// designs. The codewords of a job are processed without gaps. A job begins when the previous job has ended.
//
// The ports of the designs transfer only bytes, a bit that reports a failed codeword, and the number of corrected bits.
// Jobs that need more than this are refused:
//
//   - jobs without bytes (simulation.data: none): a design has nothing to decode
//   - soft reads: a design takes one bit per cell
//   - jobs of a second code: a design implements one code
//
// The designs do not compute the CRC. It is computed and checked in C++ and needs no simulated time.
//
// Each codeword of a job must be a separate part of the page. Parity that is shared with other pages is not supported.
// The parity in the page is not corrected, because it is not used again.
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
  std::uint32_t parity_bytes = 0;  // parity that the code adds to a codeword; at most that of the layout
  std::uint32_t crc_bits = 0;      // size of the CRC of each codeword (ecc/codes/payload_crc.h); 0 if there is none
  // The capacity of each FIFO in jobs, including the job in progress. 0 means unlimited.
  std::uint32_t decode_fifo_pages = 0;
  std::uint32_t encode_fifo_pages = 0;
};

// Designs that are clocked by the engine itself.
struct StreamDesigns {
  std::unique_ptr<ClockedStream> decoder;
  std::unique_ptr<ClockedStream> encoder;
  std::unique_ptr<ClockedStream> scrambler = nullptr;  // optional
};

// Designs that are clocked by other drivers, for example by a StreamPinsModule. The drivers must outlive the engine.
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

  // Resets all designs at the calendar's current time. Jobs stay in their FIFOs, and jobs that the reset has
  // interrupted begin again.
  void reset();

  const ecc::EccCounters& counters() const { return counters_; }
  // Returns true if no job is in progress.
  bool idle() const;
  // Return the number of clock cycles in which the design processed frames.
  std::uint64_t decoder_cycles() const { return drivers_.decoder.cycles(); }
  std::uint64_t encoder_cycles() const { return drivers_.encoder.cycles(); }
  // Saves or restores the counters. No job may be in progress.
  void persist(Archive& archive);

 private:
  class Side;
  struct Owned;

  Calendar& calendar_;
  const std::unique_ptr<Owned> owned_;  // null if the designs are clocked by other drivers
  const StreamDrivers drivers_;
  const StreamEccParameters parameters_;
  ecc::EccCounters counters_;
  const std::unique_ptr<Side> decoder_;
  const std::unique_ptr<Side> encoder_;
};

}  // namespace nandscape::rtl
