// SPDX-License-Identifier: Apache-2.0
// An ECC engine: an encoder and a decoder beside it, each behind a FIFO, and the scrambler before the one and after the
// other.
//
// How long decoding takes is given (a throughput and a latency), or follows from the work (`ecc.decode_time:
// iterations`): codeword after codeword takes
//
//   (codeword_cycles + iterations * iteration_cycles) / clock
//
// and begins when it has come in over the bus, or when the codeword before it is done. So decoding a codeword overlaps
// the transfer of the next one. Encoding takes a throughput and a latency.
#pragma once

#include <cstdint>
#include <memory>

#include "core/statistics.h"
#include "core/ticks.h"
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
  std::uint64_t waits = 0;
  std::uint64_t decoded_codewords = 0;  // of which the iterations are known
  double iterations = 0;                // of all of them
  // No figures of their own: the statistics of energy are made of them.
  std::uint64_t decoded_bytes = 0;
  std::uint64_t encoded_bytes = 0;

  EccCounters& operator+=(const EccCounters& other);
};
void describe(const EccCounters& counters, StatisticsVisitor& visitor);
double ecc_joules(const EccParameters& parameters, const EccCounters& counters);

class EccEngine {
 public:
  EccEngine(const EccParameters& parameters, std::unique_ptr<PageCoder> coder);

  // When there is room for a job that comes now.
  Tick room(EccKind kind, Tick now);

  // Takes a job whose bytes are all there and returns when it is done. There has to be room; jobs of each kind are
  // accepted in the order of `now`.
  Tick accept(EccJob& job, Tick now);

  const EccCounters& counters() const { return counters_; }
  // What it has counted, and where its random numbers stand.
  void persist(Archive& archive);

 private:
  Tick encode(EccJob& job, Tick now);
  Tick decode(EccJob& job, Tick now);
  // Until the unit has done its part of a job whose bytes flow through it.
  static Tick flow(Pipeline& pipeline, Tick now, std::uint32_t bytes, double ticks_per_byte);
  Tick iterate(const EccJob& job, std::span<const double> iterations, Tick now);

  const std::unique_ptr<PageCoder> coder_;
  const bool iterative_time_;
  const Tick decode_latency_;
  const Tick encode_latency_;
  const double decode_ticks_per_byte_;
  const double encode_ticks_per_byte_;
  const double ticks_per_codeword_;
  const double ticks_per_iteration_;
  Pipeline decoder_;
  Pipeline encoder_;
  EccCounters counters_;
};

}  // namespace nandscape::ecc
