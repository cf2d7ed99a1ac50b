// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/energy.h"

namespace nandscape {

double EnergyAccount::total() const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.joules;
  return sum;
}

void describe(const EnergyAccount& account, StatisticsVisitor& v) {
  for (const EnergyAccount::Part& part : account.parts_) v.real(part.name, part.joules, "j", part.meaning);
  v.real("total_j", account.total(), "j", "all of them together");
}

EnergyAccount energy_of(const PlatformParameters& p, const Machine& machine) {
  const PcieLinkCounters& link = machine.host().link().counters();
  EnergyAccount account;
  account.add("array_j", array_joules(p.nand.energy, machine.flash().nand_counters().array), "planes at work");
  account.add("bus_j", 1e-3 * p.channel.energy.interface_mw * s_from_ticks(machine.flash().channel_busy()),
              "buses between controller and dies, with both of their ends");
  account.add("ecc_j", ecc_joules(p.ecc, machine.flash().ecc_counters()), "encoders and decoders");
  account.add("link_j",
              1e-12 * p.host.link.energy_pj_per_bit * 8 *
                  (static_cast<double>(link.upstream_bytes) + static_cast<double>(link.downstream_bytes)),
              "PCI Express, the drive's end");
  if (const Dram* dram = machine.flash().dram()) {
    const DramParameters& d = p.controller.dram;
    const DramCounters& c = dram->counters();
    const double bits = 8 * (static_cast<double>(c.bytes_read) + static_cast<double>(c.bytes_written));
    account.add("dram_j", 1e-12 * d.energy_pj_per_bit * bits + 1e-9 * d.activate_nj * static_cast<double>(c.row_misses),
                "the data cache");
  }
  return account;
}

}  // namespace nandscape
