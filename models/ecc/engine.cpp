// SPDX-License-Identifier: Apache-2.0
#include "ecc/engine.h"

#include <algorithm>
#include <utility>

#include "ecc/page_coders/scrambler.h"

namespace nandscape::ecc {

EccCounters& EccCounters::operator+=(const EccCounters& other) {
  decoded_pages += other.decoded_pages;
  encoded_pages += other.encoded_pages;
  corrected_bits += other.corrected_bits;
  failed_decodes += other.failed_decodes;
  miscorrected += other.miscorrected;
  waits += other.waits;
  decoded_codewords += other.decoded_codewords;
  iterations += other.iterations;
  decoded_bytes += other.decoded_bytes;
  encoded_bytes += other.encoded_bytes;
  return *this;
}

void describe(const EccCounters& c, StatisticsVisitor& v) {
  v.count("decoded_pages", c.decoded_pages, "pages, or parts of pages, decoded");
  v.count("encoded_pages", c.encoded_pages, "pages encoded");
  v.count("corrected_bits", c.corrected_bits, "bits corrected");
  v.count("failed_decodes", c.failed_decodes, "decodes that failed, retry steps and soft reads among them");
  v.count("miscorrected", c.miscorrected, "codewords that a real decoder took for corrected, but had made worse");
  v.real("iterations", c.decoded_codewords == 0 ? 0 : c.iterations / static_cast<double>(c.decoded_codewords), "",
         "iterations of a codeword, on average; 0 where the decoder knows of none");
  v.count("waits", c.waits, "jobs that found the FIFO of their engine full");
}

double ecc_joules(const EccParameters& p, const EccCounters& c) {
  const auto codewords = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / p.codeword_bytes; };
  return 1e-9 * (p.energy.decode_nj * codewords(c.decoded_bytes) + p.energy.encode_nj * codewords(c.encoded_bytes) +
                 p.energy.iteration_nj * c.iterations);
}

EccEngine::EccEngine(const EccParameters& p, std::unique_ptr<PageCoder> coder)
    : coder_(std::move(coder)),
      iterative_time_(p.decode_time == DecodeTime::iterations),
      decode_latency_(ticks_from_us(p.t_decode_us)),
      encode_latency_(ticks_from_us(p.t_encode_us)),
      decode_ticks_per_byte_(1e6 / p.decode_mb_s),
      encode_ticks_per_byte_(1e6 / p.encode_mb_s),
      ticks_per_codeword_(p.codeword_cycles * 1e6 / p.clock_mhz),
      ticks_per_iteration_(p.iteration_cycles * 1e6 / p.clock_mhz),
      decoder_(p.decode_fifo_pages),
      encoder_(p.encode_fifo_pages) {}

void EccEngine::persist(Archive& archive) {
  archive.section("ECC engine");
  archive(counters_.decoded_pages, counters_.encoded_pages, counters_.corrected_bits, counters_.failed_decodes,
          counters_.miscorrected, counters_.waits, counters_.decoded_codewords, counters_.iterations,
          counters_.decoded_bytes, counters_.encoded_bytes);
  coder_->persist(archive);
}

Tick EccEngine::room(EccKind kind, Tick now) {
  const Tick room = (kind == EccKind::decode ? decoder_ : encoder_).room();
  if (room <= now) return now;
  ++counters_.waits;
  return room;
}

Tick EccEngine::accept(EccJob& job, Tick now) {
  return job.kind == EccKind::decode ? decode(job, now) : encode(job, now);
}

// The first bytes of a job flow in while it arrives; only a job that follows closely has to wait.
Tick EccEngine::flow(Pipeline& pipeline, Tick now, std::uint32_t bytes, double ticks_per_byte) {
  const Tick entered = std::max(now, pipeline.free());
  pipeline.occupy(entered + nearest_tick(bytes * ticks_per_byte));
  return entered;
}

Tick EccEngine::encode(EccJob& job, Tick now) {
  ++counters_.encoded_pages;
  counters_.encoded_bytes += job.bytes;
  if (job.data != nullptr) write_page(*coder_, job);
  return flow(encoder_, now, job.bytes, encode_ticks_per_byte_) + encode_latency_;
}

Tick EccEngine::decode(EccJob& job, Tick now) {
  const PageCoder::Decoded decoded = coder_->decode(job);
  if (job.data != nullptr && job.scrambled && !job.uncorrectable) {
    scramble(job.scrambler_seed, job.first_byte, {job.data + job.first_byte, job.bytes});
  }
  ++counters_.decoded_pages;
  counters_.decoded_bytes += job.bytes;
  counters_.corrected_bits += job.corrected_bits;
  counters_.failed_decodes += job.uncorrectable;
  counters_.miscorrected += decoded.miscorrected;
  counters_.decoded_codewords += decoded.iterations.size();
  for (const double iterations : decoded.iterations) counters_.iterations += iterations;
  if (iterative_time_) return iterate(job, decoded.iterations, now);
  return flow(decoder_, now, job.bytes, decode_ticks_per_byte_) + decode_latency_;
}

Tick EccEngine::iterate(const EccJob& job, std::span<const double> iterations, Tick now) {
  const auto codewords = static_cast<Tick>(iterations.size());
  Tick done = decoder_.free();
  for (Tick k = 0; k < codewords; ++k) {
    const Tick still_to_come = job.transfer_time * (codewords - k - 1) / codewords;
    const double work = ticks_per_codeword_ + iterations[k] * ticks_per_iteration_;
    done = std::max(done, now - still_to_come) + nearest_tick(work);
  }
  decoder_.occupy(done);
  return done;
}

}  // namespace nandscape::ecc
