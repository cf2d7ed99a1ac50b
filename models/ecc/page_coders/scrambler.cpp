// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/scrambler.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/random.h"

namespace nandscape::ecc {

namespace {

constexpr std::uint32_t sequence_bytes = 512;  // the register is initialised again after this many bytes
constexpr std::uint64_t register_mask = (std::uint64_t{1} << 58) - 1;

// Returns the initial state of the register for byte `sequence` * sequence_bytes of the page. The register is
// initialised again at each of these positions, so that a part of a page can be scrambled separately.
std::uint64_t start_of(std::uint64_t seed, std::uint32_t sequence) {
  const std::uint64_t state = mix64(mix64(seed) ^ sequence) & register_mask;
  return state == 0 ? 1 : state;  // a register of zeros would never change
}

// Returns the next 32 bits of the sequence. The register contains the latest 58 bits, with the oldest bit as the
// lowest. The next 32 bits depend only on these, because bit n is the XOR of bits n - 58 and n - 39.
std::uint32_t step(std::uint64_t& state) {
  const auto next = static_cast<std::uint32_t>(state ^ state >> 19);
  state = state >> 32 | std::uint64_t{next} << 26;
  return next;
}

using Sequence = std::array<std::byte, sequence_bytes>;

void yield(Sequence& sequence, std::uint64_t state) {
  for (std::size_t k = 0; k < sequence.size(); k += sizeof(std::uint32_t)) {
    const std::uint32_t word = step(state);
    std::memcpy(&sequence[k], &word, sizeof word);
  }
}

}  // namespace

void scramble(std::uint64_t seed, std::uint32_t first_byte, std::span<std::byte> bytes) {
  Sequence sequence;
  for (std::size_t done = 0; done < bytes.size();) {
    const std::uint32_t place = first_byte + static_cast<std::uint32_t>(done);
    yield(sequence, start_of(seed, place / sequence_bytes));
    const std::size_t first = place % sequence_bytes;
    const std::size_t count = std::min(bytes.size() - done, sequence_bytes - first);
    for (std::size_t k = 0; k < count; ++k) bytes[done + k] ^= sequence[first + k];
    done += count;
  }
}

}  // namespace nandscape::ecc
