// SPDX-License-Identifier: Apache-2.0
#include "ecc/engine.h"

#include <algorithm>
#include <cmath>

namespace nandscape {

EccCounters& EccCounters::operator+=(const EccCounters& other) {
  decoded_pages += other.decoded_pages;
  encoded_pages += other.encoded_pages;
  corrected_bits += other.corrected_bits;
  uncorrectable += other.uncorrectable;
  return *this;
}

void describe(const EccCounters& c, StatisticsVisitor& v) {
  v.count("decoded_pages", c.decoded_pages, "pages, or parts of pages, decoded");
  v.count("encoded_pages", c.encoded_pages, "pages encoded");
  v.count("corrected_bits", c.corrected_bits, "bits corrected");
  v.count("uncorrectable", c.uncorrectable, "decodes that failed");
}

EccEngine::EccEngine(const EccParameters& p)
    : correctable_bits_(p.correctable_bits),
      decoder_{ticks_from_us(p.t_decode_us), 1e6 / p.decode_mb_s},
      encoder_{ticks_from_us(p.t_encode_us), 1e6 / p.encode_mb_s} {}

Tick EccEngine::accept(EccJob& job, Tick now) {
  Pipeline& pipeline = job.kind == EccKind::decode ? decoder_ : encoder_;
  if (job.kind == EccKind::decode) {
    ++counters_.decoded_pages;
    job.uncorrectable = job.worst_codeword_errors > correctable_bits_;
    job.corrected_bits = job.uncorrectable ? 0 : job.raw_bit_errors;
    counters_.corrected_bits += job.corrected_bits;
    counters_.uncorrectable += job.uncorrectable;
  } else {
    ++counters_.encoded_pages;
  }
  // The first bytes of a job flow in while it arrives over the bus; only a job that follows closely has to wait.
  const Tick entered = std::max(now, pipeline.free);
  pipeline.free = entered + static_cast<Tick>(std::llround(job.bytes * pipeline.ticks_per_byte));
  return entered + pipeline.latency;
}

}  // namespace nandscape
