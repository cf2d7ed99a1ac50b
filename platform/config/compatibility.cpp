// SPDX-License-Identifier: Apache-2.0
#include "platform/config/compatibility.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "controller/addresses/flash_layout.h"
#include "controller/flash_ops/flash_op.h"
#include "controller/migration/refresh_policy.h"
#include "controller/reading/read_recovery.h"
#include "core/message_text.h"
#include "core/ticks.h"
#include "nand/cells/retention.h"
#include "nand/coding/coding.h"
#include "platform/blocks/rtl_code.h"
#include "platform/config/content_tables.h"
#include "platform/config/flash_device_parameters.h"
#include "platform/config/parameter_writer.h"
#include "platform/config/read_timing_tables.h"
#include "platform/config/value_checks.h"
#include "protocol/nand_command.h"
#include "protocol/storage.h"

namespace nandscape {

namespace {

using When = Incompatibility::When;
using Codes = controller::EccSelection::Codes;

bool always(const Settings&) { return true; }

// ---- Facts of the drive that several rows ask about

bool cells_err(const Settings& s) { return cell_model_of(s.p.simulation)->has_errors(); }
bool keeps_bytes(const Settings& s) { return s.p.simulation.data == DataFidelity::stored; }
bool two_bit_cells(const Settings& s) { return has_four_natural_states(nand::coding_named(s.p.nand.coding)); }
bool has_segments(const Settings& s) { return codes_of(s.p.ecc) == Codes::segments; }
bool has_background(const Settings& s) { return codes_of(s.p.ecc) == Codes::background; }
bool relaxes_retention(const Settings& s) {
  return s.p.controller.write_mode.built_in() && s.p.controller.write_mode.kept_weeks != 0;
}
bool writes_by_content(const Settings& s) { return s.p.controller.write_mode.goes_by_content(); }
std::uint32_t unit_bytes(const Settings& s) {
  const std::uint32_t unit = s.p.controller.mapping.unit_bytes;
  return unit == 0 ? s.p.nand.geometry.page_bytes : unit;
}
std::uint32_t subpage_bytes(const Settings& s) { return s.p.nand.geometry.page_bytes / subpages_per_page; }
std::uint32_t wordlines_of_quarters(const Settings& s) {
  return controller::layer_quarters * nand::coding_named(s.p.nand.coding).pages();
}
// The largest ISPP step: a larger one lifts cells of one state into the next.
double largest_step_mv(const Settings& s) {
  constexpr double most = std::numeric_limits<std::uint16_t>::max();
  return std::min(write_facts(s.p, cells_err(s), keeps_bytes(s)).largest_step_mv, most);
}
// Whether the cell constants count: ideal cells do not use them, unless their program time is computed from them.
bool uses_cells(const Settings& s) { return cells_err(s) || s.p.nand.timing.program != nand::ProgramTime::given; }

// ---- Conditions of several rows

constexpr Condition copyback{"controller.garbage_collection.copyback", "is true",
                             [](const Settings& s) { return s.p.controller.garbage_collection.copyback; }};
constexpr Condition parity{"controller.parity.stripe_dies", "is not 0",
                           [](const Settings& s) { return s.p.controller.parity.stripe_dies != 0; }};
constexpr Condition fpa{"controller.fullpages.allocation", "is fpa",
                        [](const Settings& s) { return s.p.controller.fullpages.spread(); }};
constexpr Condition ida{"controller.refresh.policy", "is ida",
                        [](const Settings& s) { return s.p.controller.refresh.policy.name == "ida"; }};
constexpr Condition adjusted_wordlines{
    "controller.refresh.policy", "adjusts the voltages of wordlines, as ida does", [](const Settings& s) {
      return controller::refresh_registry().traits(s.p.controller.refresh.policy).adjusts_wordlines;
    }};
constexpr Condition subpage_reads{"controller.subpages.reads", "is soml or srs", [](const Settings& s) {
                                    return s.p.controller.subpages.reads != controller::SubpageReads::none;
                                  }};
constexpr Condition soft_reads{"controller.read_retry.policy", "reads soft",
                               [](const Settings& s) { return s.p.controller.read_retry.needs().reads_soft; }};
constexpr Condition by_content{"controller.write_mode.by_content", "is true", writes_by_content};
constexpr Condition segments{"ecc.selection", "is cdber", has_segments};
constexpr Condition several_codes{"ecc.selection", "is not uniform",
                                  [](const Settings& s) { return codes_of(s.p.ecc) != Codes::ordinary; }};
constexpr Condition no_bytes{"simulation.data", "is none", [](const Settings& s) { return !keeps_bytes(s); }};
constexpr Condition ideal_cells{"simulation.cells", "is ideal", [](const Settings& s) { return !cells_err(s); }};
constexpr Condition cells_with_errors{"simulation.cells", "is not ideal", cells_err};
constexpr Condition not_two_bits{"nand.coding", "is not mlc_13", [](const Settings& s) { return !two_bit_cells(s); }};
constexpr Condition one_bit{"nand.coding", "is slc",
                            [](const Settings& s) { return nand::coding_named(s.p.nand.coding).pages() < 2; }};
constexpr Condition decoder_of_bytes{"ecc.decoder", "decodes bytes, as bit_true does",
                                     [](const Settings& s) { return decoder_of(s.p.ecc)->has_bytes(); }};

constexpr Condition die_at_pins{"simulation.blocks.die.kind", "is onfi_pins",
                                [](const Settings& s) { return s.p.simulation.blocks.die.kind.name == "onfi_pins"; }};
constexpr Condition rtl_engine{"simulation.blocks.ecc_engine.kind", "is rtl",
                               [](const Settings& s) { return s.p.simulation.blocks.ecc_engine.kind.name == "rtl"; }};

// A condition on `key` that holds together with another condition of the same row.
constexpr Condition also(std::string_view key, std::string_view words) { return {key, words, always}; }

// ---- The rows

using Rows = std::vector<Incompatibility>;

void add_layout(Rows& rows) {
  rows.insert(
      rows.end(),
      {{{"controller.mapping.unit_bytes", "is not a page, a half or a quarter of it, or not a multiple of 512",
         [](const Settings& s) {
           const std::uint32_t unit = unit_bytes(s);
           const std::uint32_t page = s.p.nand.geometry.page_bytes;
           return page % unit != 0 || unit % sector_bytes != 0 || page / unit > controller::most_units_per_page;
         }},
        also("nand.geometry.page_bytes", "is the size of a page"),
        "a mapping unit must be a page, a half or a quarter of it, and a multiple of 512-byte sectors; 0 means a page"},
       {{"controller.parity.stripe_dies", "is 1, or does not divide the number of dies",
         [](const Settings& s) {
           const std::uint32_t stripe = s.p.controller.parity.stripe_dies;
           return stripe != 0 && (stripe < 2 || geometry_of(s.p).dies() % stripe != 0);
         }},
        also("channel.count", "gives the device its number of dies"),
        "a stripe must divide the device's",
        [](const Settings& s) {
          const std::uint32_t all = geometry_of(s.p).dies();
          std::string choices;
          for (std::uint32_t dies = 2; dies <= all; ++dies) {
            if (all % dies == 0) choices += std::to_string(dies) + ", ";
          }
          return std::to_string(all) + " dies into sets of at least 2: " + choices + "or 0 for no parity";
        }},
       {copyback, parity,
        "copyback moves pages within a plane, past the controller, which needs their data for the parity of their new "
        "row; leave it off, or set controller.parity.stripe_dies to 0"},
       {{fpa.key, "is fpa, and blocks_per_plane is not a multiple of 4",
         [](const Settings& s) {
           return fpa.holds(s) && s.p.nand.geometry.blocks_per_plane % controller::layer_quarters != 0;
         }},
        also("nand.geometry.blocks_per_plane", "is not a multiple of 4"),
        "fpa groups four blocks; make nand.geometry.blocks_per_plane a multiple of 4"},
       {fpa, parity,
        "fpa makes a superblock of four blocks over all layers, parity one of blocks of several dies; choose one of "
        "them: set controller.parity.stripe_dies to 0 for no parity"},
       {copyback, fpa,
        "copyback moves pages past the ECC engine, but with fpa their parity depends on their place; leave it off, or "
        "set controller.fullpages.allocation to in_one_page"}});
}

void add_fullpages(Rows& rows) {
  rows.insert(
      rows.end(),
      {{fpa,
        {"controller.subpages.reads", "is none", [](const Settings& s) { return !subpage_reads.holds(s); }},
        "fpa needs combined subpage reads; set controller.subpages.reads to soml or srs"},
       {fpa,
        {"controller.mapping.unit_bytes", "is not a quarter of a page",
         [](const Settings& s) {
           return std::uint64_t{s.p.controller.mapping.unit_bytes} * controller::layer_quarters !=
                  s.p.nand.geometry.page_bytes;
         }},
        "fpa needs mapping units of a subpage; set controller.mapping.unit_bytes to",
        [](const Settings& s) { return std::to_string(subpage_bytes(s)); }},
       {fpa,
        {"nand.geometry.first_layer", "is not by_block",
         [](const Settings& s) { return s.p.nand.geometry.first_layer != nand::FirstLayer::by_block; }},
        "fpa needs pages with the same number in all four quarters of the layers; set nand.geometry.first_layer to "
        "by_block"},
       {fpa,
        {"nand.geometry.pages_per_block", "is not a whole number of wordlines in each quarter of the layers",
         [](const Settings& s) { return s.p.nand.geometry.pages_per_block % wordlines_of_quarters(s) != 0; }},
        "fpa needs blocks of a whole number of wordlines in each quarter of the layers; make "
        "nand.geometry.pages_per_block a multiple of",
        [](const Settings& s) { return std::to_string(wordlines_of_quarters(s)); }},
       {fpa,
        {"ecc.codec", "is not ldpc", [](const Settings& s) { return !code_family_of(s.p.ecc).has_any_parity(); }},
        "fpa needs codewords that can share their parity; set ecc.codec to ldpc and ecc.decoder to table or steps"},
       {fpa,
        {"ecc.decoder", "is not table or steps",
         [](const Settings& s) { return !decoder_of(s.p.ecc)->takes_borrowed_parity(); }},
        "fpa needs codewords that can share their parity; set ecc.codec to ldpc and ecc.decoder to table or steps"},
       {{"controller.fullpages.borrowed_parity_bytes", "is not less than ecc.ldpc_parity_bytes",
         [](const Settings& s) {
           return fpa.holds(s) && s.p.controller.fullpages.borrowed_parity_bytes >= s.p.ecc.ldpc_parity_bytes;
         }},
        also("ecc.ldpc_parity_bytes", "is the parity of a codeword"),
        "this leaves the lending codeword none of its parity; let it lend fewer bytes"}});
  const Condition fill{"controller.fullpages.precondition_percent", "is not 0",
                       [](const Settings& s) { return s.p.controller.fullpages.precondition_percent != 0; }};
  constexpr std::string_view in_order =
      "fullpages keep the order of their addresses; set controller.precondition.distribution to scattered, its order "
      "to sequential and its invalid_page_ratio to 0";
  rows.insert(
      rows.end(),
      {{fill,
        {"controller.precondition.distribution", "is not scattered",
         [](const Settings& s) {
           return s.p.controller.precondition.distribution != controller::FillDistribution::scattered;
         }},
        in_order},
       {fill,
        {"controller.precondition.order", "is not sequential",
         [](const Settings& s) { return s.p.controller.precondition.order != controller::FillOrder::sequential; }},
        in_order},
       {fill,
        {"controller.precondition.invalid_page_ratio", "is not 0",
         [](const Settings& s) { return s.p.controller.precondition.invalid_page_ratio != 0; }},
        in_order}});
}

void add_units(Rows& rows) {
  rows.insert(
      rows.end(),
      {{{"controller.mapping.unit_bytes", "is not a whole number of codewords",
         [](const Settings& s) {
           return s.p.controller.mapping.unit_bytes != 0 && unit_bytes(s) % s.p.ecc.codeword_bytes != 0;
         }},
        also("ecc.codeword_bytes", "is the size of a codeword"),
        "a mapping unit must be whole codewords, so that it can be read by itself"},
       {{"controller.mapping.unit_bytes", "is not a whole number of background codewords",
         [](const Settings& s) {
           const std::uint32_t longest = longest_codeword_bytes(s.p.ecc);
           return has_background(s) && s.p.controller.mapping.unit_bytes % longest != 0 &&
                  longest != s.p.ecc.codeword_bytes;
         }},
        also("ecc.background.codeword_bytes", "is the size of the longest codeword"),
        "a mapping unit must be whole codewords of all codes, so that it can be read by itself"},
       {subpage_reads,
        {"ecc.codeword_bytes", "does not divide a quarter of a page",
         [](const Settings& s) { return subpage_bytes(s) % longest_codeword_bytes(s.p.ecc) != 0; }},
        "subpage reads need codewords within a subpage; set ecc.codeword_bytes to",
        [](const Settings& s) {
          return std::to_string(subpage_bytes(s)) + " (a quarter of nand.geometry.page_bytes) or a divisor" +
                 (several_codes.holds(s) ? ", and the codewords of other codes too" : "");
        }},
       {{"controller.mapping.cache_bytes", "is not 0 and less than a mapping unit",
         [](const Settings& s) {
           const std::uint64_t cache = s.p.controller.mapping.cache.cache_bytes;
           return cache != 0 && cache < unit_bytes(s);
         }},
        also("controller.mapping.unit_bytes", "is the size of a translation page"),
        "the memory holds no translation page; it must be at least a page of the mapping, or 0 for the whole mapping:",
        [](const Settings& s) { return "a page has " + std::to_string(unit_bytes(s)) + " bytes"; }},
       {{"controller.garbage_collection.reserved_blocks", "is not less than start_free_blocks",
         [](const Settings& s) {
           const controller::GarbageCollectionParameters& p = s.p.controller.garbage_collection;
           return p.reserved_blocks >= p.start_free_blocks;
         }},
        also("controller.garbage_collection.start_free_blocks", "is the number of free blocks that collection keeps"),
        "the reserve must be less than start_free_blocks, else the host stalls before collection starts"},
       {{"controller.cache.dirty_low_percent", "is more than dirty_high_percent, with a cache",
         [](const Settings& s) {
           const controller::CacheParameters& p = s.p.controller.cache;
           return p.policy != controller::CachePolicy::none && p.dirty_low_percent > p.dirty_high_percent;
         }},
        also("controller.cache.dirty_high_percent", "is the level at which writing back begins"),
        "writing back begins at dirty_high_percent and ends at dirty_low_percent, which must not exceed it"},
       {{"nand.geometry.pages_per_block", "is not a whole number of wordlines",
         [](const Settings& s) {
           return uses_cells(s) && s.p.nand.geometry.pages_per_block % nand::coding_named(s.p.nand.coding).pages() != 0;
         }},
        also("nand.coding", "holds several pages in a wordline"),
        "a block must be a whole number of wordlines, and pages_per_block a multiple of",
        [](const Settings& s) { return std::to_string(nand::coding_named(s.p.nand.coding).pages()); }}});
}

void add_codes(Rows& rows) {
  rows.insert(
      rows.end(),
      {{decoder_of_bytes, no_bytes,
        "the decoder decodes bytes, and the simulation keeps none; set simulation.data to stored, or take the decoder "
        "`table`"},
       {soft_reads,
        {"ecc.decoder", "has no code, as threshold",
         [](const Settings& s) { return !decoder_of(s.p.ecc)->has_code(); }},
        "soft reads help only a soft decoder; set ecc.codec to ldpc, and ecc.decoder to table, bit_true or steps"},
       {soft_reads,
        {"ecc.codec", "takes no soft reads, as bch",
         [](const Settings& s) {
           return decoder_of(s.p.ecc)->has_code() && !code_family_of(s.p.ecc).takes_soft_reads(code_of(s.p.ecc));
         }},
        "soft reads help only a soft decoder; set ecc.codec to ldpc, and ecc.decoder to table, bit_true or steps"},
       {{"ecc.decode_time", "is iterations",
         [](const Settings& s) { return s.p.ecc.decode_time == ecc::DecodeTime::iterations; }},
        {"ecc.decoder", "counts no iterations",
         [](const Settings& s) { return !decoder_of(s.p.ecc)->counts_iterations(); }},
        "the decoder counts no iterations; take `table` or `bit_true`"},
       {{"ecc.background.decode_time", "is iterations",
         [](const Settings& s) {
           return has_background(s) && s.p.ecc.background.decode_time == ecc::DecodeTime::iterations;
         }},
        {"ecc.decoder", "counts no iterations",
         [](const Settings& s) { return !decoder_of(s.p.ecc)->counts_iterations(); }},
        "the decoder counts no iterations; take `table` or `bit_true`"},
       {several_codes, parity,
        "pages have several codes, so a parity page over them has no code; set controller.parity.stripe_dies to 0, or "
        "ecc.selection to uniform"},
       {several_codes, fpa,
        "the selection gives each page a code of its own, and with fpa its place in the layers does; set one of them "
        "to "
        "its default (uniform, or in_one_page)"},
       {{"ecc.background.codeword_bytes", "does not divide the other codeword, nor is it a multiple of it",
         [](const Settings& s) {
           const std::uint32_t longest = longest_codeword_bytes(s.p.ecc);
           return has_background(s) &&
                  (longest % s.p.ecc.codeword_bytes != 0 || longest % s.p.ecc.background.codeword_bytes != 0);
         }},
        also("ecc.codeword_bytes", "is the codeword of other pages"),
        "codewords of these lengths do not align; make one length a multiple of the other"},
       {{"ecc.segments.correctable_bits", "has another number of items than t_codeword_us, none, or more than 5",
         [](const Settings& s) {
           const SegmentCodeParameters& p = s.p.ecc.segments;
           constexpr std::size_t most_codes = 5;
           return has_segments(s) && (p.correctable_bits.empty() || p.correctable_bits.size() > most_codes ||
                                      p.correctable_bits.size() != p.t_codeword_us.size());
         }},
        also("ecc.segments.t_codeword_us", "has another number of items"),
        "ecc.segments.correctable_bits must name the codes of 2, 4, 8, 16 and 32 segments, or the first few of them, "
        "and ecc.segments.t_codeword_us a time for each"},
       {{"ecc.codeword_bytes", "is not a page",
         [](const Settings& s) { return s.p.ecc.codeword_bytes != s.p.nand.geometry.page_bytes; }},
        segments,
        "cdber has a codeword of a whole page; set ecc.codeword_bytes to nand.geometry.page_bytes:",
        [](const Settings& s) { return std::to_string(s.p.nand.geometry.page_bytes); }},
       {{"ecc.plugin", "is given", [](const Settings& s) { return !s.p.ecc.plugin.empty(); }},
        segments,
        "cdber has lighter BCH codes for segments; leave ecc.plugin empty"},
       {{"ecc.codec", "is not bch",
         [](const Settings& s) { return decoder_of(s.p.ecc)->has_code() && s.p.ecc.codec.name != "bch"; }},
        segments,
        "cdber has lighter BCH codes for segments; set ecc.codec to bch"},
       {not_two_bits, segments, "cdber counts states of two bits in natural order; set nand.coding to mlc_13"},
       {{"controller.mapping.unit_bytes", "is not 0 and not a page",
         [](const Settings& s) {
           const std::uint32_t unit = s.p.controller.mapping.unit_bytes;
           return unit != 0 && unit != s.p.nand.geometry.page_bytes;
         }},
        segments,
        "cdber chooses a code for the content of a whole page; set controller.mapping.unit_bytes to 0 or to",
        [](const Settings& s) { return std::to_string(s.p.nand.geometry.page_bytes); }},
       {copyback, segments,
        "copyback keeps the code of a page, but cdber chooses the code by the page's new place; set copyback to "
        "false"}});
}

// Pairs of keys of one group, whose block does not compare them.
void add_electrical(Rows& rows) {
  rows.insert(
      rows.end(),
      {{{"channel.rate_mt_s", "is more than the interface can carry",
         [](const Settings& s) { return s.p.channel.rate_mt_s > channel::fastest_mt_s(s.p.channel.interface); }},
        also("channel.interface", "has a highest rate"),
        "choose a faster interface, or a rate of at most",
        [](const Settings& s) { return std::to_string(channel::fastest_mt_s(s.p.channel.interface)) + " MT/s"; }},
       {{"controller.power_loss.cut_off_v", "is not below capacitor_v",
         [](const Settings& s) {
           return s.p.controller.power_loss.cut_off_v >= s.p.controller.power_loss.capacitor_v;
         }},
        also("controller.power_loss.capacitor_v", "is the voltage of the charged capacitor"),
        "cut_off_v must be below capacitor_v, since the capacitor feeds the drive while its voltage falls from "
        "capacitor_v to cut_off_v"},
       {{"controller.dram.row_bytes", "is not a whole number of bursts",
         [](const Settings& s) {  // 8 transfers of bus_bits / 8 bytes
           return s.p.controller.dram.row_bytes % s.p.controller.dram.bus_bits != 0;
         }},
        also("controller.dram.bus_bits", "is the width of the bus"),
        "a row must be a whole number of bursts, each of as many bytes as the bus has bits"},
       {{"controller.dram.t_rfc_ns", "is not less than t_refi_ns",
         [](const Settings& s) { return s.p.controller.dram.t_rfc_ns >= s.p.controller.dram.t_refi_ns; }},
        also("controller.dram.t_refi_ns", "is the time between two refresh commands"),
        "a refresh must be shorter than t_refi_ns, else it leaves no time for data"}});
}

void add_state_mapping(Rows& rows) {
  constexpr Condition by_selection{"ecc.state_mapping", "is not none", [](const Settings& s) {
                                     return controller::ecc_selection_registry().make(s.p.ecc.selection)->maps_states();
                                   }};
  constexpr Condition by_writing{"controller.content.state_mapping", "is true, and by_content", [](const Settings& s) {
                                   return writes_by_content(s) && s.p.controller.content.state_mapping;
                                 }};
  for (const Condition& mapping : {by_selection, by_writing}) {
    rows.insert(
        rows.end(),
        {{mapping, adjusted_wordlines,
          "a mapped page needs both pages of its wordline to be read, and this refresh leaves one; choose one of the "
          "two"},
         {mapping,
          {"ecc.scrambler", "is true, and pages have bytes that the decoder or the cells read",
           [](const Settings& s) {
             return keeps_bytes(s) && s.p.ecc.scrambler &&
                    (decoder_of(s.p.ecc)->has_bytes() || cell_model_of(s.p.simulation)->reads_content());
           }},
          "state mapping has no effect on scrambled pages, whose cells are in all states equally often; set "
          "ecc.scrambler to false"},
         {mapping,
          {copyback.key, "is true, and bytes are stored",
           [](const Settings& s) { return keeps_bytes(s) && copyback.holds(s); }},
          "a mapped page needs both pages of its wordline to be read, and copyback takes one away from the other; set "
          "copyback to false"},
         {mapping,
          {parity.key, "is not 0, and bytes are stored",
           [](const Settings& s) { return keeps_bytes(s) && parity.holds(s); }},
          "state mapping gathers the pages of a wordline, which parity does in a way of its own; set "
          "controller.parity.stripe_dies to 0"},
         {mapping,
          {fpa.key, "is fpa, and bytes are stored", [](const Settings& s) { return keeps_bytes(s) && fpa.holds(s); }},
          "state mapping gathers the pages of a wordline, which fpa does in a way of its own; set "
          "controller.fullpages.allocation to in_one_page"}});
  }
}

void add_write_modes(Rows& rows) {
  constexpr Condition derived_step{
      "controller.write_mode.step_ratio", "is 0, and kept_weeks is not",
      [](const Settings& s) { return relaxes_retention(s) && s.p.controller.write_mode.step_ratio == 0; }};
  rows.insert(
      rows.end(),
      {{derived_step, ideal_cells,
        "0 derives the step from the cells, but ideal cells have no limit; set simulation.cells to statistical, or "
        "give a ratio, such as 1.86 for 10 weeks or 2.33 for 2"},
       {{derived_step.key, "is 0, and cells have one programmed state",
         [](const Settings& s) {
           return derived_step.holds(s) && cells_err(s) && s.p.nand.cells.placement.verify_mv.size() < 2;
         }},
        also("nand.coding", "has a single programmed state"),
        "0 derives the step from the cells, but cells with a single programmed state have no limit; give a ratio"},
       {{derived_step.key, "makes a step that is larger than the distance of the states",
         [](const Settings& s) {
           const controller::WriteModeParameters& p = s.p.controller.write_mode;
           return relaxes_retention(s) && p.step_ratio >= 1 &&
                  std::round(p.step_ratio * s.p.nand.cells.placement.step_mv) > largest_step_mv(s);
         }},
        also("nand.cells.placement.step_mv", "is the device's own step"),
        "their product is a step that lifts cells of one state into the next; take a ratio of at most",
        [](const Settings& s) {
          const double largest = largest_step_mv(s);
          return shown(std::floor(100 * largest / s.p.nand.cells.placement.step_mv) / 100) + ", since the states are " +
                 shown(largest) + " mV apart";
        }},
       {{"controller.write_mode.kept_weeks", "is not 0", relaxes_retention},
        copyback,
        "page tags record that a block keeps its data for weeks, and copyback would move tags to other blocks; set "
        "controller.garbage_collection.copyback to false"},
       {by_content, segments, "both use the same margin, one for speed and one for lighter codes; choose one of them"},
       {{"controller.content.steps_mv", "does not rise from the device's own step",
         [](const Settings& s) {
           const std::vector<double>& steps = s.p.controller.content.steps_mv;
           return writes_by_content(s) && ((!steps.empty() && steps.front() <= s.p.nand.cells.placement.step_mv) ||
                                           std::ranges::adjacent_find(steps, std::greater_equal<>()) != steps.end());
         }},
        also("nand.cells.placement.step_mv", "is the device's own step"),
        "the steps must rise from the device's own step, nand.cells.placement.step_mv"},
       {{"controller.content.step_rule", "is page, and by_content",
         [](const Settings& s) {
           return writes_by_content(s) && two_bit_cells(s) &&
                  s.p.controller.content.step_rule == controller::StepRule::page;
         }},
        cells_with_errors,
        "page programs a wordline with a step that may be too large for one of its two pages; set it to wordline, or "
        "set simulation.cells to ideal"},
       {{"simulation.data", "is stored, and by_content",
         [](const Settings& s) { return writes_by_content(s) && keeps_bytes(s); }},
        not_two_bits,
        "stored content is counted for cells of two bits only; set simulation.data to none, so that it is drawn, or "
        "nand.coding to mlc_13"},
       {{"controller.content.state_mapping", "is true, and by_content",
         [](const Settings& s) { return writes_by_content(s) && s.p.controller.content.state_mapping; }},
        not_two_bits,
        "state mapping maps the states of cells of two bits only; set it to false, or nand.coding to mlc_13"},
       {{"controller.content.faster_pages", "is not both, and by_content",
         [](const Settings& s) {
           return writes_by_content(s) && s.p.controller.content.faster_pages != controller::FasterPages::both;
         }},
        not_two_bits,
        "faster_pages tells pages of cells of two bits apart only; set it to both, or nand.coding to mlc_13"},
       {{"controller.content.step_rule", "is not wordline, and by_content",
         [](const Settings& s) {
           return writes_by_content(s) && s.p.controller.content.step_rule != controller::StepRule::wordline;
         }},
        not_two_bits,
        "page is a rule for cells of two bits only; set it to wordline, or nand.coding to mlc_13"},
       {{"controller.content.bound", "is not exact, and by_content",
         [](const Settings& s) {
           return writes_by_content(s) && s.p.controller.content.bound != controller::ContentBound::exact;
         }},
        not_two_bits,
        "relaxed counts two of the states of cells of two bits; set it to exact, or nand.coding to mlc_13"},
       {{"controller.content.plugin", "is given, and by_content",
         [](const Settings& s) { return writes_by_content(s) && !s.p.controller.content.plugin.empty(); }},
        not_two_bits,
        "the plug-in is used for cells of two bits only; leave it out, or set nand.coding to mlc_13"}});
}

void add_refresh(Rows& rows) {
  rows.insert(
      rows.end(),
      {{ida,
        {"controller.power_loss.protection", "is not capacitor",
         [](const Settings& s) {
           return s.p.controller.power_loss.protection != controller::PowerLossProtection::capacitor;
         }},
        "ida keeps data only in memory while their wordline is adjusted; set controller.power_loss.protection to "
        "capacitor"},
       {ida, parity,
        "ida destroys pages from which others of their row are rebuilt; set controller.parity.stripe_dies to 0"},
       {ida, copyback,
        "ida does not support pages moved by copyback; set controller.garbage_collection.copyback to false"},
       {ida, one_bit, "ida needs cells of several bits; nand.coding has one page per wordline"},
       {{"controller.refresh.wordlines", "is repaying",
         [](const Settings& s) {
           return ida.holds(s) && s.value("controller.refresh.wordlines") == Value("repaying");
         }},
        {"controller.read_disturb.limit_reads", "is 0",
         [](const Settings& s) { return s.p.controller.read_disturb.limit_reads == 0; }},
        "the reads of blocks are needed to choose the repaying wordlines; set controller.read_disturb.limit_reads, or "
        "controller.refresh.wordlines to all"},
       // Hold-up time for an adjustment that has begun, for reads of its pages, and for programs, which wait for other
       // programs.
       {ida,
        {"controller.power_loss.hold_up_ms", "is shorter than the longest save and ten adjustments",
         [](const Settings& s) {
           constexpr double adjustments = 10;
           const controller::RefreshContext facts = refresh_facts(s.p, nand::NandTiming(s.p.nand));
           return facts.hold_up_ms < adjustments * facts.t_adjust_ms;
         }},
        "ida needs a capacitor that feeds the drive until pages being adjusted are safe; set "
        "controller.power_loss.hold_up_ms to at least ten times nand.timing.t_adjust_us beyond the longest save "
        "(controller.power_loss.hold_up_most_us of the statistics)",
        nullptr,
        When::computed},
       // Charge loss that grows faster with voltage than the voltage itself would reverse the order of the states.
       {{"nand.condition.pe_cycles", "with the time drifts the top state onto the lowest one",
         [](const Settings& s) {
           if (!uses_cells(s) || s.p.nand.coding == "slc") return false;
           const nand::CellParameters& cells = s.p.nand.cells;
           const nand::ConditionParameters& c = s.p.nand.condition;
           const double months = c.retention_days * 24 / hours_per_month *
                                 nand::arrhenius_factor(cells.retention, c.storage_temperature_c);
           const double drift = nand::retention_shift_mv(cells.retention, c.pe_cycles / 1000.0, months) *
                                std::exp(nand::most_log_shift(cells.variation)) * (1 - cells.retention.low_state_share);
           return drift >= cells.placement.verify_mv.back() - cells.placement.verify_mv.front();
         }},
        also("nand.condition.retention_days", "is the time"),
        "their charge loss drifts the top state onto the lowest one; take fewer cycles or less time, since this is "
        "beyond the constants of",
        [](const Settings& s) { return s.p.nand.cells.set; },
        When::computed},
       {{"controller.read_retry.timing_table", "is empty, and the policy adapts the timing of retries",
         [](const Settings& s) {
           const controller::ReadRetryParameters& p = s.p.controller.read_retry;
           return p.timing_table.empty() && p.needs().adapts_timing;
         }},
        {"nand.cells.set", "has no table with nandscape",
         [](const Settings& s) {
           return std::ranges::none_of(list_read_timing_tables(),
                                       [&](const auto& table) { return table.first == s.p.nand.cells.set; });
         }},
        "no table is given, and nandscape has none for these cells; make one with `nandscape profile-rpt` and name its "
        "file here"}});
}

void add_simulation(Rows& rows) {
  rows.insert(
      rows.end(),
      {{{"host.nvme.io_queues", "is not more than the number of workloads",
         [](const Settings& s) { return s.p.host.workload.size() + 1 > s.p.host.nvme.io_queues; }},
        also("host.workload", "needs a queue pair for each workload"),
        "each workload needs a queue pair, like each processor of a host, and single commands need one more; the "
        "workloads need",
        [](const Settings& s) { return std::to_string(s.p.host.workload.size() + 1) + " queue pairs"; },
        When::traffic},
       {{"simulation.waves.end_us", "is not after begin_us",
         [](const Settings& s) {
           const WavesParameters& p = s.p.simulation.blocks.waves;
           return !p.file.empty() && !(p.begin_us < p.end_us);
         }},
        also("simulation.waves.begin_us", "is the begin of the recording"),
        "the recording ends before it begins; let it end later",
        nullptr,
        When::traffic},
       {{"simulation.timeline.end_us", "is not after begin_us",
         [](const Settings& s) {
           const TimelineParameters& p = s.p.simulation.timeline;
           return !p.file.empty() && !(p.begin_us < p.end_us);
         }},
        also("simulation.timeline.begin_us", "is the begin of the recording"),
        "the recording ends before it begins; let it end later",
        nullptr,
        When::traffic}});
}

// The cycles that ONFI pins do not carry.
void add_pins(Rows& rows) {
  const std::size_t begin = rows.size();
  rows.insert(
      rows.end(),
      {{no_bytes, die_at_pins, "pins carry bytes, and pages have none; set simulation.data to stored"},
       {{"controller.scheduler.suspend", "is not none",
         [](const Settings& s) { return s.p.controller.scheduler.suspend != controller::Suspend::none; }},
        die_at_pins,
        "ONFI has no cycles to suspend an operation; set controller.scheduler.suspend to none"},
       {{"controller.scheduler.cache_read", "is true with multi_plane, and dies have several planes",
         [](const Settings& s) {
           const controller::SchedulerParameters& p = s.p.controller.scheduler;
           return p.cache_read && p.multi_plane && s.p.nand.geometry.planes_per_die > 1;
         }},
        die_at_pins,
        "pins do not carry cache reads that follow reads of several planes; set controller.scheduler.multi_plane to "
        "false, or cache_read"},
       {subpage_reads, die_at_pins,
        "pins do not carry reads of subpages in one operation; set controller.subpages.reads to none"},
       {{"controller.write_mode", "sets the ISPP step of programs",
         [](const Settings& s) { return !s.p.controller.write_mode.plain(); }},
        die_at_pins,
        "pins do not carry the step of a program; leave the keys of controller.write_mode out"},
       {adjusted_wordlines, die_at_pins, "pins do not carry voltage adjustments; take another refresh"},
       {{"ecc.decoder", "uses the error counts of cells that are not ideal",
         [](const Settings& s) { return cells_err(s) && !decoder_of_bytes.holds(s); }},
        die_at_pins,
        "pins carry bytes and no error counts of the cells; set ecc.decoder to bit_true, or simulation.cells to ideal"},
       {{"nand.cells.failures.factory_bad_fraction", "is not 0, and cells are not ideal",
         [](const Settings& s) { return cells_err(s) && s.p.nand.cells.failures.factory_bad_fraction != 0; }},
        die_at_pins,
        "pins do not carry bad-block marks; set nand.cells.failures.factory_bad_fraction to 0"},
       {{soft_reads.key, "reads soft, and cells are not ideal",
         [](const Settings& s) { return cells_err(s) && soft_reads.holds(s); }},
        die_at_pins,
        "pins do not carry soft reads; set controller.read_retry.policy to regular"},
       {{soft_reads.key, "reads at the best levels of each page, and cells are not ideal",
         [](const Settings& s) { return cells_err(s) && s.p.controller.read_retry.needs().oracle; }},
        die_at_pins,
        "pins do not carry reads at the best levels of each page; set controller.read_retry.policy to regular"},
       {{"nand.cells.read_levels.retry_steps", "is not 0, and cells are not ideal",
         [](const Settings& s) { return cells_err(s) && s.p.nand.cells.read_levels.retry_steps != 0; }},
        die_at_pins,
        "pins do not carry reads at other levels; set nand.cells.read_levels.retry_steps to 0"}});
  for (std::size_t k = begin; k < rows.size(); ++k) rows[k].when = When::built;
}

void add_rtl_engine(Rows& rows) {
  const std::size_t begin = rows.size();
  rows.insert(
      rows.end(),
      {{no_bytes, rtl_engine, "the design codes bytes; set simulation.data to stored"},
       {{"ecc.decoder", "is not bit_true", [](const Settings& s) { return s.p.ecc.decoder.name != "bit_true"; }},
        rtl_engine,
        "the design decodes bytes; set ecc.decoder to bit_true"},
       {several_codes, rtl_engine, "the design has one code, and pages have several; set ecc.selection to uniform"},
       {fpa, rtl_engine,
        "the design has one code, and pages have several; set controller.fullpages.allocation to in_one_page"},
       {{"ecc.codec", "is not bch of 72 bits in codewords of 1024 bytes",
         [](const Settings& s) {
           return s.p.ecc.codec.name != "bch" || s.p.ecc.codeword_bytes != rtl_payload_bytes ||
                  s.p.ecc.correctable_bits != rtl_correctable_bits;
         }},
        rtl_engine,
        "the design has the BCH code of 72 bits in codewords of 1024 bytes; set ecc.codec to bch, "
        "ecc.correctable_bits to 72 and ecc.codeword_bytes to 1024"}});
  for (std::size_t k = begin; k < rows.size(); ++k) rows[k].when = When::built;
}

// "is 'none'"; for a group or a list, whose values are many, the condition itself.
std::string state_of(const Condition& condition, const Settings& settings) {
  const Value value = settings.value(condition.key);
  const bool single = !value.is_null() && value.map_items() == nullptr && value.list_items() == nullptr;
  return single ? "is " + describe_value(value) : std::string(condition.words);
}

}  // namespace

Value Settings::value(std::string_view key) const {
  if (written_.is_null()) {
    PlatformParameters copy = p;
    written_ = write_parameters(copy);
  }
  const Value* value = &written_;
  for (std::size_t begin = 0; begin <= key.size() && value != nullptr;) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    value = value->find(key.substr(begin, end - begin));
    begin = end + 1;
  }
  return value == nullptr ? Value() : *value;
}

std::span<const Incompatibility> incompatibilities() {
  static const Rows rows = [] {
    Rows all;
    add_layout(all);
    add_codes(all);
    add_fullpages(all);
    add_units(all);
    add_electrical(all);
    add_refresh(all);
    add_state_mapping(all);
    add_write_modes(all);
    add_simulation(all);
    add_rtl_engine(all);
    add_pins(all);
    return all;
  }();
  return rows;
}

bool contradicts(const Incompatibility& row, const Settings& settings) {
  // The kind of a block is asked first, since other conditions of its rows may be costly.
  if (row.when == When::built && !row.second.holds(settings)) return false;
  return row.first.holds(settings) && row.second.holds(settings);
}

ConfigError contradiction(const Incompatibility& row, const Settings& settings) {
  std::string what = state_of(row.first, settings) + ", but " + std::string(row.second.key) + " " +
                     state_of(row.second, settings) + ": " + std::string(row.reason);
  if (row.remedy != nullptr) what += " " + row.remedy(settings);
  return {{}, std::string(row.first.key), what};
}

void check_blocks(const PlatformParameters& parameters) {
  const Settings settings(parameters);
  for (const Incompatibility& row : incompatibilities()) {
    if (row.when == When::built && contradicts(row, settings)) throw contradiction(row, settings);
  }
}

}  // namespace nandscape
