// SPDX-License-Identifier: Apache-2.0
// An ECC engine: an encoder and a decoder, each behind a FIFO. The scrambler works before the encoder and after the
// decoder. An engine may also be a pool of encoders and as many decoders behind common FIFOs: a job goes to the one
// that is free first. The results of a pool may be ready in another order than that of the jobs.
//
// The decoding time is either given as a throughput and a latency, or computed from the work of the decoder (parameter
// `ecc.decode_time`). In the second case each codeword occupies the decoder for the following time:
//
//   codewords:   t_codeword
//   iterations:  (codeword_cycles + iterations * iteration_cycles) / clock
//
// The decoder starts a codeword when the codeword has arrived over the bus and the previous codeword has been decoded.
// So the decoding of a codeword overlaps the transfer of the next codeword. The encoding time is always given as a
// throughput and a latency. If decoding stops at the first codeword that fails (PageCoder::stop_at_failure), the
// codewords after it occupy no decoder.
//
// Jobs may use several codes, each with its own times. All codes of an engine share its encoder and its decoder. A code
// that has separate hardware has a separate engine.
#pragma once

#include <array>
#include <cstddef>
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

// The distribution of iterations over codewords. Element k counts the codewords with more iterations than the limit
// before and at most iteration_limits[k]; the last element counts the codewords with more than the last limit.
inline constexpr std::array<std::uint32_t, 6> iteration_limits = {0, 1, 2, 4, 8, 16};
struct IterationHistogram {
  std::array<std::uint64_t, iteration_limits.size() + 1> codewords{};

  void add(double iterations) {
    std::size_t k = 0;
    while (k < iteration_limits.size() && iterations > iteration_limits[k]) ++k;
    ++codewords[k];
  }
  IterationHistogram& operator+=(const IterationHistogram& other) {
    for (std::size_t k = 0; k < codewords.size(); ++k) codewords[k] += other.codewords[k];
    return *this;
  }
};
void describe(const IterationHistogram& histogram, StatisticsVisitor& visitor);

// The numbers of bytes are inputs of the energy statistics. They are not reported as statistics. Each decode uses the
// members up to `expected_escapes`.
struct EccCounters {
  std::uint64_t decoded_pages = 0;
  std::uint64_t decoded_bytes = 0;
  std::uint64_t corrected_bits = 0;
  std::uint64_t failed_decodes = 0;
  std::uint64_t miscorrected = 0;
  std::uint64_t crc_detected = 0;  // miscorrected codewords that were detected by their CRC
  double expected_escapes = 0;
  std::uint64_t encoded_pages = 0;
  std::uint64_t encoded_bytes = 0;
  std::uint64_t waits = 0;
  std::uint64_t decoded_codewords = 0;  // codewords whose iterations are known
  double iterations = 0;                // sum over these codewords
  // Time for which jobs waited for a free slot in the FIFO. Only the wait of the first job in line counts, not the wait
  // of the jobs behind it.
  Tick decode_fifo_full = 0;
  Tick encode_fifo_full = 0;
  IterationHistogram by_iterations;  // the codewords whose iterations are known

  EccCounters& operator+=(const EccCounters& other);
  // Adds the codewords that the decoder miscorrected in one job.
  void count_miscorrected(const PageCoder::Decoded& decoded);
  // Adds the iterations of the codewords of one job.
  void count_iterations(std::span<const double> of_codewords);
};
void describe(const EccCounters& counters, StatisticsVisitor& visitor);
double ecc_joules(const CodeParameters& parameters, const EccCounters& counters);

// Return the time in seconds for which `bytes` bytes occupy a decoder or an encoder. `iterations` is the sum of the
// decoder iterations of all codewords.
double decode_seconds(const CodeParameters& parameters, double bytes, double iterations);
double encode_seconds(const CodeParameters& parameters, double bytes);

// The durations that jobs of one code need, computed from the parameters of the code.
struct CodeTimes {
  explicit CodeTimes(const CodeParameters& parameters);

  Tick encode_latency;
  double encode_ticks_per_byte;
  double ticks_per_codeword;
  double ticks_per_iteration;
  std::uint32_t codeword_bytes;
  DecodeTime decode_time;
  Tick decode_latency;
  double decode_ticks_per_byte;
};

class EccEngine {
 public:
  // Makes an engine for all codes that jobs may name. The parameters `hardware` give the sizes of the FIFOs. The engine
  // has `units` encoders and `units` decoders.
  EccEngine(std::span<const PageCode> codes, const CodeParameters& hardware, std::unique_ptr<PageCoder> coder,
            std::uint32_t units = 1);
  // An engine for one code.
  EccEngine(const CodeParameters& code, std::unique_ptr<PageCoder> coder);

  // Returns the earliest time, at or after `now`, at which the FIFO has room for a job that arrives at `now`. If this
  // time is later than `now`, counts the job as waiting.
  [[nodiscard]] Tick room(EccKind kind, Tick now, CodeNumber code = ordinary_code) {
    const Tick room = (kind == EccKind::decode ? decoder_ : encoder_).room();
    if (room <= now) return now;
    count_wait(kind, room - now, code);
    return room;
  }

  // Encodes or decodes a job whose bytes have all arrived, and returns the time at which the job is done. The FIFO must
  // have room. The caller must pass the jobs of each kind in the order of `now`.
  Tick accept(EccJob& job, Tick now) { return job.kind == EccKind::decode ? decode(job, now) : encode(job, now); }

  // Returns the counters of the jobs that use this code.
  const EccCounters& counters(CodeNumber code = ordinary_code) const { return codes_[code].counters; }
  // Saves or restores the counters and the state of the random number generators.
  void persist(Archive& archive);

 private:
  // The times and the counters of a code. Each decode uses the last members of `times` and the first of `counters`.
  struct alignas(64) CodeUse {
    explicit CodeUse(const CodeParameters& parameters) : times(parameters) {}

    CodeTimes times;
    EccCounters counters;
  };

  void count_wait(EccKind kind, Tick time, CodeNumber code);
  Tick encode(EccJob& job, Tick now);
  Tick decode(EccJob& job, Tick now);
  // Computes when the decoder is done with a job that it decodes codeword by codeword. The iterations in `decoded` are
  // used only if the decode time depends on them.
  Tick decode_codewords(const EccJob& job, const PageCoder::Decoded& decoded, Tick now);
  // Converts the error counts of a job into error counts for each codeword of the job's own code. The job counts errors
  // for pieces as long as the shortest codeword of the drive, and a codeword may consist of several such pieces.
  void add_up_errors(EccJob& job);

  const std::unique_ptr<PageCoder> coder_;
  Pipeline decoder_;
  std::vector<CodeUse> codes_;
  Pipeline encoder_;
  std::vector<std::uint16_t> codeword_errors_;
};

}  // namespace nandscape::ecc
