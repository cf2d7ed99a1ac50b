// SPDX-License-Identifier: Apache-2.0
#include "ecc/scrambler.h"

#include <algorithm>
#include <cstring>

#include "core/random.h"

namespace nandscape {

namespace {

constexpr std::uint32_t sequence_bytes = 512;  // after so many bytes the register starts anew
constexpr std::uint32_t step_bytes = 4;
constexpr std::uint64_t register_mask = (std::uint64_t{1} << 58) - 1;

// The state before the bytes number `sequence` * sequence_bytes: parts of a page are scrambled by themselves.
std::uint64_t start_of(std::uint64_t seed, std::uint32_t sequence) {
  const std::uint64_t state = mix64(mix64(seed) ^ sequence) & register_mask;
  return state == 0 ? 1 : state;  // zeros would stay zeros
}

// The register holds the 58 latest bits, the oldest lowest. The next 32 bits depend on these alone: bit n is the sum of
// bits n - 58 and n - 39.
std::uint32_t step(std::uint64_t& state) {
  const auto next = static_cast<std::uint32_t>(state ^ state >> 19);
  state = state >> 32 | std::uint64_t{next} << 26;
  return next;
}

}  // namespace

void scramble(std::uint64_t seed, std::uint32_t first_byte, std::span<std::byte> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const std::uint32_t place = first_byte + static_cast<std::uint32_t>(done);
    std::uint64_t state = start_of(seed, place / sequence_bytes);
    std::uint32_t skipped = place % sequence_bytes;
    for (; skipped >= step_bytes; skipped -= step_bytes) step(state);
    const std::size_t end = std::min<std::size_t>(bytes.size(), done + sequence_bytes - place % sequence_bytes);
    while (done < end) {
      const std::uint32_t sequence = step(state) >> 8 * skipped;
      const std::size_t count = std::min<std::size_t>(end - done, step_bytes - skipped);
      std::uint32_t word = 0;
      std::memcpy(&word, &bytes[done], count);
      word ^= sequence;
      std::memcpy(&bytes[done], &word, count);
      done += count;
      skipped = 0;
    }
  }
}

}  // namespace nandscape
