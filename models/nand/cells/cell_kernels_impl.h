// SPDX-License-Identifier: Apache-2.0
// The kernels of cell_kernels.h as always-inline code, which is compiled for the instruction set of the calling
// function. Cells are processed in blocks. The local arrays of a block fit into the first-level cache, and each loop is
// simple enough to be vectorised.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "nand/cells/cell_kernels.h"
#include "nand/cells/cell_random.h"

namespace nandscape::nand::kernel_code {

using BlockOfFloats = float[block_cells];

// Numbers of the random streams of a wordline. Each pulse of a program has a separate stream.
inline constexpr std::uint32_t states_stream = 1;
inline constexpr std::uint32_t erased_stream = 2;
inline constexpr std::uint32_t speed_stream = 3;
inline constexpr std::uint32_t overshoot_noise_stream = 4;
inline constexpr std::uint32_t overshoot_stream = 5;
inline constexpr std::uint32_t tail_stream = 6;
inline constexpr std::uint32_t rtn_stream = 7;
inline constexpr std::uint32_t loss_stream = 8;
inline constexpr std::uint32_t lift_stream = 9;
inline constexpr std::uint32_t first_pulse_stream = 0x100;

// Returns the argument of CellStream::mix() for the first cell of a block.
NANDSCAPE_ALWAYS_INLINE std::uint32_t multiple_of(std::size_t first) {
  return static_cast<std::uint32_t>(first) * CellStream::golden_ratio;
}

// Draws a standard normal deviate for each cell of the block that begins at cell `first`. Two cells together use two
// draws of the stream, which give two deviates. The first deviate is for the cell in the first half of the block, and
// the second is for the corresponding cell in the second half.
NANDSCAPE_ALWAYS_INLINE void draw_normals(BlockOfFloats& normal, CellStream stream, std::size_t first) {
  constexpr std::uint32_t half = block_cells / 2;
  std::uint32_t multiple = multiple_of(first);
  for (std::size_t i = 0; i < half; ++i, multiple += CellStream::golden_ratio) {
    const NormalPair pair =
        normal_pair_from_bits(stream.mix(multiple), stream.mix(multiple + half * CellStream::golden_ratio));
    normal[i] = pair.first;
    normal[half + i] = pair.second;
  }
}

// Looks up values by state for all cells of a block.
class StatesOfBlock {
 public:
  // Cells of the block from `count` on are assigned state 0.
  NANDSCAPE_ALWAYS_INLINE StatesOfBlock(const std::uint8_t* state, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) index_[i] = state[i];
    std::fill(index_ + count, index_ + block_cells, 0);
  }

  NANDSCAPE_ALWAYS_INLINE void look_up(BlockOfFloats& values, const StateTable& table) const {
#if defined(__GNUC__) && !defined(__clang__)
    // Uses a permutation of two registers with 8 floats each. For the plain loop, GCC would generate a gather
    // instruction, which is several times slower.
    using Indices [[gnu::vector_size(32)]] = std::int32_t;
    using Floats [[gnu::vector_size(32)]] = float;
    Floats low, high;
    std::memcpy(&low, table.data(), sizeof low);
    std::memcpy(&high, table.data() + 8, sizeof high);
    for (std::size_t i = 0; i < block_cells; i += 8) {
      Indices index;
      std::memcpy(&index, index_ + i, sizeof index);
      const Floats value = __builtin_shuffle(low, high, index);
      std::memcpy(values + i, &value, sizeof value);
    }
#else
    for (std::size_t i = 0; i < block_cells; ++i) values[i] = table[static_cast<std::size_t>(index_[i])];
#endif
  }

 private:
  alignas(64) std::int32_t index_[block_cells];
};

NANDSCAPE_ALWAYS_INLINE void random_states(std::uint8_t* state, CellRange cells, std::uint32_t number_of_states,
                                           std::uint64_t key) {
  const CellStream stream(key, states_stream);
  // Using the upper 28 bits of the draw in a multiplication and a shift gives exactly equal probabilities if the number
  // of states is a power of two.
  std::uint32_t multiple = multiple_of(cells.first);
  for (std::size_t i = cells.first; i < cells.end; ++i, multiple += CellStream::golden_ratio) {
    state[i] = static_cast<std::uint8_t>(((stream.mix(multiple) >> 4) * number_of_states) >> 28);
  }
}

// For each value of a byte, returns a word whose byte b, in memory order, is bit b of the value.
constexpr std::array<std::uint64_t, 256> bits_as_bytes() {
  std::array<std::uint64_t, 256> words = {};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::array<std::uint8_t, 8> bits = {};
    for (std::uint32_t b = 0; b < 8; ++b) bits[b] = byte >> b & 1;
    words[byte] = std::bit_cast<std::uint64_t>(bits);
  }
  return words;
}
inline constexpr std::array<std::uint64_t, 256> spread_bits = bits_as_bytes();

NANDSCAPE_ALWAYS_INLINE void states_of_pages(std::uint8_t* state, CellRange cells, const std::byte* const* pages,
                                             std::uint32_t number_of_pages,
                                             const std::array<std::uint8_t, max_cell_states>& state_of) {
  for (std::size_t first = cells.first; first < cells.end; first += block_cells) {
    const std::size_t count = std::min(block_cells, cells.end - first);
    std::uint64_t index[block_cells / 8] = {};
    for (std::uint32_t page = 0; page < number_of_pages; ++page) {
      const std::byte* bytes = pages[page] + first / 8;
      for (std::size_t i = 0; i < (count + 7) / 8; ++i) {
        index[i] |= spread_bits[std::to_integer<std::size_t>(bytes[i])] << page;
      }
    }
    std::uint8_t block[block_cells];
#if defined(__GNUC__) && !defined(__clang__)
    using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
    Bytes table;
    std::memcpy(&table, state_of.data(), sizeof table);
    for (std::size_t i = 0; i < block_cells; i += 16) {
      Bytes indices;
      std::memcpy(&indices, &index[i / 8], sizeof indices);
      const Bytes states = __builtin_shuffle(table, indices);
      std::memcpy(block + i, &states, sizeof states);
    }
#else
    std::uint8_t indices[block_cells];
    std::memcpy(indices, index, block_cells);
    for (std::size_t i = 0; i < block_cells; ++i) block[i] = state_of[indices[i]];
#endif
    std::memcpy(state + first, block, count);
  }
}

NANDSCAPE_ALWAYS_INLINE void erase_draw(float* vth, CellRange cells, float mean_mv, float sigma_mv, std::uint64_t key) {
  const CellStream stream(key, erased_stream);
  alignas(64) BlockOfFloats normal;
  for (std::size_t first = cells.first; first < cells.end; first += block_cells) {
    const std::size_t count = std::min(block_cells, cells.end - first);
    draw_normals(normal, stream, first);
    for (std::size_t i = 0; i < count; ++i) vth[first + i] = mean_mv + sigma_mv * normal[i];
  }
}

NANDSCAPE_ALWAYS_INLINE void first_pulse(float* vth, const std::uint8_t* state, CellRange cells, float start_mv,
                                         float speed_sigma_mv, std::uint64_t key) {
  const CellStream stream(key, speed_stream);
  StateTable highest;  // highest voltage that the pulse may set, by state; cells of state 0 never move
  highest.fill(std::numeric_limits<float>::infinity());
  highest[0] = -std::numeric_limits<float>::infinity();
  alignas(64) BlockOfFloats normal;
  alignas(64) BlockOfFloats limit;
  for (std::size_t first = cells.first; first < cells.end; first += block_cells) {
    const std::size_t count = std::min(block_cells, cells.end - first);
    StatesOfBlock(state + first, count).look_up(limit, highest);
    draw_normals(normal, stream, first);
    for (std::size_t i = 0; i < count; ++i) {
      const float reached = start_mv + speed_sigma_mv * normal[i];
      vth[first + i] = reached < limit[i] ? reached : vth[first + i];
    }
  }
}

NANDSCAPE_ALWAYS_INLINE std::size_t program_pulse(float* vth, const std::uint8_t* state, CellRange cells,
                                                  const StateTable& verify_mv, float step_mv, float noise_mv,
                                                  std::uint64_t key, std::uint32_t pulse_number) {
  const CellStream stream(key, first_pulse_stream + pulse_number);
  std::size_t still_below = 0;
  alignas(64) BlockOfFloats normal = {};
  alignas(64) BlockOfFloats verify;
  for (std::size_t first = cells.first; first < cells.end; first += block_cells) {
    const std::size_t count = std::min(block_cells, cells.end - first);
    float* const block = vth + first;
    StatesOfBlock(state + first, count).look_up(verify, verify_mv);
    std::uint32_t below = 0;
    for (std::size_t i = 0; i < count; ++i) below += block[i] < verify[i];
    if (below == 0) continue;  // most blocks are finished before the last pulses
    if (noise_mv != 0) draw_normals(normal, stream, first);
    below = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const float before = block[i];
      const float lifted = before + (step_mv + noise_mv * normal[i]);
      const float after = before < verify[i] ? lifted : before;
      below += after < verify[i];
      block[i] = after;
    }
    still_below += below;
  }
  return still_below;
}

NANDSCAPE_ALWAYS_INLINE std::size_t count_below(const float* vth, const std::uint8_t* state, CellRange cells,
                                                std::uint8_t of_state, float level_mv) {
  std::size_t total = 0;
  for (std::size_t first = cells.first; first < cells.end; first += block_cells) {
    const std::size_t count = std::min(block_cells, cells.end - first);
    std::uint32_t below = 0;
    for (std::size_t i = 0; i < count; ++i) below += (state[first + i] == of_state) & (vth[first + i] < level_mv);
    total += below;
  }
  return total;
}

NANDSCAPE_ALWAYS_INLINE void draw_programmed(float* vth, const std::uint8_t* state, CellRange cells,
                                             const ProgrammedCells& programmed, std::uint64_t key) {
  const CellStream noise_stream(key, overshoot_noise_stream);
  const CellStream stream(key, overshoot_stream);
  // Each half of a draw is an integer k from 0 to 2^16 - 1. It represents the middle of the k-th of 2^16 equal parts of
  // (0, 1).
  const float mean = programmed.erased_mean_mv;
  const float sigma = programmed.erased_sigma_mv;
  const float noise = programmed.noise_mv;
  const float step_part = programmed.step_mv * 0x1p-16f;
  const float noise_part = noise * 0x1p-16f;
  const float keep_slope = noise > 0 ? 0x1p15f * noise / programmed.step_mv : 0.0f;
  StateTable verify_mv = programmed.verify_mv;
  verify_mv[0] = -std::numeric_limits<float>::infinity();
  alignas(64) BlockOfFloats normal;
  alignas(64) BlockOfFloats verify;
  for (std::size_t first = cells.first; first < cells.end; first += block_cells) {
    const std::size_t count = std::min(block_cells, cells.end - first);
    StatesOfBlock(state + first, count).look_up(verify, verify_mv);
    draw_normals(normal, noise_stream, first);
    std::uint32_t multiple = multiple_of(first);
    for (std::size_t i = 0; i < count; ++i, multiple += CellStream::golden_ratio) {
      // The step x that crosses the level is drawn with a probability proportional to its length, because a longer step
      // is more likely to cross it. The position of the level within the step is uniform. To draw x = step + noise z,
      // the sign of a normal deviate z is inverted with the probability (1 - noise / step z) / 2. The density of z is
      // then (1 + noise / step z) phi(z) = x / step phi(z), as required.
      const float z = normal[i];
      const std::uint32_t bits = stream.mix(multiple);
      const float keep = static_cast<float>(static_cast<std::int32_t>(bits & 0xffff));
      const float along = static_cast<float>(static_cast<std::int32_t>(bits >> 16)) + 0.5f;
      const float deviation = noise_part * z;
      const float longer = step_part + deviation;
      const float shorter = step_part - deviation;
      const float above = verify[i] + along * (keep < 32767.5f + keep_slope * z ? longer : shorter);
      const float erased = mean + sigma * z;
      vth[first + i] = verify[i] == -std::numeric_limits<float>::infinity() ? erased : above;
    }
  }
}

NANDSCAPE_ALWAYS_INLINE bool any_of(const StateTable& table) {
  return std::any_of(table.begin(), table.end(), [](float value) { return value != 0; });
}

NANDSCAPE_ALWAYS_INLINE void age_cells(float* out, const float* in, const std::uint8_t* state, CellRange cells,
                                       const CellAgeing& ageing, const float* interference_mv, std::uint64_t key) {
  const CellStream tails(key, tail_stream);
  const CellStream rtn(key, rtn_stream);
  const CellStream loss(key, loss_stream);
  const CellStream lifts(key, lift_stream);
  const bool with_tails = any_of(ageing.low_fraction) || any_of(ageing.high_fraction);
  const bool with_rtn = any_of(ageing.rtn_mv);
  const bool with_loss_noise = any_of(ageing.loss_noise_mv);
  const bool with_lifts = any_of(ageing.lifted_share);
  const float loss_at_zero = ageing.loss_at_zero_mv;
  const float loss_slope = ageing.loss_slope;
  const float lift = ageing.lift_mv;
  // Each cell draws a random point in (0, 1). If the distance of the point from the lower or the upper end is less than
  // the share of the corresponding tail, the cell is in that tail. Then distance / share is the probability that
  // another cell of the tail is further out. If there is no tail, the scaled distance is at least 2^31, so it never
  // counts.
  StateTable low_scale, high_scale;
  for (std::size_t s = 0; s < max_cell_states; ++s) {
    low_scale[s] = ageing.low_fraction[s] > 0 ? 0x1p-32f / ageing.low_fraction[s] : 0x1p32f;
    high_scale[s] = ageing.high_fraction[s] > 0 ? 0x1p-32f / ageing.high_fraction[s] : 0x1p32f;
  }
  // A cell whose exponential deviate exceeds this value is lifted. The lift is the excess, which is also exponentially
  // distributed.
  StateTable lifted_from;
  for (std::size_t s = 0; s < max_cell_states; ++s) {
    lifted_from[s] = ageing.lifted_share[s] > 0 ? negative_log(ageing.lifted_share[s]) : 1e3f;
  }
  alignas(64) BlockOfFloats y = {};
  alignas(64) BlockOfFloats normal;
  alignas(64) BlockOfFloats shift;
  alignas(64) BlockOfFloats lost;
  alignas(64) BlockOfFloats scale;
  alignas(64) BlockOfFloats low_end, low_distance, low_sigma;
  alignas(64) BlockOfFloats high_end, high_distance, high_sigma;
  for (std::size_t first = cells.first; first < cells.end; first += block_cells) {
    const std::size_t count = std::min(block_cells, cells.end - first);
    const StatesOfBlock states(state + first, count);
    std::memcpy(y, in + first, count * sizeof(float));
    if (with_tails) {
      states.look_up(low_distance, low_scale);
      states.look_up(low_end, ageing.low_mv);
      states.look_up(low_sigma, ageing.low_sigma_mv);
      states.look_up(high_distance, high_scale);
      states.look_up(high_end, ageing.high_mv);
      states.look_up(high_sigma, ageing.high_sigma_mv);
      std::uint32_t multiple = multiple_of(first);
      for (std::size_t i = 0; i < block_cells; ++i, multiple += CellStream::golden_ratio) {
        const std::uint32_t bits = tails.mix(multiple);
        const float further_down = (static_cast<float>(bits) + 0.5f) * low_distance[i];
        const float further_up = (static_cast<float>(~bits) + 0.5f) * high_distance[i];
        const float further = further_down < further_up ? further_down : further_up;
        const float distance = half_normal_quantile(further < 1.0f ? further : 1.0f);
        const float above = high_end[i] + high_sigma[i] * distance;
        const float below = low_end[i] - low_sigma[i] * distance;
        const float not_below = further_up < 1.0f ? above : y[i];
        y[i] = further_down < 1.0f ? below : not_below;
      }
    }
    if (with_rtn) {
      states.look_up(scale, ageing.rtn_mv);
      std::uint32_t multiple = multiple_of(first);
      for (std::size_t i = 0; i < block_cells; ++i, multiple += CellStream::golden_ratio) {
        y[i] += scale[i] * laplace_from_bits(rtn.mix(multiple));
      }
    }
    if (interference_mv != nullptr) {
      for (std::size_t i = 0; i < count; ++i) y[i] += interference_mv[first + i];
    }
    states.look_up(shift, ageing.shift_mv);
    for (std::size_t i = 0; i < block_cells; ++i) {
      lost[i] = loss_at_zero + loss_slope * y[i];
      y[i] += shift[i] - lost[i];
    }
    if (with_loss_noise) {
      states.look_up(scale, ageing.loss_noise_mv);
      draw_normals(normal, loss, first);
      for (std::size_t i = 0; i < block_cells; ++i) {
        y[i] += std::sqrt(scale[i] * (lost[i] > 0 ? lost[i] : 0.0f)) * normal[i];
      }
    }
    if (with_lifts) {
      states.look_up(scale, lifted_from);
      std::uint32_t multiple = multiple_of(first);
      for (std::size_t i = 0; i < block_cells; ++i, multiple += CellStream::golden_ratio) {
        const float beyond = exponential_from_bits(lifts.mix(multiple)) - scale[i];
        y[i] += lift * (beyond > 0 ? beyond : 0.0f);
      }
    }
    std::memcpy(out + first, y, count * sizeof(float));
  }
}

// Each of 32 cells sets its own bit of a 32-bit word. This form can be vectorised, because the words of the cells are
// then combined with OR.
inline constexpr std::array<std::uint32_t, 32> bit_of_cell = [] {
  std::array<std::uint32_t, 32> weights = {};
  for (std::size_t i = 0; i < 32; ++i) weights[i] = std::uint32_t{1} << i;
  return weights;
}();

template <std::size_t number_of_levels>
NANDSCAPE_ALWAYS_INLINE std::uint32_t crossings(const float* vth, const float* levels) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    bool odd = false;
    for (std::size_t k = 0; k < number_of_levels; ++k) odd ^= vth[i] >= levels[k];
    word |= odd ? bit_of_cell[i] : 0;
  }
  return word;
}

// Returns 32 bits, one for each cell. A bit is set if an odd number of levels is at or below the voltage of the cell.
// Processes four levels at a time.
NANDSCAPE_ALWAYS_INLINE std::uint32_t crossings(const float* vth, const float* levels, std::size_t number_of_levels) {
  std::uint32_t word = 0;
  for (; number_of_levels >= 4; number_of_levels -= 4, levels += 4) word ^= crossings<4>(vth, levels);
  if (number_of_levels == 3) word ^= crossings<3>(vth, levels);
  if (number_of_levels == 2) word ^= crossings<2>(vth, levels);
  if (number_of_levels == 1) word ^= crossings<1>(vth, levels);
  return word;
}

NANDSCAPE_ALWAYS_INLINE void sense_page(const float* vth, CellRange cells, const float* levels_mv,
                                        std::size_t number_of_levels, bool first_bit, std::uint64_t* bits) {
  const std::uint64_t first = first_bit ? ~std::uint64_t{0} : 0;
  std::array<float, max_cell_states> levels = {};
  std::copy_n(levels_mv, number_of_levels, levels.begin());
  std::size_t i = cells.first;
  for (; i + 64 <= cells.end; i += 64) {
    const std::uint64_t low = crossings(vth + i, levels.data(), number_of_levels);
    const std::uint64_t high = crossings(vth + i + 32, levels.data(), number_of_levels);
    bits[i / 64] = first ^ (low | high << 32);
  }
  if (i == cells.end) return;
  std::array<float, 64> rest = {};
  std::copy_n(vth + i, cells.end - i, rest.begin());
  const std::uint64_t low = crossings(rest.data(), levels.data(), number_of_levels);
  const std::uint64_t high = crossings(rest.data() + 32, levels.data(), number_of_levels);
  bits[i / 64] = (first ^ (low | high << 32)) & ((std::uint64_t{1} << (cells.end - i)) - 1);
}

NANDSCAPE_ALWAYS_INLINE std::uint32_t bits_of_states(const std::uint8_t* state, std::uint32_t bit_of_state) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 32; ++i) word |= (bit_of_state >> state[i]) & 1 ? bit_of_cell[i] : 0;
  return word;
}

NANDSCAPE_ALWAYS_INLINE void page_bits_of_states(const std::uint8_t* state, CellRange cells, std::uint16_t bit_of_state,
                                                 std::uint64_t* bits) {
  std::size_t i = cells.first;
  for (; i + 64 <= cells.end; i += 64) {
    const std::uint64_t low = bits_of_states(state + i, bit_of_state);
    const std::uint64_t high = bits_of_states(state + i + 32, bit_of_state);
    bits[i / 64] = low | high << 32;
  }
  if (i == cells.end) return;
  std::array<std::uint8_t, 64> rest = {};
  std::copy_n(state + i, cells.end - i, rest.begin());
  const std::uint64_t low = bits_of_states(rest.data(), bit_of_state);
  const std::uint64_t high = bits_of_states(rest.data() + 32, bit_of_state);
  bits[i / 64] = (low | high << 32) & ((std::uint64_t{1} << (cells.end - i)) - 1);
}

NANDSCAPE_ALWAYS_INLINE Misreads count_misreads(const std::uint64_t* sensed, const std::uint64_t* expected,
                                                std::size_t first_cell, std::size_t cells, std::size_t codeword_cells) {
  Misreads misreads;
  const std::size_t end = first_cell + cells;
  for (std::size_t begin = first_cell; begin < end; begin += codeword_cells) {
    const std::size_t last = std::min(begin + codeword_cells, end) - 1;
    const std::uint64_t from_begin = ~std::uint64_t{0} << begin % 64;
    const std::uint64_t to_last = ~std::uint64_t{0} >> (63 - last % 64);
    std::uint64_t errors = 0;
    for (std::size_t word = begin / 64; word <= last / 64; ++word) {
      std::uint64_t differing = sensed[word] ^ expected[word];
      if (word == begin / 64) differing &= from_begin;
      if (word == last / 64) differing &= to_last;
      errors += static_cast<std::uint64_t>(std::popcount(differing));
    }
    misreads.total += errors;
    misreads.worst_codeword = std::max(misreads.worst_codeword, errors);
  }
  return misreads;
}

}  // namespace nandscape::nand::kernel_code
