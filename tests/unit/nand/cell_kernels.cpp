// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/cell_kernels.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "cell_kernels/by_isa.h"
#include "core/random.h"
#include "nand/cells/cell_kernels_impl.h"
#include "unit/nand/cell_statistics.h"

namespace nandscape::nand {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const StateTable verify_mv = {-infinity, 100,  400,  700,  1000, 1300, 1600, 1900,
                              2200,      2500, 2800, 3100, 3400, 3700, 4000, 4300};
const std::size_t sizes[] = {0, 1, 7, 8, 63, 64, 65, 255, 511, 512, 513, 1000, 1024, 4133};

CellAgeing strong_ageing() {
  CellAgeing ageing;
  for (std::size_t s = 0; s < max_cell_states; ++s) {
    const float share = static_cast<float>(s) / 40;
    ageing.low_fraction[s] = share;
    ageing.high_fraction[s] = s % 3 == 0 ? 0 : 1.5f * share;
    ageing.low_mv[s] = verify_mv[s];
    ageing.high_mv[s] = verify_mv[s] + 250;
    ageing.low_sigma_mv[s] = 40 + static_cast<float>(s);
    ageing.high_sigma_mv[s] = 60 - static_cast<float>(s);
    ageing.rtn_mv[s] = static_cast<float>(s) / 2;
    ageing.shift_mv[s] = 20 - static_cast<float>(s);
    ageing.loss_noise_mv[s] = s == 0 ? 0 : 3;
  }
  ageing.low_mv[0] = ageing.high_mv[0] = -2500;
  ageing.loss_at_zero_mv = -20;
  ageing.loss_slope = 0.05f;
  return ageing;
}

// The results of all kernels for one wordline. Each array has extra room at its end, to detect writes past the end.
struct Everything {
  static constexpr std::size_t spare = 70;

  explicit Everything(std::size_t cells)
      : state(cells + spare, 0xee),
        from_pages(cells + spare, 0xee),
        erased(cells + spare, 12345),
        started(cells + spare, 12345),
        pulsed(cells + spare, 12345),
        drawn(cells + spare, 12345),
        aged(cells + spare, 12345),
        sensed(cells / 64 + spare, 12345),
        expected(cells / 64 + spare, 12345) {}

  bool operator==(const Everything& other) const = default;

  std::vector<std::uint8_t> state, from_pages;
  std::vector<float> erased, started, pulsed, drawn, aged;
  std::vector<std::uint64_t> sensed, expected;
  std::vector<std::uint64_t> counts;
};

// Runs all kernels on ranges of `piece` cells, which is a multiple of block_cells.
Everything run_all(const CellKernels& k, std::size_t cells, std::size_t piece) {
  Everything e(cells);
  const std::uint64_t key = cell_key(1, 3, 4);
  std::vector<std::byte> data(4 * (cells / 8 + 1));
  RandomStream random(1, "data");
  for (std::byte& byte : data) byte = static_cast<std::byte>(random());
  const std::byte* pages[4];
  for (std::size_t p = 0; p < 4; ++p) pages[p] = data.data() + p * (cells / 8 + 1);
  const std::array<std::uint8_t, max_cell_states> state_of = {15, 0, 14, 1, 13, 2, 12, 3, 11, 4, 10, 5, 9, 6, 8, 7};
  const std::vector<float> interference(cells, 7.5f);

  e.counts.resize(20);
  for (std::size_t first = 0; first < cells; first += piece) {
    const CellRange range(first, std::min(first + piece, cells));
    const auto begin = static_cast<std::ptrdiff_t>(first);
    const std::size_t count = range.end - first;
    k.random_states(e.state.data(), range, 16, key);
    k.states_of_pages(e.from_pages.data(), range, pages, 4, state_of);
    k.erase_draw(e.erased.data(), range, -2500, 200, key);
    std::copy_n(e.erased.begin() + begin, count, e.started.begin() + begin);
    k.first_pulse(e.started.data(), e.state.data(), range, 0, 100, key);
    std::copy_n(e.started.begin() + begin, count, e.pulsed.begin() + begin);
    for (std::uint32_t pulse = 2; pulse < 12; ++pulse) {
      e.counts[2 * pulse - 4] +=
          k.program_pulse(e.pulsed.data(), e.state.data(), range, verify_mv, 250, pulse < 8 ? 25.0f : 0.0f, key, pulse);
      e.counts[2 * pulse - 3] += k.count_below(e.pulsed.data(), e.state.data(), range, 9, verify_mv[9]);
    }
    k.draw_programmed(e.drawn.data(), e.state.data(), range, {-2500, 200, verify_mv, 250, 25}, key);
    k.age_cells(e.aged.data(), e.drawn.data(), e.state.data(), range, strong_ageing(), interference.data(), key);
    k.sense_page(e.aged.data(), range, verify_mv.data() + 1, 15, true, e.sensed.data());
    k.page_bits_of_states(e.state.data(), range, 0b0101010101010101, e.expected.data());
  }
  const Misreads misreads = k.count_misreads(e.sensed.data(), e.expected.data(), 0, cells, 100);
  e.counts.push_back(misreads.total);
  e.counts.push_back(misreads.worst_codeword);
  return e;
}

Everything run_all(const CellKernels& k, std::size_t cells) {
  return run_all(k, cells, block_cells * (cells / block_cells + 1));
}

TEST_CASE("cell kernels: every instruction set gives the same bits") {
  const std::vector<CellKernels> kernels = cell_kernels_by_isa();
  for (const std::size_t cells : sizes) {
    const Everything expected = run_all(kernels[0], cells);
    for (const CellKernels& k : kernels) {
      CAPTURE(cells, std::string(k.isa));
      CHECK(run_all(k, cells) == expected);
    }
  }
}

TEST_CASE("cell kernels: ranges of a wordline give the same bits as the whole") {
  for (const CellKernels& k : cell_kernels_by_isa()) {
    for (const std::size_t cells : sizes) {
      const Everything whole = run_all(k, cells);
      for (const std::size_t blocks : {1, 2, 3}) {
        CAPTURE(cells, blocks, std::string(k.isa));
        CHECK(run_all(k, cells, blocks * block_cells) == whole);
      }
    }
  }
}

TEST_CASE("cell kernels: a cell's values do not depend on the number of cells, and nothing else is written") {
  const CellKernels kernels = cell_kernels_by_isa()[0];
  const Everything largest = run_all(kernels, 8192);
  for (const std::size_t cells : sizes) {
    CAPTURE(cells);
    const Everything some = run_all(kernels, cells);
    const auto agree = [&](const auto& few, const auto& many, auto untouched) {
      bool same = std::equal(few.begin(), few.begin() + static_cast<std::ptrdiff_t>(cells), many.begin());
      for (std::size_t i = cells; i < few.size(); ++i) same &= few[i] == untouched;
      return same;
    };
    CHECK(agree(some.state, largest.state, 0xee));
    CHECK(agree(some.erased, largest.erased, 12345));
    CHECK(agree(some.started, largest.started, 12345));
    CHECK(agree(some.pulsed, largest.pulsed, 12345));
    CHECK(agree(some.drawn, largest.drawn, 12345));
    CHECK(agree(some.aged, largest.aged, 12345));
    for (std::size_t i = cells; i < some.from_pages.size(); ++i) REQUIRE(some.from_pages[i] == 0xee);
    for (std::size_t word = 0; word < some.sensed.size(); ++word) {
      const std::size_t first = 64 * word;
      if (first >= cells) {
        REQUIRE(some.sensed[word] == 12345);
        REQUIRE(some.expected[word] == 12345);
      } else if (first + 64 > cells) {
        REQUIRE(some.sensed[word] >> (cells - first) == 0);
        REQUIRE(some.expected[word] >> (cells - first) == 0);
      } else {
        REQUIRE(some.sensed[word] == largest.sensed[word]);
        REQUIRE(some.expected[word] == largest.expected[word]);
      }
    }
  }
}

TEST_CASE("cell kernels: random states are equally likely") {
  for (const std::uint32_t states : {2, 4, 8, 16, 3, 5, 11}) {
    CAPTURE(states);
    std::vector<std::uint8_t> state(1 << 20);
    random_states(state.data(), state.size(), states, 1);
    std::vector<double> counts(states);
    for (const std::uint8_t s : state) {
      REQUIRE(s < states);
      ++counts[s];
    }
    ChiSquare chi_square;
    for (const double count : counts) chi_square.add(count, static_cast<double>(state.size()) / states);
    CHECK(chi_square.excess() < 5);
  }
}

TEST_CASE("cell kernels: states hold the bits of the pages, lowest bit of the first byte first") {
  const std::byte lower[] = {std::byte{0b00001101}, std::byte{1}};
  const std::byte upper[] = {std::byte{0b11111010}, std::byte{0}};
  const std::byte* const pages[] = {lower, upper};
  const std::array<std::uint8_t, max_cell_states> state_of = {2, 1, 3, 0};
  std::vector<std::uint8_t> state(9);
  states_of_pages(state.data(), state.size(), pages, 2, state_of);
  CHECK(state == std::vector<std::uint8_t>{1, 3, 1, 0, 3, 3, 3, 3, 1});

  // Reading each page back returns its bits.
  std::uint64_t bits = 0;
  page_bits_of_states(state.data(), 9, 0b0011, &bits);  // the lower page is 1 in states 1 and 0
  CHECK(bits == 0b100001101);
  page_bits_of_states(state.data(), 9, 0b1001, &bits);  // the upper page is 1 in states 3 and 0
  CHECK(bits == 0b011111010);
}

TEST_CASE("cell kernels: a pulse raises the cells below their level, and no others") {
  constexpr std::size_t cells = 4133;
  std::vector<std::uint8_t> state(cells);
  std::vector<float> before(cells);
  random_states(state.data(), cells, 16, 1);
  erase_draw(before.data(), cells, 2000, 1500, 1);
  std::vector<float> after = before;
  const std::size_t still_below = program_pulse(after.data(), state.data(), cells, verify_mv, 250, 10, 1, 2);
  std::size_t below = 0;
  double sum = 0, square = 0, count = 0;
  for (std::size_t i = 0; i < cells; ++i) {
    if (before[i] >= verify_mv[state[i]]) {
      REQUIRE(after[i] == before[i]);
      continue;
    }
    below += after[i] < verify_mv[state[i]];
    const double noise = (static_cast<double>(after[i]) - before[i] - 250) / 10;
    REQUIRE(std::fabs(noise) < 7);
    sum += noise;
    square += noise * noise;
    ++count;
  }
  CHECK(still_below == below);
  CHECK(std::fabs(sum / count) < 5 / std::sqrt(count));
  CHECK(std::fabs(square / count - 1) < 5 * std::sqrt(2 / count));
  // The noise of another pulse is different.
  std::vector<float> other = before;
  program_pulse(other.data(), state.data(), cells, verify_mv, 250, 10, 1, 3);
  CHECK(other != after);
}

TEST_CASE("cell kernels: the first pulse places the programmed cells by their speed") {
  constexpr std::size_t cells = 1 << 16;
  std::vector<std::uint8_t> state(cells);
  random_states(state.data(), cells, 4, 1);
  std::vector<float> vth(cells, -2500);
  first_pulse(vth.data(), state.data(), cells, 100, 50, 1);
  Histogram reached(-150, 350, 50);
  for (std::size_t i = 0; i < cells; ++i) {
    if (state[i] == 0) {
      REQUIRE(vth[i] == -2500);
    } else {
      reached.add(vth[i]);
    }
  }
  CHECK(chi_square_excess(reached, [](double v) { return upper_tail((100 - v) / 50); }) < 5);
}

TEST_CASE("cell kernels: cells of a state below a level are counted") {
  const std::vector<std::uint8_t> state = {1, 2, 1, 2, 1};
  const std::vector<float> vth = {-1, -1, 0, 5, -3};
  CHECK(count_below(vth.data(), state.data(), state.size(), 1, 0) == 2);
  CHECK(count_below(vth.data(), state.data(), state.size(), 2, 0) == 1);
  CHECK(count_below(vth.data(), state.data(), state.size(), 1, infinity) == 3);
}

TEST_CASE("cell kernels: a page's bit flips at each level at or below the threshold voltage") {
  std::vector<float> vth(4133);
  erase_draw(vth.data(), vth.size(), 2000, 1500, 1);
  for (std::size_t i = 0; i < 15; ++i) vth[i] = verify_mv[i + 1];
  std::vector<std::uint64_t> bits(65);
  for (std::size_t levels = 1; levels <= 15; ++levels) {
    for (const bool first_bit : {false, true}) {
      CAPTURE(levels, first_bit);
      sense_page(vth.data(), vth.size(), verify_mv.data() + 1, levels, first_bit, bits.data());
      bool same = true;
      for (std::size_t i = 0; i < vth.size(); ++i) {
        bool bit = first_bit;
        for (std::size_t k = 1; k <= levels; ++k) bit ^= verify_mv[k] <= vth[i];
        same &= bit == (bits[i / 64] >> i % 64 & 1);
      }
      CHECK(same);
    }
  }
}

TEST_CASE("cell kernels: misreads are counted in total and in the worst codeword") {
  constexpr std::size_t cells = 1000;
  std::vector<std::uint64_t> sensed(cells / 64 + 1), expected(cells / 64 + 1);
  RandomStream random(1, "misreads");
  for (std::uint64_t& word : sensed) word = random();
  for (std::uint64_t& word : expected) word = random() & random();
  for (const std::size_t first : {0, 1, 63, 64, 130}) {
    for (const std::size_t count : {0, 1, 64, 333, 870}) {
      for (const std::size_t codeword : {1, 17, 64, 100, 1000}) {
        CAPTURE(first, count, codeword);
        std::uint64_t total = 0, worst = 0, errors = 0;
        for (std::size_t i = 0; i < count; ++i) {
          if (i % codeword == 0) errors = 0;
          const std::size_t cell = first + i;
          const bool error = (sensed[cell / 64] ^ expected[cell / 64]) >> cell % 64 & 1;
          errors += error;
          total += error;
          worst = std::max(worst, errors);
        }
        const Misreads misreads = count_misreads(sensed.data(), expected.data(), first, count, codeword);
        CHECK(misreads.total == total);
        CHECK(misreads.worst_codeword == worst);
      }
    }
  }
}

// Computes the normal deviate of a cell from its definition, in double precision.
double normal_of(const CellStream& stream, std::uint32_t cell) {
  const std::uint32_t half = block_cells / 2;
  const bool second = cell / half % 2 == 1;
  const std::uint32_t first = second ? cell - half : cell;
  const std::uint32_t radius_bits = stream.bits(first), angle_bits = stream.bits(first + half);
  const double u = ((radius_bits & 0x7fffffff) + 0.5) * 0x1p-31;
  const double radius = (radius_bits >> 31 ? -1 : 1) * std::sqrt(-2 * std::log(u));
  const double angle = std::numbers::pi * static_cast<std::int32_t>(angle_bits) * 0x1p-32;
  return radius * (second ? std::sin(angle) : std::cos(angle));
}

TEST_CASE("cell kernels: ageing follows its closed form for each cell") {
  constexpr std::uint32_t cells = 20000;
  const std::uint64_t key = 11;
  const CellAgeing a = strong_ageing();
  std::vector<std::uint8_t> state(cells);
  std::vector<float> programmed(cells), aged(cells), interference(cells);
  random_states(state.data(), cells, 16, key);
  draw_programmed(programmed.data(), state.data(), cells, {-2500, 200, verify_mv, 250, 25}, key);
  erase_draw(interference.data(), cells, 50, 10, key);
  age_cells(aged.data(), programmed.data(), state.data(), cells, a, interference.data(), key);

  const CellStream tails(key, kernel_code::tail_stream);
  const CellStream rtn(key, kernel_code::rtn_stream);
  const CellStream loss(key, kernel_code::loss_stream);
  double worst = 0;
  int low = 0, high = 0;
  for (std::uint32_t i = 0; i < cells; ++i) {
    const std::uint8_t s = state[i];
    const double from_low = (tails.bits(i) + 0.5) * 0x1p-32;
    const double from_high = (~tails.bits(i) + 0.5) * 0x1p-32;
    double y = programmed[i];
    if (from_low < a.low_fraction[s]) {
      y = a.low_mv[s] - a.low_sigma_mv[s] * half_normal_by_bisection(from_low / a.low_fraction[s]);
      ++low;
    } else if (from_high < a.high_fraction[s]) {
      y = a.high_mv[s] + a.high_sigma_mv[s] * half_normal_by_bisection(from_high / a.high_fraction[s]);
      ++high;
    }
    const std::uint32_t bits = rtn.bits(i);
    y += a.rtn_mv[s] * (bits >> 31 ? 1 : -1) * std::log(((bits & 0x7fffffff) + 0.5) * 0x1p-31);
    y += interference[i];
    const double lost = a.loss_at_zero_mv + a.loss_slope * y;
    const double v = y + a.shift_mv[s] - lost + std::sqrt(a.loss_noise_mv[s] * std::fmax(0, lost)) * normal_of(loss, i);
    worst = std::fmax(worst, std::fabs(v - aged[i]));
  }
  CHECK(low > 1000);
  CHECK(high > 1000);
  CHECK(worst < 0.01);
}

TEST_CASE("cell kernels: a disabled effect changes nothing, and cells keep their draws when another is enabled") {
  constexpr std::size_t cells = 5000;
  std::vector<std::uint8_t> state(cells);
  std::vector<float> programmed(cells), aged(cells), again(cells);
  random_states(state.data(), cells, 8, 1);
  draw_programmed(programmed.data(), state.data(), cells, {-2500, 200, verify_mv, 250, 25}, 1);
  age_cells(aged.data(), programmed.data(), state.data(), cells, {}, nullptr, 1);
  CHECK(aged == programmed);

  CellAgeing telegraph;
  telegraph.rtn_mv.fill(10);
  CellAgeing shifted = telegraph;
  shifted.shift_mv.fill(64);
  age_cells(aged.data(), programmed.data(), state.data(), cells, telegraph, nullptr, 1);
  age_cells(again.data(), programmed.data(), state.data(), cells, shifted, nullptr, 1);
  for (std::size_t i = 0; i < cells; ++i) REQUIRE(again[i] == aged[i] + 64);

  // The kernel must also work in place.
  std::vector<float> in_place = programmed;
  age_cells(in_place.data(), in_place.data(), state.data(), cells, shifted, nullptr, 1);
  CHECK(in_place == again);
}

}  // namespace
}  // namespace nandscape::nand
