// SPDX-License-Identifier: Apache-2.0
// Operations on all cells of a wordline, as loops over arrays of cells at vector speed. On x86 each is compiled for
// AVX-512, AVX2 and SSE2, and the best is chosen when the program starts. All of them give bit-identical results. The
// result of a cell depends on its index, not on the number of cells.
//
// Threshold voltages are in mV. A cell has one of up to 16 states; tables by state have 16 entries. Arrays of bits hold
// cell i in bit i % 64 of word i / 64, and zeros after the last cell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nandscape::nand {

inline constexpr std::size_t max_cell_states = 16;
using StateTable = std::array<float, max_cell_states>;

// Draws equally likely states below `number_of_states`, which is at most 16.
void random_states(std::uint8_t* state, std::size_t cells, std::uint32_t number_of_states, std::uint64_t key);

// Finds the states that hold the data of `number_of_pages` pages, at most 4. Cell i takes bit i of each page, from the
// lowest bit of byte 0 onward, and gets the state state_of[bit of page 0 + 2 * bit of page 1 + ...].
void states_of_pages(std::uint8_t* state, std::size_t cells, const std::byte* const* pages,
                     std::uint32_t number_of_pages, const std::array<std::uint8_t, max_cell_states>& state_of);

// Draws normally distributed threshold voltages, as an erase leaves them.
void erase_draw(float* vth, std::size_t cells, float mean_mv, float sigma_mv, std::uint64_t key);

// The first pulse of a program: places each cell whose state is not 0 at a normally distributed voltage, which reflects
// the cell's speed. The voltage may lie below the erased one: pulses move a cell only once they are strong enough for
// it. Until then the value tells how many steps are missing.
void first_pulse(float* vth, const std::uint8_t* state, std::size_t cells, float start_mv, float speed_sigma_mv,
                 std::uint64_t key);

// Each further pulse: cells below the verify level of their state rise by the step, with normal noise. Returns how many
// cells are below their verify level afterwards. A level of -infinity marks states whose cells get no pulse.
std::size_t program_pulse(float* vth, const std::uint8_t* state, std::size_t cells, const StateTable& verify_mv,
                          float step_mv, float noise_mv, std::uint64_t key, std::uint32_t pulse_number);

// The number of cells of one state that are below a level.
std::size_t count_below(const float* vth, const std::uint8_t* state, std::size_t cells, std::uint8_t of_state,
                        float level_mv);

// Describes the voltages after programming. Cells of state 0 are erased; the others lie above their verify level by at
// most about a step.
struct ProgrammedCells {
  float erased_mean_mv = 0;
  float erased_sigma_mv = 0;
  StateTable verify_mv = {};
  float step_mv = 0;
  float noise_mv = 0;  // noise of a step; well below step_mv
};

// Draws these voltages at once, without pulses. The overshoot y >= 0 over the verify level has the density Q((y - step)
// / noise) / step: the limit for a walk with these steps that crosses a level many steps up.
void draw_programmed(float* vth, const std::uint8_t* state, std::size_t cells, const ProgrammedCells& programmed,
                     std::uint64_t key);

// The effects of wear and time on cells, by state. A term is skipped if its table holds only zeros.
struct CellAgeing {
  // These fractions of the cells, together at most 1, lie in a tail instead of at their programmed voltage: the half of
  // a normal distribution below low_mv or above high_mv.
  StateTable low_fraction = {}, low_mv = {}, low_sigma_mv = {};
  StateTable high_fraction = {}, high_mv = {}, high_sigma_mv = {};
  StateTable rtn_mv = {};         // scale of the Laplace distribution of random telegraph noise
  StateTable shift_mv = {};       // shift of all cells of the state
  StateTable loss_noise_mv = {};  // ratio of the variance of a cell's loss to its mean
  StateTable lifted_share = {};   // share of cells lifted by an exponential deviate of mean lift_mv
  // A cell of voltage y loses loss_at_zero_mv + loss_slope * y on average.
  float loss_at_zero_mv = 0;
  float loss_slope = 0;
  float lift_mv = 0;
};

// Writes the aged threshold voltages of the cells programmed to `in` to `out`, which may be the same array. Adds
// `interference_mv` of each cell unless it is null. A cell draws the same deviates whenever it ages under the same key.
void age_cells(float* out, const float* in, const std::uint8_t* state, std::size_t cells, const CellAgeing& ageing,
               const float* interference_mv, std::uint64_t key);

// Senses the bits of a page at its 1 to 15 read levels, given in any order. A bit is `first_bit`, flipped once for each
// level at or below the cell's threshold voltage.
void sense_page(const float* vth, std::size_t cells, const float* levels_mv, std::size_t number_of_levels,
                bool first_bit, std::uint64_t* bits);

// The bits that a page was programmed with: bit s of `bit_of_state` for cells of state s.
void page_bits_of_states(const std::uint8_t* state, std::size_t cells, std::uint16_t bit_of_state, std::uint64_t* bits);

struct Misreads {
  std::uint64_t total = 0;
  std::uint64_t worst_codeword = 0;
};

// Counts the differing bits among `cells` cells from `first_cell` onward, and those in the worst codeword. Codewords of
// `codeword_cells` cells follow one another from `first_cell` onward; the last one may be cut short.
Misreads count_misreads(const std::uint64_t* sensed, const std::uint64_t* expected, std::size_t first_cell,
                        std::size_t cells, std::size_t codeword_cells);

}  // namespace nandscape::nand
