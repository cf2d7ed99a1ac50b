// SPDX-License-Identifier: Apache-2.0
#include "channel/parameters.h"

#include "core/error.h"

namespace nandscape::channel {

void describe(ChannelEnergyParameters& p, ParameterVisitor& v) {
  v.real("interface_pj_per_bit", p.interface_pj_per_bit, {0, 1e6}, "pj_per_bit",
         "energy per bit of data on a bus, including both of its ends");
}

void describe(ChannelParameters& p, ParameterVisitor& v) {
  v.integer("count", p.count, {1, 64}, "", "channels of the device");
  v.choice("interface", p.interface,
           {{"nv_ddr2", "ONFI NV-DDR2, up to 533 MT/s"},
            {"nv_ddr3", "ONFI NV-DDR3, up to 1600 MT/s"},
            {"nv_ddr4", "ONFI NV-LPDDR4, up to 3600 MT/s"}},
           "data interface; it limits the rate");
  v.integer("rate_mt_s", p.rate_mt_s, {1, 3600}, "mt_s", "data transfers per second, in millions");
  v.integer("width_bits", p.width_bits, {8, 16}, "bits", "width of the data bus");
  v.choice("arbitration", p.arbitration,
           {{"command_first", "commands, which start work in a die, before waiting data-out"},
            {"response_first", "waiting data-out before commands; the dies of a busy channel synchronize"}},
           "priority when the bus becomes free");
  v.integer("row_address_cycles", p.row_address_cycles, {2, 4}, "", "cycles of a row address; a column takes two");
  v.boolean("transfer_spare", p.transfer_spare, "transfer the spare bytes of a page with its data");
  v.real("t_cycle_ns", p.t_cycle_ns, {0, 1000}, "ns", "tWC, one command or address cycle");
  v.real("t_wb_ns", p.t_wb_ns, {0, 10000}, "ns", "tWB, from the confirm cycle to a busy array; the bus waits for it");
  v.real("t_rr_ns", p.t_rr_ns, {0, 10000}, "ns", "tRR, from a ready array to the first data-out cycle");
  v.real("t_adl_ns", p.t_adl_ns, {0, 10000}, "ns", "tADL, from the address to the first data-in cycle");
  v.real("t_whr_ns", p.t_whr_ns, {0, 10000}, "ns", "tWHR, from the status command to the status byte");
  v.real("t_ccs_ns", p.t_ccs_ns, {0, 10000}, "ns",
         "tCCS, from the selection of a plane to its data-out, if dies have nand.independent_plane_reads");
  v.real("t_preamble_ns", p.t_preamble_ns, {0, 10000}, "ns", "tWPRE or tRPRE, before a data burst");
  v.real("t_postamble_ns", p.t_postamble_ns, {0, 10000}, "ns", "tWPST or tRPST, after a data burst");
  v.real("t_dbsy_ns", p.t_dbsy_ns, {0, 100000}, "ns",
         "tDBSY, after each but the last plane of a multi-plane command; the bus waits for it");
  v.group("energy", p.energy, "energy that the buses take from the supply");
}

std::uint32_t fastest_mt_s(BusInterface interface) {
  constexpr std::uint32_t fastest[] = {533, 1600, 3600};
  return fastest[static_cast<std::size_t>(interface)];
}

void check(const ChannelParameters& p) {
  if (p.width_bits % 8 != 0) throw ConfigError({}, "channel.width_bits", "must be 8 or 16");
}

}  // namespace nandscape::channel
