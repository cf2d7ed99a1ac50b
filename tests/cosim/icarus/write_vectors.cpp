// SPDX-License-Identifier: Apache-2.0
// Writes test vectors for stream_bench.sv: random frames to PATH.in, and the results of the C++ twin of the design to
// PATH.out.
//
// write_vectors DESIGN PAYLOAD_BYTES T FRAMES PATH
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "cosim/code_frames.h"
#include "ecc/page_coders/scrambler.h"

using namespace nandscape;
using namespace nandscape::tests;

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

struct Words {
  const std::vector<std::byte>& bytes;

  template <class Write>
  void each(const Write& write) const {
    for (std::size_t from = 0; from < bytes.size(); from += 8) {
      const std::size_t count = std::min<std::size_t>(8, bytes.size() - from);
      std::uint64_t data = 0;
      std::memcpy(&data, &bytes[from], count);
      write(data, 0xffu >> (8 - count), from + count == bytes.size());
    }
  }
};

void write(std::FILE* in, std::FILE* out, const Frame& frame, const FrameOut& expected) {
  Words{frame.bytes}.each([&](std::uint64_t data, unsigned keep, bool last) {
    std::fprintf(in, "%016" PRIx64 " %02x %d %016" PRIx64 "\n", data, keep, last, frame.seed);
  });
  Words{expected.bytes}.each([&](std::uint64_t data, unsigned keep, bool last) {
    std::fprintf(out, "%016" PRIx64 " %02x %d %d %04x\n", data, keep, last, expected.fail, expected.corrected);
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: %s bch_encoder|bch_decoder|scrambler PAYLOAD_BYTES T FRAMES PATH\n", argv[0]);
    return 2;
  }
  const std::string design = argv[1];
  const std::string path = argv[5];
  const File in(std::fopen((path + ".in").c_str(), "w"), std::fclose);
  const File out(std::fopen((path + ".out").c_str(), "w"), std::fclose);
  if (in == nullptr || out == nullptr) {
    std::fprintf(stderr, "%s.in and %s.out cannot be written\n", path.c_str(), path.c_str());
    return 1;
  }

  RandomStream random(1, design);
  CodeFrames code(static_cast<std::uint32_t>(std::stoul(argv[2])), static_cast<std::uint32_t>(std::stoul(argv[3])),
                  random);
  // The corner cases come first, because runs with the large code are slow and use only a few frames.
  const std::array<std::uint32_t, 3> first_errors = {0, code.correctable_bits(), code.correctable_bits() + 1};
  for (unsigned long i = 0; i < std::stoul(argv[4]); ++i) {
    if (design == "bch_decoder") {
      const Frame frame = i < first_errors.size() ? code.damaged(first_errors[i]) : code.damaged();
      write(in.get(), out.get(), frame, code.decoded(frame));
    } else if (design == "bch_encoder") {
      const Frame frame = code.payload();
      write(in.get(), out.get(), frame, {code.encoded(frame).bytes});
    } else {
      Frame frame = code.payload();
      frame.seed = random();
      frame.bytes.resize(1 + random.below(frame.bytes.size()));
      FrameOut expected{frame.bytes};
      ecc::scramble(frame.seed, 0, expected.bytes);
      write(in.get(), out.get(), frame, expected);
    }
  }
  return 0;
}
