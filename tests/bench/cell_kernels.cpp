// SPDX-License-Identifier: Apache-2.0
// Measures the time per cell of each cell kernel, on every instruction set of this machine. The times are medians over
// many repetitions. The arrays have the size of one wordline, so that they fit in the second-level cache. If the
// checksums of two instruction sets are equal, their results are equal bit for bit.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include "cell_kernels/by_isa.h"

using namespace nandscape;

namespace {

struct Cost {
  double median_ns;
  double least_ns;  // time of the fastest repetition, which was disturbed least by other programs
};

Cost cost_per_cell(std::size_t cells, int repetitions, const std::function<void()>& run) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> ns;
  for (int i = 0; i < repetitions; ++i) {
    const Clock::time_point start = Clock::now();
    run();
    ns.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count() / static_cast<double>(cells));
  }
  std::sort(ns.begin(), ns.end());
  return {ns[ns.size() / 2], ns.front()};
}

// Returns a hash of all bits of the array. It shows whether the instruction sets agree, and keeps the compiler from
// optimising the computation away.
template <class T>
std::uint64_t checksum(const std::vector<T>& values) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  return std::accumulate(bytes, bytes + values.size() * sizeof(T), std::uint64_t{0xcbf29ce484222325},
                         [](std::uint64_t hash, unsigned char c) { return (hash ^ c) * 0x100000001b3; });
}

struct Wordline {
  explicit Wordline(std::size_t n)
      : cells(n), state(n), vth(n), aged(n), bits((n + 63) / 64), expected((n + 63) / 64), page((n + 7) / 8) {}

  std::size_t cells;
  std::vector<std::uint8_t> state;
  std::vector<float> vth;
  std::vector<float> aged;
  std::vector<std::uint64_t> bits;
  std::vector<std::uint64_t> expected;
  std::vector<std::byte> page;
};

void measure(const CellKernels& k, std::size_t cells, int repetitions) {
  Wordline w(cells);
  const std::string_view isa = k.isa;
  const auto report = [&](const char* kernel, const std::function<void()>& run) {
    const Cost cost = cost_per_cell(cells, repetitions, run);
    const std::uint64_t sum = checksum(w.state) ^ checksum(w.vth) ^ checksum(w.aged) ^ checksum(w.bits);
    std::printf("%-10.*s %-28s median %6.3f, least %6.3f ns/cell, result %016llx\n", static_cast<int>(isa.size()),
                isa.data(), kernel, cost.median_ns, cost.least_ns, static_cast<unsigned long long>(sum));
  };
  const std::uint64_t key = 1;
  nand::StateTable verify = {-1e9f, 675, 1375, 2075, 2775, 3475, 4175, 4875};
  nand::StateTable out_of_reach;
  out_of_reach.fill(1e9f);
  nand::CellAgeing ageing;
  for (std::size_t s = 1; s < 8; ++s) {
    ageing.low_fraction[s] = ageing.high_fraction[s] = 0.1f;
    ageing.low_mv[s] = verify[s];
    ageing.high_mv[s] = verify[s] + 250;
    ageing.low_sigma_mv[s] = ageing.high_sigma_mv[s] = 50;
    ageing.shift_mv[s] = 10;
  }
  nand::CellAgeing all_ageing = ageing;
  all_ageing.rtn_mv.fill(10);
  all_ageing.loss_noise_mv.fill(3);
  all_ageing.loss_slope = 0.03f;
  const nand::CellAgeing drift{.loss_slope = 0.03f};
  const std::vector<float> interference(cells, 5.0f);
  const float levels[] = {250, 1200, 1900, 2600, 3300, 4000, 4700};
  const std::byte* const pages[] = {w.page.data(), w.page.data(), w.page.data()};
  const std::array<std::uint8_t, nand::max_cell_states> state_of = {7, 0, 6, 1, 4, 3, 5, 2};

  for (std::size_t i = 0; i < w.page.size(); ++i) w.page[i] = static_cast<std::byte>(i * 37);
  report("states_of_pages, 3 pages", [&] { k.states_of_pages(w.state.data(), cells, pages, 3, state_of); });
  report("random_states", [&] { k.random_states(w.state.data(), cells, 8, key); });
  report("erase_draw", [&] { k.erase_draw(w.vth.data(), cells, -2500, 200, key); });
  report("first_pulse", [&] { k.first_pulse(w.vth.data(), w.state.data(), cells, 0, 100, key); });
  report("program_pulse, all active",
         [&] { k.program_pulse(w.vth.data(), w.state.data(), cells, out_of_reach, 1, 0.1f, key, 1); });
  std::fill(w.vth.begin(), w.vth.end(), 1e10f);
  report("program_pulse, none active",
         [&] { k.program_pulse(w.vth.data(), w.state.data(), cells, out_of_reach, 1, 0.1f, key, 1); });
  report("draw_programmed", [&] {
    k.draw_programmed(w.vth.data(), w.state.data(), cells, {-2500, 200, verify, 250, 25}, key);
  });
  report("count_below", [&] { w.bits[0] = k.count_below(w.vth.data(), w.state.data(), cells, 3, 2200); });
  report("age_cells, drift",
         [&] { k.age_cells(w.aged.data(), w.vth.data(), w.state.data(), cells, drift, nullptr, key); });
  report("age_cells, tails",
         [&] { k.age_cells(w.aged.data(), w.vth.data(), w.state.data(), cells, ageing, nullptr, key); });
  report("age_cells, everything", [&] {
    k.age_cells(w.aged.data(), w.vth.data(), w.state.data(), cells, all_ageing, interference.data(), key);
  });
  report("sense_page, 2 levels", [&] { k.sense_page(w.aged.data(), cells, levels, 2, true, w.bits.data()); });
  report("sense_page, 4 levels", [&] { k.sense_page(w.aged.data(), cells, levels, 4, true, w.bits.data()); });
  report("sense_page, 7 levels", [&] { k.sense_page(w.aged.data(), cells, levels, 7, true, w.bits.data()); });
  report("page_bits_of_states", [&] { k.page_bits_of_states(w.state.data(), cells, 0b01100101, w.expected.data()); });
  nand::Misreads misreads;
  report("count_misreads", [&] {
    misreads = k.count_misreads(w.bits.data(), w.expected.data(), 0, cells, 9128);
    w.bits[0] = misreads.total;
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t cells = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 131072;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 301;
  for (const CellKernels& kernels : cell_kernels_by_isa()) measure(kernels, cells, repetitions);
}
