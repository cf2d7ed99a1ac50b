// SPDX-License-Identifier: Apache-2.0
#include "cell_kernels/by_isa.h"

#include "nand/cells/cell_kernels_impl.h"

// Defines NAME_kernel, whose function `run` has the signature of the kernel NAME and is compiled for the instruction
// set TARGET.
#define KERNEL_FOR(TARGET, NAME)                                                                                  \
  template <class Function>                                                                                       \
  struct NAME##_kernel;                                                                                           \
  template <class Result, class... Arguments>                                                                     \
  struct NAME##_kernel<Result(Arguments...)> {                                                                    \
    TARGET static Result run(Arguments... arguments) { return nandscape::nand::kernel_code::NAME(arguments...); } \
  };
#define ENTRY(NAME) &NAME##_kernel<decltype(nandscape::nand::NAME)>::run

#define KERNELS_FOR(ISA, TARGET)                        \
  namespace ISA {                                       \
  KERNEL_FOR(TARGET, random_states)                     \
  KERNEL_FOR(TARGET, states_of_pages)                   \
  KERNEL_FOR(TARGET, erase_draw)                        \
  KERNEL_FOR(TARGET, first_pulse)                       \
  KERNEL_FOR(TARGET, program_pulse)                     \
  KERNEL_FOR(TARGET, count_below)                       \
  KERNEL_FOR(TARGET, draw_programmed)                   \
  KERNEL_FOR(TARGET, age_cells)                         \
  KERNEL_FOR(TARGET, sense_page)                        \
  KERNEL_FOR(TARGET, page_bits_of_states)               \
  KERNEL_FOR(TARGET, count_misreads)                    \
  const CellKernels kernels{#ISA,                       \
                            ENTRY(random_states),       \
                            ENTRY(states_of_pages),     \
                            ENTRY(erase_draw),          \
                            ENTRY(first_pulse),         \
                            ENTRY(program_pulse),       \
                            ENTRY(count_below),         \
                            ENTRY(draw_programmed),     \
                            ENTRY(age_cells),           \
                            ENTRY(sense_page),          \
                            ENTRY(page_bits_of_states), \
                            ENTRY(count_misreads)};     \
  }

namespace nandscape {
namespace {

KERNELS_FOR(generic, )
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
KERNELS_FOR(avx2, [[gnu::target("arch=x86-64-v3")]])
KERNELS_FOR(avx512, [[gnu::target("arch=x86-64-v4")]])
#endif

}  // namespace

std::vector<CellKernels> cell_kernels_by_isa() {
  std::vector<CellKernels> kernels = {
      {"dispatched", nand::random_states, nand::states_of_pages, nand::erase_draw, nand::first_pulse,
       nand::program_pulse, nand::count_below, nand::draw_programmed, nand::age_cells, nand::sense_page,
       nand::page_bits_of_states, nand::count_misreads},
      generic::kernels};
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  if (__builtin_cpu_supports("x86-64-v3")) kernels.push_back(avx2::kernels);
  if (__builtin_cpu_supports("x86-64-v4")) kernels.push_back(avx512::kernels);
#endif
  return kernels;
}

}  // namespace nandscape
