// SPDX-License-Identifier: Apache-2.0
// The rows of the table of incompatible settings, grouped by subject, and the facts and conditions that several rows
// share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "controller/addresses/flash_layout.h"
#include "nand/coding/coding.h"
#include "platform/config/compatibility.h"
#include "platform/config/content_tables.h"
#include "platform/config/flash_device_parameters.h"
#include "platform/config/value_checks.h"
#include "protocol/nand_command.h"

namespace nandscape {

using Rows = std::vector<Incompatibility>;
using When = Incompatibility::When;
using Codes = controller::EccSelection::Codes;

// The rows in incompatible_controller.cpp.
void add_layout(Rows& rows);
void add_slc_cache(Rows& rows);
void add_two_passes(Rows& rows);
void add_fullpages(Rows& rows);
void add_units(Rows& rows);
void add_plane_reads(Rows& rows);
void add_write_modes(Rows& rows);
void add_refresh(Rows& rows);
// The rows in incompatible_codes.cpp.
void add_codes(Rows& rows);
void add_electrical(Rows& rows);
void add_state_mapping(Rows& rows);
// The rows in incompatible_blocks.cpp.
void add_simulation(Rows& rows);
void add_rtl_engine(Rows& rows);
void add_pins(Rows& rows);

inline bool always(const Settings&) { return true; }

// ---- Facts about the drive that several rows test

inline bool cells_err(const Settings& s) { return cell_model_of(s.p.simulation)->has_errors(); }
inline bool keeps_bytes(const Settings& s) { return s.p.simulation.data == DataFidelity::stored; }
inline bool two_bit_cells(const Settings& s) { return has_four_natural_states(nand::coding_named(s.p.nand.coding)); }
inline bool has_segments(const Settings& s) { return codes_of(s.p.ecc) == Codes::segments; }
inline bool has_background(const Settings& s) { return codes_of(s.p.ecc) == Codes::background; }
inline bool relaxes_retention(const Settings& s) {
  return s.p.controller.write_mode.built_in() && s.p.controller.write_mode.kept_weeks != 0;
}
inline bool writes_by_content(const Settings& s) { return s.p.controller.write_mode.goes_by_content(); }
inline std::uint32_t unit_bytes(const Settings& s) {
  const std::uint32_t unit = s.p.controller.mapping.unit_bytes;
  return unit == 0 ? s.p.nand.geometry.page_bytes : unit;
}
inline std::uint32_t subpage_bytes(const Settings& s) { return s.p.nand.geometry.page_bytes / subpages_per_page; }
inline std::uint32_t wordlines_of_quarters(const Settings& s) {
  return controller::layer_quarters * nand::coding_named(s.p.nand.coding).pages();
}
// Returns the largest ISPP step. A larger step would lift cells of one state into the next state.
inline double largest_step_mv(const Settings& s) {
  constexpr double most = std::numeric_limits<std::uint16_t>::max();
  return std::min(write_facts(s.p, cells_err(s), keeps_bytes(s)).largest_step_mv, most);
}
// Returns whether the cell constants are used. Ideal cells use them only if the program time is computed from them.
inline bool uses_cells(const Settings& s) {
  return cells_err(s) || s.p.nand.timing.program != nand::ProgramTime::given;
}

// ---- Conditions that several rows share

inline constexpr Condition copyback{"controller.garbage_collection.copyback", "is true",
                                    [](const Settings& s) { return s.p.controller.garbage_collection.copyback; }};
inline constexpr Condition parity{"controller.parity.stripe_dies", "is not 0",
                                  [](const Settings& s) { return s.p.controller.parity.stripe_dies != 0; }};
inline constexpr Condition slc_cache{"controller.slc_cache", "is used",
                                     [](const Settings& s) { return s.p.controller.slc_cache.used(); }};
inline constexpr Condition two_passes{"nand.timing.program_passes", "is 2",
                                      [](const Settings& s) { return s.p.nand.timing.program_passes == 2; }};
inline constexpr Condition direct_folds{"controller.slc_cache.fold_by", "is copyback",
                                        [](const Settings& s) { return s.p.controller.slc_cache.copies_back(); }};
inline constexpr Condition superpages{"controller.mapping.layout", "is superpage",
                                      [](const Settings& s) { return s.p.controller.mapping.superpages(); }};
inline constexpr Condition fpa{"controller.fullpages.allocation", "is fpa",
                               [](const Settings& s) { return s.p.controller.fullpages.spread(); }};
inline constexpr Condition ida{"controller.refresh.policy", "is ida",
                               [](const Settings& s) { return s.p.controller.refresh.policy.name == "ida"; }};
inline constexpr Condition adjusted_wordlines{
    "controller.refresh.policy", "adjusts the voltages of wordlines, as ida does", [](const Settings& s) {
      return controller::refresh_registry().traits(s.p.controller.refresh.policy).adjusts_wordlines;
    }};
inline constexpr Condition subpage_reads{"controller.subpages.reads", "is soml or srs", [](const Settings& s) {
                                           return s.p.controller.subpages.reads != controller::SubpageReads::none;
                                         }};
inline constexpr Condition independent_plane_reads{"nand.independent_plane_reads", "is true",
                                                   [](const Settings& s) { return s.p.nand.independent_plane_reads; }};
inline constexpr Condition soft_reads{"controller.read_retry.policy", "reads soft",
                                      [](const Settings& s) { return s.p.controller.read_retry.needs().reads_soft; }};
inline constexpr Condition no_soft_reads{"controller.read_retry.policy", "does not read soft",
                                         [](const Settings& s) { return !soft_reads.holds(s); }};
inline constexpr Condition by_content{"controller.write_mode.by_content", "is true", writes_by_content};
inline constexpr Condition segments{"ecc.selection", "is cdber", has_segments};
inline constexpr Condition several_codes{"ecc.selection", "is not uniform",
                                         [](const Settings& s) { return codes_of(s.p.ecc) != Codes::ordinary; }};
inline constexpr Condition no_bytes{"simulation.data", "is none", [](const Settings& s) { return !keeps_bytes(s); }};
inline constexpr Condition ideal_cells{"simulation.cells", "is ideal", [](const Settings& s) { return !cells_err(s); }};
inline constexpr Condition cells_with_errors{"simulation.cells", "is not ideal", cells_err};
inline constexpr Condition not_two_bits{"nand.coding", "is not mlc_13",
                                        [](const Settings& s) { return !two_bit_cells(s); }};
inline constexpr Condition one_bit{"nand.coding", "is slc",
                                   [](const Settings& s) { return nand::coding_named(s.p.nand.coding).pages() < 2; }};
inline constexpr Condition decoder_of_bytes{"ecc.decoder", "decodes bytes, as bit_true does",
                                            [](const Settings& s) { return decoder_of(s.p.ecc)->has_bytes(); }};

inline constexpr Condition die_at_pins{"simulation.blocks.die.kind", "is onfi_pins", [](const Settings& s) {
                                         return s.p.simulation.blocks.die.kind.name == "onfi_pins";
                                       }};
inline constexpr Condition rtl_engine{"simulation.blocks.ecc_engine.kind", "is rtl", [](const Settings& s) {
                                        return s.p.simulation.blocks.ecc_engine.kind.name == "rtl";
                                      }};

// Returns a condition that always holds. It is for a row whose first condition tests both keys, so that the message
// also names `key`.
constexpr Condition also(std::string_view key, std::string_view words) { return {key, words, always}; }

}  // namespace nandscape
