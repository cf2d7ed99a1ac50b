// SPDX-License-Identifier: Apache-2.0
// An ECC engine: an encoder and a decoder, each behind a FIFO, with the scrambler before the encoder and after the
// decoder.
//
// Decoding time is given as a throughput and a latency, or follows from the work (`ecc.decode_time`). In the latter
// case each codeword takes
//
//   codewords:   t_codeword
//   iterations:  (codeword_cycles + iterations * iteration_cycles) / clock
//
// and starts when it has arrived over the bus and the codeword before it is done. So decoding a codeword overlaps the
// transfer of the next one. Encoding time is always given as a throughput and a latency.
//
// Jobs may use several codes, each with its own times. They share the encoder and the decoder; codes with hardware of
// their own have an engine of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/statistics.h"
#include "core/ticks.h"
#include "ecc/page_code.h"
#include "ecc/page_coders/page_coder.h"
#include "ecc/parameters.h"
#include "ecc/pipeline.h"
#include "protocol/ecc_job.h"

namespace nandscape::ecc {

struct EccCounters {
  std::uint64_t decoded_pages = 0;
  std::uint64_t encoded_pages = 0;
  std::uint64_t corrected_bits = 0;
  std::uint64_t failed_decodes = 0;
  std::uint64_t miscorrected = 0;
  std::uint64_t crc_detected = 0;  // miscorrected codewords that their CRC detected
  double expected_escapes = 0;
  std::uint64_t waits = 0;
  std::uint64_t decoded_codewords = 0;  // codewords whose iterations are known
  double iterations = 0;                // sum over these codewords
  // Inputs of the energy statistics; not statistics themselves.
  std::uint64_t decoded_bytes = 0;
  std::uint64_t encoded_bytes = 0;
  // Time that jobs waited for a place in the FIFO. Only the first waiting job counts, not the jobs behind it.
  Tick decode_fifo_full = 0;
  Tick encode_fifo_full = 0;

  EccCounters& operator+=(const EccCounters& other);
  // Counts the codewords of a job that the decoder miscorrected.
  void count_miscorrected(const PageCoder::Decoded& decoded);
};
void describe(const EccCounters& counters, StatisticsVisitor& visitor);
double ecc_joules(const CodeParameters& parameters, const EccCounters& counters);

// Time in seconds for which `bytes` bytes occupy a decoder or an encoder. `iterations` is the sum over all codewords.
double decode_seconds(const CodeParameters& parameters, double bytes, double iterations);
double encode_seconds(const CodeParameters& parameters, double bytes);

// Durations for the jobs of one code.
struct CodeTimes {
  explicit CodeTimes(const CodeParameters& parameters);

  std::uint32_t codeword_bytes;
  DecodeTime decode_time;
  Tick decode_latency;
  Tick encode_latency;
  double decode_ticks_per_byte;
  double encode_ticks_per_byte;
  double ticks_per_codeword;
  double ticks_per_iteration;
};

class EccEngine {
 public:
  // An engine for all codes that jobs may name, with the FIFOs of `hardware`.
  EccEngine(std::span<const PageCode> codes, const CodeParameters& hardware, std::unique_ptr<PageCoder> coder);
  // An engine for one code.
  EccEngine(const CodeParameters& code, std::unique_ptr<PageCoder> coder);

  // Returns the time at which the FIFO has room for a job that arrives now, and counts the wait.
  [[nodiscard]] Tick room(EccKind kind, Tick now, CodeNumber code = ordinary_code) {
    const Tick room = (kind == EccKind::decode ? decoder_ : encoder_).room();
    if (room <= now) return now;
    count_wait(kind, room - now, code);
    return room;
  }

  // Takes a job whose bytes have all arrived and returns the time at which it is done. The FIFO must have room. Jobs of
  // each kind must come in the order of `now`.
  Tick accept(EccJob& job, Tick now) { return job.kind == EccKind::decode ? decode(job, now) : encode(job, now); }

  // Counters of the jobs of that code.
  const EccCounters& counters(CodeNumber code = ordinary_code) const { return counters_[code]; }
  // Saves or restores the counters and the state of the random number generators.
  void persist(Archive& archive);

 private:
  void count_wait(EccKind kind, Tick time, CodeNumber code);
  Tick encode(EccJob& job, Tick now);
  Tick decode(EccJob& job, Tick now);
  // Occupies the unit for a job whose bytes flow through it. Returns the time from which the latency of the job counts.
  static Tick flow(Pipeline& pipeline, Tick now, std::uint32_t bytes, double ticks_per_byte);
  // Decodes codeword by codeword. `iterations` is not used unless the decode time depends on it.
  Tick decode_codewords(const EccJob& job, std::span<const double> iterations, Tick now);
  // Adds up the errors for each codeword of the job's own code; the job gives them for each of the drive's shortest
  // codewords.
  void add_up_errors(EccJob& job);

  const std::vector<CodeTimes> times_;  // by code
  const std::unique_ptr<PageCoder> coder_;
  Pipeline decoder_;
  Pipeline encoder_;
  std::vector<std::uint16_t> codeword_errors_;
  std::vector<EccCounters> counters_;  // by code
};

}  // namespace nandscape::ecc
