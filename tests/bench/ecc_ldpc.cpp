// SPDX-License-Identifier: Apache-2.0
// Measures the time to encode and to decode an LDPC codeword, on every instruction set of this machine. Several passes
// process the same set of codewords; each figure is the mean over the codewords in the fastest pass, which was
// disturbed least by other programs.
//
// bench_ecc_ldpc [<codewords> [<passes>]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "ecc/ldpc/ldpc_codec.h"
#include "ldpc_kernels/by_isa.h"
#include "unit/ecc/ldpc/noisy_codeword.h"

using namespace nandscape;

namespace {

struct Noisy {
  ecc::StoredCodeword read;
  std::vector<std::int8_t> llr;
};

std::vector<Noisy> noisy_codewords(ecc::Codec& codec, double rber, std::uint32_t levels, int codewords) {
  RandomStream random(1, "noise");
  const ecc::SensingChannel channel(rber, levels);
  std::vector<Noisy> all;
  for (int i = 0; i < codewords; ++i) {
    const ecc::StoredCodeword written = ecc::random_codeword(codec, random);
    Noisy noisy{written, {}};
    for (std::uint32_t bit = 0; bit < codec.codeword_bits(); ++bit) {
      if (random.uniform() < rber) noisy.read.flip(bit);
    }
    noisy.llr = ecc::soft_read(written, noisy.read, codec.codeword_bits(), channel, random);
    all.push_back(noisy);
  }
  return all;
}

template <class Pass>
double least_us_per_codeword(int codewords, int passes, const Pass& pass) {
  using Clock = std::chrono::steady_clock;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < passes; ++i) {
    const Clock::duration time = pass();
    least = std::min(least, std::chrono::duration<double, std::micro>(time).count() / codewords);
  }
  return least;
}

void report(const LdpcKernels& isa, const ecc::LdpcCodec& codec, const char* what, double us) {
  std::printf("%-10.*s ldpc_%u_%u %-24s %8.2f us, %8.0f codewords/s", static_cast<int>(isa.isa.size()), isa.isa.data(),
              codec.payload_bytes(), codec.parity_bytes(), what, us, 1e6 / us);
}

void measure_encode(const LdpcKernels& isa, ecc::LdpcCodec& codec, int codewords, int passes) {
  RandomStream random(1, "payload");
  ecc::StoredCodeword codeword = ecc::random_codeword(codec, random);
  report(isa, codec, "encode", least_us_per_codeword(codewords, passes, [&] {
           const auto start = std::chrono::steady_clock::now();
           for (int i = 0; i < codewords; ++i) codec.encode(codeword.payload.data(), codeword.parity.data());
           return std::chrono::steady_clock::now() - start;
         }));
  std::printf("\n");
}

void measure_decode(const LdpcKernels& isa, ecc::LdpcCodec& codec, double rber, std::uint32_t levels, int codewords,
                    int passes) {
  const std::vector<Noisy> noisy = noisy_codewords(codec, rber, levels, codewords);
  int failures = 0;
  double iterations = 0;
  const double us = least_us_per_codeword(codewords, passes, [&] {
    failures = 0;
    iterations = 0;
    std::chrono::steady_clock::duration time = {};
    for (const Noisy& n : noisy) {
      ecc::StoredCodeword read = n.read;
      const auto start = std::chrono::steady_clock::now();
      const ecc::DecodeOutcome outcome = levels == 1
                                             ? codec.decode(read.payload.data(), read.parity.data())
                                             : codec.decode_soft(n.llr, read.payload.data(), read.parity.data());
      time += std::chrono::steady_clock::now() - start;
      failures += !outcome.corrected;
      iterations += outcome.iterations;
    }
    return time;
  });
  char what[32];
  std::snprintf(what, sizeof what, "RBER %.4f, %u level%s", rber, levels, levels == 1 ? "" : "s");
  report(isa, codec, what, us);
  std::printf(", %.2f iterations, %d of %d failed\n", iterations / codewords, failures, codewords);
}

}  // namespace

int main(int argc, char** argv) {
  const int codewords = argc > 1 ? std::atoi(argv[1]) : 100;
  const int passes = argc > 2 ? std::atoi(argv[2]) : 7;
  for (const ecc::Code& code : ecc::shipped_codes()) {
    if (code.family != "ldpc") continue;
    for (const LdpcKernels& isa : ldpc_kernels_by_isa()) {
      ecc::LdpcCodec codec(ecc::LdpcCode::of(code.payload_bytes, code.ldpc_parity_bytes), isa.kernels);
      measure_encode(isa, codec, codewords, passes);
      for (const double rber : {1e-9, 1e-3, 3e-3, 5e-3, 6e-3}) measure_decode(isa, codec, rber, 1, codewords, passes);
      for (const double rber : {6e-3, 1e-2}) measure_decode(isa, codec, rber, 3, codewords, passes);
    }
  }
}
