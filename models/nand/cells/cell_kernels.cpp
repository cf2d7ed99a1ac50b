// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/cell_kernels.h"

#include "nand/cells/cell_kernels_impl.h"

// GCC compiles one version of each kernel for each level of x86-64, and glibc selects a version when it loads the
// program. Builds with the thread sanitizer have only one version: the sanitizer instruments the selecting function,
// but is not initialised at that time.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_THREAD__)
#define NANDSCAPE_KERNEL [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define NANDSCAPE_KERNEL
#endif

namespace nandscape::nand {

NANDSCAPE_KERNEL
void random_states(std::uint8_t* state, CellRange cells, std::uint32_t number_of_states, std::uint64_t key) {
  kernel_code::random_states(state, cells, number_of_states, key);
}

NANDSCAPE_KERNEL
void states_of_pages(std::uint8_t* state, CellRange cells, const std::byte* const* pages, std::uint32_t number_of_pages,
                     const std::array<std::uint8_t, max_cell_states>& state_of) {
  kernel_code::states_of_pages(state, cells, pages, number_of_pages, state_of);
}

NANDSCAPE_KERNEL
void erase_draw(float* vth, CellRange cells, float mean_mv, float sigma_mv, std::uint64_t key) {
  kernel_code::erase_draw(vth, cells, mean_mv, sigma_mv, key);
}

NANDSCAPE_KERNEL
void first_pulse(float* vth, const std::uint8_t* state, CellRange cells, float start_mv, float speed_sigma_mv,
                 std::uint64_t key) {
  kernel_code::first_pulse(vth, state, cells, start_mv, speed_sigma_mv, key);
}

NANDSCAPE_KERNEL
std::size_t program_pulse(float* vth, const std::uint8_t* state, CellRange cells, const StateTable& verify_mv,
                          float step_mv, float noise_mv, std::uint64_t key, std::uint32_t pulse_number) {
  return kernel_code::program_pulse(vth, state, cells, verify_mv, step_mv, noise_mv, key, pulse_number);
}

NANDSCAPE_KERNEL
std::size_t count_below(const float* vth, const std::uint8_t* state, CellRange cells, std::uint8_t of_state,
                        float level_mv) {
  return kernel_code::count_below(vth, state, cells, of_state, level_mv);
}

NANDSCAPE_KERNEL
void draw_programmed(float* vth, const std::uint8_t* state, CellRange cells, const ProgrammedCells& programmed,
                     std::uint64_t key) {
  kernel_code::draw_programmed(vth, state, cells, programmed, key);
}

NANDSCAPE_KERNEL
void age_cells(float* out, const float* in, const std::uint8_t* state, CellRange cells, const CellAgeing& ageing,
               const float* interference_mv, std::uint64_t key) {
  kernel_code::age_cells(out, in, state, cells, ageing, interference_mv, key);
}

NANDSCAPE_KERNEL
void sense_page(const float* vth, CellRange cells, const float* levels_mv, std::size_t number_of_levels, bool first_bit,
                std::uint64_t* bits) {
  kernel_code::sense_page(vth, cells, levels_mv, number_of_levels, first_bit, bits);
}

NANDSCAPE_KERNEL
void page_bits_of_states(const std::uint8_t* state, CellRange cells, std::uint16_t bit_of_state, std::uint64_t* bits) {
  kernel_code::page_bits_of_states(state, cells, bit_of_state, bits);
}

NANDSCAPE_KERNEL
Misreads count_misreads(const std::uint64_t* sensed, const std::uint64_t* expected, std::size_t first_cell,
                        std::size_t cells, std::size_t codeword_cells) {
  return kernel_code::count_misreads(sensed, expected, first_cell, cells, codeword_cells);
}

}  // namespace nandscape::nand
