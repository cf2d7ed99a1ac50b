// SPDX-License-Identifier: Apache-2.0
// Measures the time to encode and to decode one codeword, for several codes, numbers of errors and instruction sets.
// The times are medians over many codewords with errors at random positions.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/random.h"
#include "ecc/bch/bch_codec.h"

using namespace nandscape;

namespace {

class Bench {
 public:
  Bench(const ecc::Code& code, const ecc::BchKernels& kernels, int repetitions)
      : codec_(ecc::BchCode::get(code.payload_bytes, code.correctable_bits), kernels),
        random_(1, to_string(code)),
        repetitions_(repetitions),
        payload_(codec_.payload_bytes()),
        parity_(codec_.parity_bytes()) {
    for (std::byte& byte : payload_) byte = static_cast<std::byte>(random_());
  }

  double encode_ns() {
    return median_ns([] {}, [this] { codec_.encode(payload_.data(), parity_.data()); });
  }

  double decode_ns(std::uint32_t errors) {
    codec_.encode(payload_.data(), parity_.data());
    // Decoding corrects the errors, so new errors are added before each repetition.
    const auto add_errors = [&] {
      for (std::uint32_t i = 0; i < errors; ++i) {
        const std::uint64_t bit = (i * std::uint64_t{8} + random_.below(8)) * payload_.size() / errors;
        payload_[bit / 8] ^= std::byte{1} << bit % 8;
      }
    };
    return median_ns(add_errors, [this, errors] {
      if (codec_.decode(payload_.data(), parity_.data()).corrected_bits != errors) std::abort();
    });
  }

 private:
  template <class Prepare, class Run>
  double median_ns(const Prepare& prepare, const Run& run) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> ns;
    for (int i = 0; i < repetitions_; ++i) {
      prepare();
      const Clock::time_point start = Clock::now();
      run();
      ns.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
    }
    std::sort(ns.begin(), ns.end());
    return ns[ns.size() / 2];
  }

  ecc::BchCodec codec_;
  RandomStream random_;
  int repetitions_;
  std::vector<std::byte> payload_;
  std::vector<std::byte> parity_;
};

void report(const ecc::Code& code, const ecc::BchKernels& kernels, const char* work, double ns) {
  std::printf("%-12s %-18.*s %-18s %9.0f ns/codeword %8.1f MB/s\n", to_string(code).c_str(),
              static_cast<int>(kernels.isa.size()), kernels.isa.data(), work, ns, code.payload_bytes * 1e3 / ns);
}

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 1001;
  std::vector<ecc::Code> codes = {{"bch", 1024, 64, 0}};
  for (const ecc::Code& code : ecc::shipped_codes()) {
    if (code.family == "bch") codes.push_back(code);
  }
  for (const ecc::Code& code : codes) {
    for (const ecc::BchKernels& kernels : ecc::bch_kernels()) {
      Bench bench(code, kernels, repetitions);
      report(code, kernels, "encode", bench.encode_ns());
      report(code, kernels, "decode, no error", bench.decode_ns(0));
      report(code, kernels, "decode, t/2 errors", bench.decode_ns(code.correctable_bits / 2));
      report(code, kernels, "decode, t errors", bench.decode_ns(code.correctable_bits));
    }
  }
}
