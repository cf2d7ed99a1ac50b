// SPDX-License-Identifier: Apache-2.0
// Operations on all cells of a wordline. They are loops over arrays of cells that use vector instructions. On x86, each
// is compiled for AVX-512, AVX2 and SSE2, and the best version is selected when the program starts. All versions give
// bit-identical results. The result for a cell depends on the index of the cell, but not on the number of cells.
//
// Threshold voltages are in mV. A cell has one of up to 16 states, so tables that are indexed by state have 16 entries.
// In arrays of bits, cell i is bit i % 64 of word i / 64, and the bits after the last cell are zeros.
//
// A kernel processes the cells of a range. The arrays contain all cells of the wordline, from cell 0 on. The results
// are the same if the wordline is divided into several ranges, which may be processed at the same time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nandscape::nand {

inline constexpr std::size_t max_cell_states = 16;
using StateTable = std::array<float, max_cell_states>;

// Ranges begin at multiples of this number of cells. Kernels process as many cells together.
inline constexpr std::size_t block_cells = 512;

// The cells from `first` up to, but not including, `end`. `first` is a multiple of block_cells. A number of cells is
// the range of all cells of a wordline.
struct CellRange {
  constexpr CellRange(std::size_t cells) : end(cells) {}
  constexpr CellRange(std::size_t first_cell, std::size_t end_cell) : first(first_cell), end(end_cell) {}

  std::size_t first = 0;
  std::size_t end = 0;
};

// Sets the state of each cell to a random number below `number_of_states`, which is at most 16. All states are equally
// likely.
void random_states(std::uint8_t* state, CellRange cells, std::uint32_t number_of_states, std::uint64_t key);

// Computes the states of cells that store the data of `number_of_pages` pages, which is at most 4. Cell i stores bit i
// of each page, counted from the lowest bit of byte 0. Its state is state_of[bit of page 0 + 2 * bit of page 1 + ...].
void states_of_pages(std::uint8_t* state, CellRange cells, const std::byte* const* pages, std::uint32_t number_of_pages,
                     const std::array<std::uint8_t, max_cell_states>& state_of);

// Sets each cell to a normally distributed threshold voltage, which is the result of an erase.
void erase_draw(float* vth, CellRange cells, float mean_mv, float sigma_mv, std::uint64_t key);

// Applies the first pulse of a program. Each cell whose state is not 0 is set to a normally distributed voltage, which
// reflects how fast the cell can be programmed. The voltage may be below the erased voltage, because a slow cell does
// not move until the pulses are strong enough for it. Until then, the difference represents the number of missing
// steps.
void first_pulse(float* vth, const std::uint8_t* state, CellRange cells, float start_mv, float speed_sigma_mv,
                 std::uint64_t key);

// Applies an additional pulse of a program. Cells below the verify level of their state rise by `step_mv`, with
// Gaussian noise. Returns the number of cells that are still below their verify level. States whose cells do not
// receive a pulse have the level -infinity.
std::size_t program_pulse(float* vth, const std::uint8_t* state, CellRange cells, const StateTable& verify_mv,
                          float step_mv, float noise_mv, std::uint64_t key, std::uint32_t pulse_number);

// Returns the number of cells in the state `of_state` whose voltage is below `level_mv`.
std::size_t count_below(const float* vth, const std::uint8_t* state, CellRange cells, std::uint8_t of_state,
                        float level_mv);

// Parameters of the voltages after programming. Cells of state 0 are erased. All other cells are above their verify
// level by at most about one step.
struct ProgrammedCells {
  float erased_mean_mv = 0;
  float erased_sigma_mv = 0;
  StateTable verify_mv = {};
  float step_mv = 0;
  float noise_mv = 0;  // noise of a step; must be much smaller than step_mv
};

// Draws voltages with these parameters directly, without simulating pulses. The overshoot y >= 0 above the verify level
// has the density Q((y - step) / noise) / step. This is the limiting distribution of a random walk with such steps when
// the level is many steps above the start.
void draw_programmed(float* vth, const std::uint8_t* state, CellRange cells, const ProgrammedCells& programmed,
                     std::uint64_t key);

// The effects of wear and time on cells. Tables are indexed by state. An effect is skipped if its table contains only
// zeros.
struct CellAgeing {
  // These fractions of the cells, which add up to at most 1, are in a tail instead of at their programmed voltage. A
  // tail is half of a normal distribution, which begins at low_mv and extends downwards, or begins at high_mv and
  // extends upwards.
  StateTable low_fraction = {}, low_mv = {}, low_sigma_mv = {};
  StateTable high_fraction = {}, high_mv = {}, high_sigma_mv = {};
  StateTable rtn_mv = {};         // scale of the Laplace-distributed random telegraph noise
  StateTable shift_mv = {};       // shift of all cells of the state
  StateTable loss_noise_mv = {};  // variance of a cell's loss divided by its mean
  StateTable lifted_share = {};   // share of cells with an exponentially distributed lift of mean lift_mv
  // A cell of voltage y loses loss_at_zero_mv + loss_slope * y on average.
  float loss_at_zero_mv = 0;
  float loss_slope = 0;
  float lift_mv = 0;
};

// Computes the aged threshold voltages of cells that were programmed to the voltages `in`, and stores them in `out`,
// which may be the same array. If `interference_mv` is not null, it is added to the voltage of each cell. With the same
// key, a cell always draws the same random numbers.
void age_cells(float* out, const float* in, const std::uint8_t* state, CellRange cells, const CellAgeing& ageing,
               const float* interference_mv, std::uint64_t key);

// Senses the bits of a page with 1 to 15 read levels, in any order. The bit of a cell is `first_bit`, inverted once for
// each level that does not exceed the cell's threshold voltage.
void sense_page(const float* vth, CellRange cells, const float* levels_mv, std::size_t number_of_levels, bool first_bit,
                std::uint64_t* bits);

// Computes the bits with which a page was programmed. Cells of state s have bit s of `bit_of_state`.
void page_bits_of_states(const std::uint8_t* state, CellRange cells, std::uint16_t bit_of_state, std::uint64_t* bits);

struct Misreads {
  std::uint64_t total = 0;
  std::uint64_t worst_codeword = 0;
};

// Compares `sensed` with `expected` in `cells` cells from `first_cell` on. Returns the number of differing bits in
// total and in the worst codeword. Codewords have `codeword_cells` cells and are adjacent. The last one may be
// incomplete.
Misreads count_misreads(const std::uint64_t* sensed, const std::uint64_t* expected, std::size_t first_cell,
                        std::size_t cells, std::size_t codeword_cells);

}  // namespace nandscape::nand
