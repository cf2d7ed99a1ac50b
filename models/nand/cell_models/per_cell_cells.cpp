// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/per_cell_cells.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "nand/cell_models/cell_model.h"
#include "nand/cells/binomial.h"
#include "nand/cells/cell_kernels.h"
#include "nand/cells/cell_random.h"

namespace nandscape::nand {

namespace {

// Returns the ageing of single cells that leads to the distribution that the model computes for each state.
CellAgeing ageing_of(const VthModel& model, const CellCondition& condition, const PageVariation& page, double step_mv) {
  CellAgeing ageing;
  const StateDistribution::Loss line = model.state(model.places() - 1, condition, page, step_mv).loss();
  ageing.loss_at_zero_mv = static_cast<float>(line.at_zero);
  ageing.loss_slope = static_cast<float>(line.slope);
  ageing.lift_mv = static_cast<float>(model.parameters().disturb.prone_lift_mv);
  for (std::uint32_t place = 0; place < model.places(); ++place) {
    const StateDistribution state = model.state(place, condition, page, step_mv);
    const StateShape& shape = state.shape();
    // Erased cells are drawn with their full width, so they need no separate tails.
    if (place != 0) {
      ageing.low_fraction[place] = static_cast<float>(shape.low_fraction());
      ageing.high_fraction[place] = static_cast<float>(shape.high_fraction());
      ageing.low_mv[place] = static_cast<float>(shape.lo());
      ageing.high_mv[place] = static_cast<float>(shape.hi());
      ageing.low_sigma_mv[place] = static_cast<float>(shape.sigma_low());
      ageing.high_sigma_mv[place] = static_cast<float>(shape.sigma_high());
    }
    ageing.rtn_mv[place] = static_cast<float>(state.lambda());
    ageing.shift_mv[place] = static_cast<float>(state.lift().of_all + line.at_zero - state.loss().at_zero);
    ageing.loss_noise_mv[place] = static_cast<float>(state.loss().noise);
    ageing.lifted_share[place] = static_cast<float>(state.lift().share);
  }
  return ageing;
}

StateTable verify_table(const IsppSetup& setup) {
  StateTable verify{};
  verify[0] = -std::numeric_limits<float>::infinity();
  for (std::size_t k = 0; k < setup.verify_mv.size(); ++k) verify[k + 1] = static_cast<float>(setup.verify_mv[k]);
  return verify;
}

// Returns a bit mask. Bit p of the mask is the bit that this page has in a cell at place p. A place is a state of the
// native coding, counted from the lowest threshold voltage.
std::uint16_t bit_of_place(const Coding& coding, std::uint32_t page_type) {
  std::uint16_t bits = 0;
  for (std::uint32_t s = 0; s < coding.states(); ++s) {
    if (coding.bit(s, page_type)) bits = static_cast<std::uint16_t>(bits | 1u << coding.place(s));
  }
  return bits;
}

void flip(std::vector<std::uint64_t>& bits, std::size_t cell) { bits[cell / 64] ^= std::uint64_t{1} << cell % 64; }

}  // namespace

PerCellCells::PerCellCells(const CellDevice& device, std::uint64_t seed, std::string_view die,
                           std::unique_ptr<InitialAges> ages)
    : AgeingCells(device, seed, die, std::move(ages)),
      cells_(8 * static_cast<std::size_t>(device.layout.total_bytes())),
      pieces_(cells_, device.team.get()) {
  aged_.resize(cells_);
  sensed_.resize((cells_ + 63) / 64);
  expected_.resize(sensed_.size());
}

std::uint64_t PerCellCells::key_of(WordlineAddress where) const {
  return cell_key(seed_, device_.wordline_number(where), histories_.erases(where.block));
}

StateDistribution PerCellCells::erased(WordlineAddress where) const {
  CellCondition condition;
  condition.kilocycles = histories_.cycles(where.block) / 1000.0;
  return device_.model.state(0, condition, variations_.of(where.block, where.wordline));
}

void PerCellCells::draw(Wordline& wordline, WordlineAddress where, const Coding& coding, double step_mv) const {
  wordline.key = key_of(where);
  wordline.place.resize(cells_);
  wordline.vth.resize(cells_);
  const IsppSetup setup = ispp_setup(device_.cells, step_mv);
  const StateShape shape = erased(where).shape();
  ProgrammedCells programmed;
  programmed.erased_mean_mv = static_cast<float>(shape.lo());
  programmed.erased_sigma_mv = static_cast<float>(shape.sigma_low());
  programmed.verify_mv = verify_table(setup);
  programmed.step_mv = static_cast<float>(setup.step_mv);
  programmed.noise_mv = static_cast<float>(setup.noise_mv);
  pieces_.for_each([&](CellRange cells) {
    random_states(wordline.place.data(), cells, coding.states(), wordline.key);
    draw_programmed(wordline.vth.data(), wordline.place.data(), cells, programmed, wordline.key);
  });
}

const PerCellCells::Wordline& PerCellCells::wordline(WordlineAddress where, const Coding& coding) {
  if (const auto found = stored_.find(device_.wordline_number(where)); found != stored_.end()) return *found->second;
  if (drawn_.key != key_of(where)) draw(drawn_, where, coding, 0);
  return drawn_;
}

void PerCellCells::program_cells(const ProgramOrder& order) {
  const std::uint64_t number = device_.wordline_number(order.where);
  const std::uint32_t pages = order.coding->pages();
  if (order.data != nullptr) {
    Latches& latches = latches_[number];
    latches.resize(pages);
    std::vector<std::byte>& page = latches[order.page_type];
    page.assign(order.data, order.data + order.data_bytes);
    // Spare bytes that the simulation does not store contain parity, which looks random.
    while (page.size() * 8 < cells_) page.push_back(static_cast<std::byte>(random_() & 0xff));
  }
  if (order.page_type + 1 != pages) return;

  auto stored = std::make_unique<Wordline>();
  stored->key = key_of(order.where);
  stored->place.resize(cells_);
  stored->vth.resize(cells_);
  std::array<const std::byte*, 4> data{};
  std::array<std::uint8_t, max_cell_states> place_of{};
  if (order.data != nullptr) {
    Latches& latches = latches_[number];
    // If a reset has aborted the program of a page, the latches of this page still contain all ones, their initial
    // value.
    for (std::vector<std::byte>& page : latches) page.resize((cells_ + 7) / 8, std::byte{0xff});
    for (std::uint32_t p = 0; p < pages; ++p) data[p] = latches[p].data();
    for (std::uint32_t bits = 0; bits < order.coding->states(); ++bits) {
      place_of[bits] = static_cast<std::uint8_t>(order.coding->place(order.coding->state_of(bits)));
    }
  }
  const StateShape shape = erased(order.where).shape();
  pieces_.for_each([&](CellRange cells) {
    if (order.data == nullptr) {
      random_states(stored->place.data(), cells, order.coding->states(), stored->key);
    } else {
      states_of_pages(stored->place.data(), cells, data.data(), pages, place_of);
    }
    erase_draw(stored->vth.data(), cells, static_cast<float>(shape.lo()), static_cast<float>(shape.sigma_low()),
               stored->key);
  });
  if (order.data != nullptr) latches_.erase(number);
  program_wordline(stored->vth.data(), stored->place.data(), pieces_, ispp_setup(device_.cells, order.step_mv),
                   stored->key);
  stored_[number] = std::move(stored);
}

void PerCellCells::erase_cells(BlockInDie block) {
  for (std::uint32_t w = 0; w < device_.wordlines_per_block; ++w) {
    stored_.erase(device_.wordline_number({block, w}));
    latches_.erase(device_.wordline_number({block, w}));
  }
}

void PerCellCells::lose_latched_cells(WordlineAddress where) { latches_.erase(device_.wordline_number(where)); }

void PerCellCells::persist_cells(Archive& archive) {
  archive.section("single cells");
  archive.expect("cells of a wordline", cells_);
  const std::uint64_t wordlines = std::uint64_t{device_.blocks_per_die} * device_.wordlines_per_block;
  archive.map(stored_, wordlines, "the number of a wordline", [&](std::unique_ptr<Wordline>& stored) {
    if (archive.loading()) stored = std::make_unique<Wordline>();
    archive.table(stored->vth, cells_, "threshold voltages of a wordline");
    archive.table(stored->place, cells_, "states of a wordline's cells");
    archive.require(std::ranges::max(stored->place) < device_.coding.states(),
                    "a cell is in a state that does not exist");
    archive(stored->raised, stored->made_up);
    archive.require(
        stored->raised.size() == stored->made_up.size() && (stored->raised.empty() || stored->raised.size() == cells_),
        "only a part of the cells of a wordline was adjusted");
    archive(stored->key);
  });
  archive.map(latches_, wordlines, "the number of a wordline", [&](Latches& latches) {
    archive.list(latches, device_.coding.pages(), "latched pages of a wordline", [&](std::vector<std::byte>& page) {
      archive(page);
      archive.require(page.size() <= (cells_ + 7) / 8, "a latched page is longer than a page");
    });
  });
}

// Simulates ISPP beginning with the cells' current voltages, which include the coupling of the neighbours and the loss
// of charge. Cells below their new verify level receive pulses. All other cells keep their voltage.
void PerCellCells::adjust_cells(const AdjustOrder& order, const MisreadTables::Read& history) {
  const WordlineAddress where = order.where;
  std::unique_ptr<Wordline>& slot = stored_[device_.wordline_number(where)];
  if (slot == nullptr) {
    slot = std::make_unique<Wordline>();
    draw(*slot, where, device_.coding, 0);
  }
  Wordline& stored = *slot;
  const std::vector<float> programmed = stored.vth;
  const CellAgeing ageing = ageing_of(device_.model, device_.misreads.condition(history),
                                      variations_.of(where.block, where.wordline), history.step_mv);
  for (std::size_t k = 0; k < cells_; ++k) {
    if (stored.place[k] == 0) continue;
    stored.vth[k] -= std::max(0.0f, ageing.loss_at_zero_mv + ageing.loss_slope * stored.vth[k]);
  }
  std::array<std::uint8_t, max_cell_states> target{};
  for (std::uint32_t s = 0; s < order.from->states(); ++s) {
    target[order.from->place(s)] = static_cast<std::uint8_t>(order.from->place(order.merging->target[s]));
  }
  for (std::uint8_t& place : stored.place) place = target[place];
  const float* const coupled = interference(where, device_.coding, order.programmed_wordlines);
  std::vector<float> vth = stored.vth;
  for (std::size_t k = 0; coupled != nullptr && k < cells_; ++k) vth[k] += coupled[k];
  const std::vector<float> before = vth;
  const IsppSetup setup = ispp_setup(device_.cells, history.step_mv);
  const StateTable verify = verify_table(setup);
  const std::uint64_t key = mix64(stored.key);
  for (std::uint32_t pulse = 1;; ++pulse) {
    std::atomic<std::size_t> below = 0;
    pieces_.for_each([&](CellRange cells) {
      below += program_pulse(vth.data(), stored.place.data(), cells, verify, static_cast<float>(setup.step_mv),
                             static_cast<float>(setup.noise_mv), key, pulse);
    });
    if (static_cast<double>(below) <= setup.parameters.cells_left_behind * static_cast<double>(cells_)) break;
  }
  stored.raised.resize(cells_);
  stored.made_up.resize(cells_);
  for (std::size_t k = 0; k < cells_; ++k) {
    if (vth[k] == before[k]) continue;
    // The raise is measured from the voltage to which the cell was first programmed, because charge that was lost since
    // then does not couple into a neighbour.
    const float made_up = coupled != nullptr ? coupled[k] : 0;
    stored.raised[k] += vth[k] - programmed[k] - made_up;
    stored.made_up[k] += made_up;
    stored.vth[k] = vth[k];
  }
}

// Two effects shift this wordline: the rise of the next wordline's cells when they are programmed, and the rise that
// adjustments have added to the cells of the previous wordline.
const float* PerCellCells::interference(WordlineAddress where, const Coding& coding,
                                        std::uint32_t programmed_wordlines) {
  if (!device_.cells.interference.any()) return nullptr;
  interference_.assign(cells_, 0);
  bool any = false;
  if (where.wordline != 0) {
    const auto previous = stored_.find(device_.wordline_number({where.block, where.wordline - 1}));
    if (previous != stored_.end() && !previous->second->raised.empty()) {
      add_interference(previous->second->raised);
      any = true;
    }
  }
  if (where.wordline + 1 < programmed_wordlines) {
    add_interference({where.block, where.wordline + 1}, coding);
    any = true;
  }
  if (const auto own = stored_.find(device_.wordline_number(where));
      own != stored_.end() && !own->second->made_up.empty()) {
    std::transform(interference_.begin(), interference_.end(), own->second->made_up.begin(), interference_.begin(),
                   std::minus<>());
    any = true;
  }
  return any ? interference_.data() : nullptr;
}

void PerCellCells::add_interference(WordlineAddress next, const Coding& coding) {
  const auto found = stored_.find(device_.wordline_number(next));
  // An adjustment merges the states of a single wordline, so the next wordline has the coding of the block.
  const Coding& slc = coding_named("slc");
  if (found == stored_.end()) draw(neighbour_, next, &coding == &slc ? slc : device_.coding, 0);
  const Wordline& neighbour = found == stored_.end() ? neighbour_ : *found->second;
  rises_.resize(cells_);
  const StateShape shape = erased(next).shape();
  pieces_.for_each([&](CellRange cells) {
    erase_draw(rises_.data(), cells, static_cast<float>(shape.lo()), static_cast<float>(shape.sigma_low()),
               neighbour.key);
    for (std::size_t k = cells.first; k < cells.end; ++k) {
      const float made_up = neighbour.made_up.empty() ? 0.0f : neighbour.made_up[k];
      rises_[k] = neighbour.place[k] == 0 ? 0.0f : neighbour.vth[k] - made_up - rises_[k];
    }
  });
  add_interference(rises_);
}

void PerCellCells::add_interference(std::span<const float> rises) {
  const InterferenceParameters& g = device_.cells.interference;
  const auto vertical = static_cast<float>(g.vertical);
  const auto diagonal = static_cast<float>(g.diagonal);
  pieces_.for_each([&](CellRange cells) {
    for (std::size_t k = cells.first; k < cells.end; ++k) {
      const float left = k > 0 ? rises[k - 1] : 0;
      const float right = k + 1 < cells_ ? rises[k + 1] : 0;
      interference_[k] += vertical * rises[k] + diagonal * (left + right);
    }
  });
}

void PerCellCells::age(const SenseOrder& order, const MisreadTables::Read& read) {
  const Wordline& cells = wordline(order.where, *order.coding);
  const PageVariation page = variations_.of(order.where.block, order.where.wordline);
  const CellAgeing ageing = ageing_of(device_.model, device_.misreads.condition(read), page, read.step_mv);
  const float* const coupled = interference(order.where, *order.coding, order.programmed_wordlines);
  pieces_.for_each([&](CellRange range) {
    age_cells(aged_.data(), cells.vth.data(), cells.place.data(), range, ageing, coupled, cells.key);
  });
}

PerCellCells::Snapshot PerCellCells::snapshot(const SenseOrder& order, Tick now) {
  age(order, reading(order, now));
  return {aged_, wordline(order.where, *order.coding).place};
}

SenseResult PerCellCells::sense_cells(const SenseOrder& order, const MisreadTables::Read& read,
                                      std::uint32_t inherited_errors) {
  const WordlineAddress where = order.where;
  age(order, read);
  const WordlineReads closed_form = wordline_reads(order, read);
  const std::vector<double> all_levels = levels(read, closed_form);
  sense_page_at(0, order, read, all_levels, sensed_);

  const Wordline& cells = wordline(where, *order.coding);
  const std::uint16_t bit = bit_of_place(*order.coding, order.page_type);
  pieces_.for_each([&](CellRange range) { page_bits_of_states(cells.place.data(), range, bit, expected_.data()); });
  // Errors that were programmed by a copyback are at fixed positions.
  for (std::uint32_t k = 0; k < inherited_errors; ++k) {
    flip(expected_, mix64(cells.key ^ mix64(k + 1) ^ order.page_type) % cells_);
  }
  if (order.sensing_levels > 1 && !order.sensed_ones.empty()) count_ones(order, read, all_levels);
  if (order.data != nullptr) flip_misread(order);
  SenseResult result = count(order);
  if (order.sensing_levels > 1) {
    result.misread_probability = closed_form.misread(order.page_type, all_levels, device_.misreads.timing(read));
  }
  return result;
}

void PerCellCells::sense_page_at(double offset_mv, const SenseOrder& order, const MisreadTables::Read& read,
                                 std::span<const double> levels, std::vector<std::uint64_t>& bits) {
  std::vector<float> sensed_at;
  for (const std::uint8_t level : order.coding->levels(order.page_type)) {
    sensed_at.push_back(static_cast<float>(levels[level - 1] + offset_mv));
  }
  const bool first_bit = order.coding->bit(0, order.page_type);
  pieces_.for_each([&](CellRange cells) {
    sense_page(aged_.data(), cells, sensed_at.data(), sensed_at.size(), first_bit, bits.data());
  });
  flip_by_sensing(order, read, sensed_at, bits);
}

void PerCellCells::count_ones(const SenseOrder& order, const MisreadTables::Read& read,
                              std::span<const double> levels) {
  const std::span<std::uint8_t> ones = order.sensed_ones;
  std::ranges::fill(ones, std::uint8_t{0});
  sensed_aside_.resize(sensed_.size());
  for (const double offset : offsets(order, read)) {
    if (offset != 0) sense_page_at(offset, order, read, levels, sensed_aside_);
    const std::vector<std::uint64_t>& sensed = offset == 0 ? sensed_ : sensed_aside_;
    pieces_.for_each([&](CellRange cells) {
      for (std::size_t bit = cells.first; bit < std::min(cells.end, ones.size()); ++bit) {
        const bool wrong = ((sensed[bit / 64] ^ expected_[bit / 64]) >> bit % 64 & 1) != 0;
        const bool written = (order.data[bit / 8] >> bit % 8 & std::byte{1}) != std::byte{0};
        ones[bit] = static_cast<std::uint8_t>(ones[bit] + (written != wrong));
      }
    });
  }
}

SenseResult PerCellCells::count(const SenseOrder& order) const {
  const PageLayout& layout = device_.layout;
  const auto misread = [&](std::uint32_t first_byte, std::size_t bits) {
    if (bits == 0) return std::uint32_t{0};
    const Misreads misreads = count_misreads(sensed_.data(), expected_.data(), std::size_t{8} * first_byte, bits, bits);
    return static_cast<std::uint32_t>(misreads.total);
  };
  const std::uint32_t end = order.first_byte + order.bytes;
  SenseResult result;
  std::size_t k = 0;
  for (std::uint32_t first = order.first_byte; first < end; first += layout.codeword_bytes, ++k) {
    std::uint32_t errors = misread(first, std::size_t{8} * std::min(layout.codeword_bytes, end - first));
    // If only a part of the page is read, that part may be smaller than a codeword and has no parity.
    if (end - first >= layout.codeword_bytes) {
      errors += misread(layout.parity_byte(first / layout.codeword_bytes),
                        layout.codeword_bits - std::size_t{8} * layout.codeword_bytes);
    }
    if (!order.codeword_errors.empty()) order.codeword_errors[k] = static_cast<std::uint16_t>(errors);
    result.raw_bit_errors += errors;
    result.worst_codeword_errors = std::max(result.worst_codeword_errors, errors);
  }
  return result;
}

void PerCellCells::flip_misread(const SenseOrder& order) const {
  const auto flip_bytes = [&](std::uint32_t first, std::uint32_t end) {
    for (std::size_t k = first; k < end; ++k) {
      const std::uint64_t differing = sensed_[k / 8] ^ expected_[k / 8];
      order.data[k] ^= static_cast<std::byte>(differing >> 8 * (k % 8) & 0xff);
    }
  };
  const PageLayout& layout = device_.layout;
  const std::uint32_t end = order.first_byte + order.bytes;
  flip_bytes(order.first_byte, end);
  // Flips bits in the parity of the codeword only. The bytes that are stored after the parity are protected by a
  // separate code.
  const std::uint32_t parity_bytes =
      std::min((layout.codeword_bits + 7) / 8 - layout.codeword_bytes, layout.parity_bytes);
  for (std::uint32_t k = order.first_byte / layout.codeword_bytes; k < end / layout.codeword_bytes; ++k) {
    flip_bytes(layout.parity_byte(k), layout.parity_byte(k) + parity_bytes);
  }
}

void PerCellCells::flip_by_sensing(const SenseOrder& order, const MisreadTables::Read& read,
                                   const std::vector<float>& levels, std::vector<std::uint64_t>& bits) {
  const CellCondition condition = device_.misreads.condition(read);
  const double drift = device_.model.drift(condition, variations_.of(order.where.block, order.where.wordline));
  const SenseMisreads q = sense_misreads(device_.cells.sensing, device_.misreads.timing(read),
                                         device_.model.standard_timing(), condition, drift);
  const double most = std::max(q.off_as_on, q.on_as_off);
  if (most == 0) return;
  for (const float level : levels) {
    const std::uint32_t candidates = draw_binomial(random_, static_cast<std::uint32_t>(cells_), std::min(most, 1.0));
    for (std::uint32_t k = 0; k < candidates; ++k) {
      const std::size_t cell = random_.below(cells_);
      const double probability = aged_[cell] >= level ? q.off_as_on : q.on_as_off;
      if (random_.uniform() * most < probability) flip(bits, cell);
    }
  }
}

namespace {

class PerCellModel final : public CellModel {
 public:
  using Parameters = NoParameters;
  explicit PerCellModel(const Parameters&) {}

  bool reads_content() const override { return true; }
  bool uses_threads() const override { return true; }
  std::unique_ptr<CellArray> make_cells(const CellDevice& device, std::uint64_t seed, std::string_view die,
                                        std::unique_ptr<InitialAges> ages) const override {
    return std::make_unique<PerCellCells>(device, seed, die, std::move(ages));
  }
};

}  // namespace

void register_per_cell(CellModelRegistry& registry) {
  registry.add<PerCellModel>(
      "per_cell", "every cell is programmed by pulses, aged and sensed; slow, and takes memory for all written data");
}

}  // namespace nandscape::nand
