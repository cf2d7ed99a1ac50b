// SPDX-License-Identifier: Apache-2.0
// An ECC engine: an encoder and a decoder beside it, each behind a FIFO, and the scrambler before the one and after the
// other.
//
// How long decoding takes is given as a throughput and a latency, or follows from the work (`ecc.decode_time`):
// codeword after codeword takes
//
//   codewords:   t_codeword
//   iterations:  (codeword_cycles + iterations * iteration_cycles) / clock
//
// and begins when it has come in over the bus, or when the codeword before it is done. So decoding a codeword overlaps
// the transfer of the next one. Encoding takes a throughput and a latency.
//
// Jobs may be of several codes, each of which takes its own times. They share the encoder and the decoder: codes with
// hardware of their own have an engine of their own.
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
  std::uint64_t crc_detected = 0;  // of them
  double expected_escapes = 0;
  std::uint64_t waits = 0;
  std::uint64_t decoded_codewords = 0;  // of which the iterations are known
  double iterations = 0;                // of all of them
  // No figures of their own: the statistics of energy are made of them.
  std::uint64_t decoded_bytes = 0;
  std::uint64_t encoded_bytes = 0;
  // For how long a job waited for a place in the FIFO; jobs behind it wait with it.
  Tick decode_fifo_full = 0;
  Tick encode_fifo_full = 0;

  EccCounters& operator+=(const EccCounters& other);
  // What became of the codewords of a job that the decoder did not correct.
  void count_miscorrected(const PageCoder::Decoded& decoded);
};
void describe(const EccCounters& counters, StatisticsVisitor& visitor);
double ecc_joules(const CodeParameters& parameters, const EccCounters& counters);

// For how long that many bytes occupy a decoder, and an encoder. The iterations are those of all codewords together.
double decode_seconds(const CodeParameters& parameters, double bytes, double iterations);
double encode_seconds(const CodeParameters& parameters, double bytes);

// What jobs of a code take.
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
  // For the codes that jobs may name, with the FIFOs of `hardware`.
  EccEngine(std::span<const PageCode> codes, const CodeParameters& hardware, std::unique_ptr<PageCoder> coder);
  // For one code.
  EccEngine(const CodeParameters& code, std::unique_ptr<PageCoder> coder);

  // When there is room for a job that comes now.
  Tick room(EccKind kind, Tick now, CodeNumber code = ordinary_code);

  // Takes a job whose bytes are all there and returns when it is done. There has to be room; jobs of each kind are
  // accepted in the order of `now`.
  Tick accept(EccJob& job, Tick now);

  // Of jobs of that code.
  const EccCounters& counters(CodeNumber code = ordinary_code) const { return counters_[code]; }
  // What it has counted, and where its random numbers stand.
  void persist(Archive& archive);

 private:
  Tick encode(EccJob& job, Tick now);
  Tick decode(EccJob& job, Tick now);
  // Until the unit has done its part of a job whose bytes flow through it.
  static Tick flow(Pipeline& pipeline, Tick now, std::uint32_t bytes, double ticks_per_byte);
  // Codeword by codeword; `iterations` is empty where they take none.
  Tick decode_codewords(const EccJob& job, std::span<const double> iterations, Tick now);
  // The errors of the job's own codewords.
  void add_up_errors(EccJob& job);

  const std::vector<CodeTimes> times_;  // by code
  const std::unique_ptr<PageCoder> coder_;
  Pipeline decoder_;
  Pipeline encoder_;
  std::vector<std::uint16_t> codeword_errors_;
  std::vector<EccCounters> counters_;  // by code
};

}  // namespace nandscape::ecc
