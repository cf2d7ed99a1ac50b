// SPDX-License-Identifier: Apache-2.0
// What happens to all the cells of a wordline, as loops over arrays of cells that run at vector speed: on x86 each is
// compiled for AVX-512, AVX2 and SSE2, and the best is chosen when the program starts. Results are the same bits on all
// of them, and each cell's depend on its own index, not on how many there are.
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

// Equally likely states, below `number_of_states` <= 16.
void random_states(std::uint8_t* state, std::size_t cells, std::uint32_t number_of_states, std::uint64_t key);

// The states that hold the data of the `number_of_pages` <= 4 pages: cell i takes bit i of each, from the lowest bit of
// byte 0 on, and goes to state_of[bit of page 0 + 2 * bit of page 1 + ...].
void states_of_pages(std::uint8_t* state, std::size_t cells, const std::byte* const* pages,
                     std::uint32_t number_of_pages, const std::array<std::uint8_t, max_cell_states>& state_of);

// Normally distributed threshold voltages, as an erase leaves them.
void erase_draw(float* vth, std::size_t cells, float mean_mv, float sigma_mv, std::uint64_t key);

// The first pulse of a program operation: it puts each cell to be programmed (those not in state 0) where the speed of
// the cell takes it, normally distributed. That may lie below where it was erased: pulses move a cell only once they
// have grown strong enough for it, and until then the value tells how many steps they lack.
void first_pulse(float* vth, const std::uint8_t* state, std::size_t cells, float start_mv, float speed_sigma_mv,
                 std::uint64_t key);

// Each further pulse: cells below the verify level of their state rise by the step, with normal noise. Returns how many
// cells are below their verify level after it. -infinity marks states whose cells get no pulse.
std::size_t program_pulse(float* vth, const std::uint8_t* state, std::size_t cells, const StateTable& verify_mv,
                          float step_mv, float noise_mv, std::uint64_t key, std::uint32_t pulse_number);

// Cells of one state that are below a level.
std::size_t count_below(const float* vth, const std::uint8_t* state, std::size_t cells, std::uint8_t of_state,
                        float level_mv);

// Where pulses leave the cells: state 0 erased, others above their verify level by at most about a step.
struct ProgrammedCells {
  float erased_mean_mv = 0;
  float erased_sigma_mv = 0;
  StateTable verify_mv = {};
  float step_mv = 0;
  float noise_mv = 0;  // of a step; well below step_mv
};

// Draws that position at once, without pulses. The overshoot y >= 0 over the verify level has the density
// Q((y - step) / noise) / step, the stationary one of a walk of such steps across a level that is many steps up.
void draw_programmed(float* vth, const std::uint8_t* state, std::size_t cells, const ProgrammedCells& programmed,
                     std::uint64_t key);

// What wear and time do to cells, by state. Each term is left out where its table holds only zeros.
struct CellAgeing {
  // These fractions of the cells, together at most 1, lie in a tail instead of at their programmed position: the half
  // of a normal distribution below low_mv, or above high_mv.
  StateTable low_fraction = {}, low_mv = {}, low_sigma_mv = {};
  StateTable high_fraction = {}, high_mv = {}, high_sigma_mv = {};
  StateTable rtn_mv = {};         // random telegraph noise: scale of its Laplace distribution
  StateTable shift_mv = {};       // of all cells of the state
  StateTable loss_noise_mv = {};  // variance of a cell's loss over its mean
  StateTable lifted_share = {};   // of cells that lie higher by an exponential deviate of mean lift_mv
  // A cell of voltage y loses loss_at_zero_mv + loss_slope * y on average.
  float loss_at_zero_mv = 0;
  float loss_slope = 0;
  float lift_mv = 0;
};

// The aged threshold voltages `out` of cells programmed to `in`; both may be the same array. `interference_mv` of each
// cell is added when it is not null. A cell draws the same deviates whenever it ages under the same key.
void age_cells(float* out, const float* in, const std::uint8_t* state, std::size_t cells, const CellAgeing& ageing,
               const float* interference_mv, std::uint64_t key);

// The bits of a page as sensed at its read levels, 1 to 15 in any order: `first_bit`, flipped once for each level at or
// below the threshold voltage.
void sense_page(const float* vth, std::size_t cells, const float* levels_mv, std::size_t number_of_levels,
                bool first_bit, std::uint64_t* bits);

// The bits that a page was programmed with: bit s of `bit_of_state` for cells of state s.
void page_bits_of_states(const std::uint8_t* state, std::size_t cells, std::uint16_t bit_of_state, std::uint64_t* bits);

struct Misreads {
  std::uint64_t total = 0;
  std::uint64_t worst_codeword = 0;
};

// Differing bits among `cells` cells from `first_cell` on, and the most of them in one codeword. Codewords of
// `codeword_cells` each follow one another from `first_cell` on; the last one may be cut short.
Misreads count_misreads(const std::uint64_t* sensed, const std::uint64_t* expected, std::size_t first_cell,
                        std::size_t cells, std::size_t codeword_cells);

}  // namespace nandscape::nand
