// SPDX-License-Identifier: Apache-2.0
#include "ecc/engine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ecc/page_coders/scrambler.h"

namespace nandscape::ecc {

EccCounters& EccCounters::operator+=(const EccCounters& other) {
  decoded_pages += other.decoded_pages;
  encoded_pages += other.encoded_pages;
  corrected_bits += other.corrected_bits;
  failed_decodes += other.failed_decodes;
  miscorrected += other.miscorrected;
  crc_detected += other.crc_detected;
  expected_escapes += other.expected_escapes;
  waits += other.waits;
  decoded_codewords += other.decoded_codewords;
  iterations += other.iterations;
  by_iterations += other.by_iterations;
  decoded_bytes += other.decoded_bytes;
  encoded_bytes += other.encoded_bytes;
  decode_fifo_full += other.decode_fifo_full;
  encode_fifo_full += other.encode_fifo_full;
  return *this;
}

void EccCounters::count_iterations(std::span<const double> of_codewords) {
  decoded_codewords += of_codewords.size();
  for (const double of_codeword : of_codewords) {
    iterations += of_codeword;
    by_iterations.add(of_codeword);
  }
}

void EccCounters::count_miscorrected(const PageCoder::Decoded& decoded) {
  miscorrected += decoded.miscorrected;
  crc_detected += decoded.crc_detected;
  expected_escapes += decoded.expected_escapes;
}

void describe(const EccCounters& c, StatisticsVisitor& v) {
  v.count("decoded_pages", c.decoded_pages, "pages or parts of pages decoded");
  v.count("encoded_pages", c.encoded_pages, "pages encoded");
  v.count("corrected_bits", c.corrected_bits, "bits corrected");
  v.count("failed_decodes", c.failed_decodes, "failed decodes, including retry steps and soft reads");
  v.count("miscorrected", c.miscorrected, "codewords that the decoder reported as corrected but made worse");
  v.count("crc_detected", c.crc_detected, "miscorrected codewords that the CRC detected, so the decode failed");
  v.count("escaped", c.miscorrected - c.crc_detected,
          "miscorrected codewords that no CRC detected: the host takes them for good data unless another codeword of "
          "the page "
          "failed");
  v.amount(
      "expected_escapes", c.expected_escapes, "codewords",
      "expected escapes among the codewords that were not corrected: their expected miscorrections times 2^-crc_bits");
  v.ratio("iterations", c.iterations, static_cast<double>(c.decoded_codewords), "",
          "mean iterations of a codeword; 0 if the decoder counts none");
  v.count("waits", c.waits, "jobs that waited because the FIFO of their engine was full");
}

void describe(const IterationHistogram& h, StatisticsVisitor& v) {
  v.count("none", h.codewords.front(), "codewords without an iteration");
  for (std::size_t k = 1; k < iteration_limits.size(); ++k) {
    const std::string most = std::to_string(iteration_limits[k]);
    v.count("up_to_" + most, h.codewords[k],
            "codewords of more than " + std::to_string(iteration_limits[k - 1]) + " iterations, up to " + most);
  }
  const std::string last = std::to_string(iteration_limits.back());
  v.count("more_than_" + last, h.codewords.back(), "codewords of more than " + last + " iterations");
}

double ecc_joules(const CodeParameters& p, const EccCounters& c) {
  const auto codewords = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / p.codeword_bytes; };
  return 1e-9 * (p.energy.decode_nj * codewords(c.decoded_bytes) + p.energy.encode_nj * codewords(c.encoded_bytes) +
                 p.energy.iteration_nj * c.iterations);
}

double decode_seconds(const CodeParameters& p, double bytes, double iterations) {
  const double codewords = bytes / p.codeword_bytes;
  switch (p.decode_time) {
    case DecodeTime::given: return 1e-6 * bytes / p.decode_mb_s;
    case DecodeTime::codewords: return 1e-6 * codewords * p.t_codeword_us;
    case DecodeTime::iterations: break;
  }
  return 1e-6 * (codewords * p.codeword_cycles + iterations * p.iteration_cycles) / p.clock_mhz;
}

double encode_seconds(const CodeParameters& p, double bytes) {
  return p.encode_mb_s == 0 ? 0 : 1e-6 * bytes / p.encode_mb_s;
}

CodeTimes::CodeTimes(const CodeParameters& p)
    : encode_latency(ticks_from_us(p.t_encode_us)),
      encode_ticks_per_byte(p.encode_mb_s == 0 ? 0 : 1e6 / p.encode_mb_s),
      ticks_per_codeword(p.decode_time == DecodeTime::codewords ? static_cast<double>(ticks_from_us(p.t_codeword_us))
                                                                : p.codeword_cycles * 1e6 / p.clock_mhz),
      ticks_per_iteration(p.iteration_cycles * 1e6 / p.clock_mhz),
      codeword_bytes(p.codeword_bytes),
      decode_time(p.decode_time),
      decode_latency(ticks_from_us(p.t_decode_us)),
      decode_ticks_per_byte(1e6 / p.decode_mb_s) {}

EccEngine::EccEngine(std::span<const PageCode> codes, const CodeParameters& hardware, std::unique_ptr<PageCoder> coder,
                     std::uint32_t units)
    : coder_(std::move(coder)),
      decoder_(hardware.decode_fifo_pages, units),
      encoder_(hardware.encode_fifo_pages, units) {
  for (const PageCode& code : codes) codes_.emplace_back(code.parameters);
}

EccEngine::EccEngine(const CodeParameters& code, std::unique_ptr<PageCoder> coder)
    : EccEngine(std::vector<PageCode>{{.parameters = code}}, code, std::move(coder)) {}

void EccEngine::persist(Archive& archive) {
  archive.section("ECC engine");
  for (CodeUse& code : codes_) {
    EccCounters& c = code.counters;
    archive(c.decoded_pages, c.encoded_pages, c.corrected_bits, c.failed_decodes, c.miscorrected, c.crc_detected,
            c.expected_escapes, c.waits, c.decoded_codewords, c.iterations, c.by_iterations.codewords, c.decoded_bytes,
            c.encoded_bytes, c.decode_fifo_full, c.encode_fifo_full);
  }
  coder_->persist(archive);
}

void EccEngine::count_wait(EccKind kind, Tick time, CodeNumber code) {
  EccCounters& counters = codes_[code].counters;
  ++counters.waits;
  (kind == EccKind::decode ? counters.decode_fifo_full : counters.encode_fifo_full) += time;
}

// The bytes of a job enter the encoder or the decoder while the job arrives. So at `now`, when its last byte has
// arrived, the job waits only if the unit is still occupied by the previous job.
Tick EccEngine::encode(EccJob& job, Tick now) {
  auto& [times, counters] = codes_[job.code];
  ++counters.encoded_pages;
  counters.encoded_bytes += job.bytes;
  if (job.data != nullptr) write_page(*coder_, job);
  return encoder_.serve(now, nearest_tick(job.bytes * times.encode_ticks_per_byte)) + times.encode_latency;
}

Tick EccEngine::decode(EccJob& job, Tick now) {
  if (!job.codeword_errors.empty()) add_up_errors(job);
  const PageCoder::Decoded decoded = coder_->decode(job);
  if (job.data != nullptr && job.scrambled && !job.uncorrectable) {
    scramble(job.scrambler_seed, job.first_byte, {job.data + job.first_byte, job.bytes});
  }
  auto& [times, counters] = codes_[job.code];
  ++counters.decoded_pages;
  const bool stopped = decoded.codewords != PageCoder::all_codewords;
  const std::uint32_t bytes = stopped ? decoded.codewords * times.codeword_bytes : job.bytes;
  counters.decoded_bytes += bytes;
  counters.corrected_bits += job.corrected_bits;
  counters.failed_decodes += job.uncorrectable;
  counters.count_miscorrected(decoded);
  if (!decoded.iterations.empty()) counters.count_iterations(decoded.iterations);
  if (times.decode_time != DecodeTime::given) return decode_codewords(job, decoded, now);
  return decoder_.serve(now, nearest_tick(bytes * times.decode_ticks_per_byte)) + times.decode_latency;
}

void EccEngine::add_up_errors(EccJob& job) {
  const std::size_t codewords = job.bytes / codes_[job.code].times.codeword_bytes;
  const std::size_t counted = job.codeword_errors.size();
  if (codewords == 0 || counted <= codewords) return;
  const std::size_t pieces = counted / codewords;
  codeword_errors_.assign(codewords, 0);
  job.worst_codeword_errors = 0;
  for (std::size_t k = 0; k < codewords; ++k) {
    std::uint32_t errors = 0;
    for (const std::uint16_t piece : job.codeword_errors.subspan(k * pieces, pieces)) errors += piece;
    codeword_errors_[k] = static_cast<std::uint16_t>(std::min(errors, 0xffffu));
    job.worst_codeword_errors = std::max(job.worst_codeword_errors, errors);
  }
  job.codeword_errors = codeword_errors_;
}

Tick EccEngine::decode_codewords(const EccJob& job, const PageCoder::Decoded& decoded, Tick now) {
  const CodeTimes& times = codes_[job.code].times;
  const bool iterates = times.decode_time == DecodeTime::iterations;
  const bool stopped = decoded.codewords != PageCoder::all_codewords;
  const auto codewords =
      static_cast<Tick>(iterates && !stopped ? decoded.iterations.size() : job.bytes / times.codeword_bytes);
  Tick done = decoder_.free();
  for (Tick k = 0; k < std::min<Tick>(codewords, decoded.codewords); ++k) {
    const Tick still_to_come = job.transfer_time * (codewords - k - 1) / codewords;
    const double work = times.ticks_per_codeword + (iterates ? decoded.iterations[k] * times.ticks_per_iteration : 0);
    done = std::max(done, now - still_to_come) + nearest_tick(work);
  }
  // A job that contains no codeword, or whose decoding has stopped, must not end before it has arrived.
  const Tick ended = std::max(done, now);
  decoder_.occupy(stopped ? done : ended);
  return ended;
}

}  // namespace nandscape::ecc
