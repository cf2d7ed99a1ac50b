// SPDX-License-Identifier: Apache-2.0
// Measures the frame error rate of LDPC decoding: sends frames through a sensing channel until the given number of
// failures has occurred.
//
// bench_ecc_ldpc_failures <code> <levels> <RBER> <frames> [<failures> [<seed>]]
// For example: bench_ecc_ldpc_failures ldpc_4096_512 1 0.008 10000
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "ecc/ldpc/ldpc_codec.h"
#include "unit/ecc/ldpc/noisy_codeword.h"

using namespace nandscape;

namespace {

// Flips each bit with the probability `rber`. Errors are rare, so it is faster to draw the distance to the next error
// than to draw every bit.
void flip_at_random(ecc::StoredCodeword& codeword, std::uint32_t codeword_bits, double rber, RandomStream& random) {
  const double scale = 1 / std::log1p(-rber);
  const auto step = [&] { return std::log1p(-random.uniform()) * scale; };
  for (double at = step(); at < codeword_bits; at += 1 + std::floor(step()))
    codeword.flip(static_cast<std::size_t>(at));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "bench_ecc_ldpc_failures <code> <levels> <RBER> <frames> [<failures> [<seed>]]\n");
    return EXIT_FAILURE;
  }
  const ecc::Code code = ecc::code_named(argv[1]);
  const auto levels = static_cast<std::uint32_t>(std::atoi(argv[2]));
  const double rber = std::atof(argv[3]);
  const long most_frames = std::atol(argv[4]);
  const long most_failures = argc > 5 ? std::atol(argv[5]) : most_frames;
  RandomStream random(argc > 6 ? std::strtoull(argv[6], nullptr, 10) : 1, "frames");
  ecc::LdpcCodec codec(ecc::LdpcCode::of(code.payload_bytes, code.ldpc_parity_bytes));
  const ecc::SensingChannel channel(rber, levels);
  long frames = 0;
  long failures = 0;
  long wrong = 0;
  double iterations = 0;
  double errors_left = 0;
  while (frames < most_frames && failures < most_failures) {
    ++frames;
    const ecc::StoredCodeword written = ecc::random_codeword(codec, random);
    ecc::StoredCodeword read = written;
    flip_at_random(read, codec.codeword_bits(), rber, random);
    ecc::DecodeOutcome outcome;
    if (levels == 1) {
      outcome = codec.decide(read.payload.data(), read.parity.data());
    } else {
      const std::vector<std::int8_t> llr = ecc::soft_read(written, read, codec.codeword_bits(), channel, random);
      outcome = codec.decide_soft(llr, read.payload.data(), read.parity.data());
    }
    iterations += outcome.iterations;
    failures += !outcome.corrected;
    wrong += outcome.corrected && read != written;
    if (outcome.corrected) continue;
    for (std::uint32_t bit = 0; bit < codec.codeword_bits(); ++bit) errors_left += read.bit(bit) != written.bit(bit);
  }
  std::printf("%s, %u levels, RBER %g: %ld of %ld failed, FER %.3g", argv[1], levels, rber, failures, frames,
              static_cast<double>(failures) / static_cast<double>(frames));
  std::printf(", %.1f errors left in each, %ld wrong, %.2f iterations\n",
              failures == 0 ? 0 : errors_left / static_cast<double>(failures), wrong,
              iterations / static_cast<double>(frames));
}
