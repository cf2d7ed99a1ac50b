// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/drive_energy.h"

#include "platform/wiring/machine.h"

namespace nandscape {

namespace {

// Adds the energy that the drive takes whether it works or not.
void add_static_energy(const PlatformParameters& p, Tick now, EnergyAccount& account) {
  const double drive_mw = p.controller.power.static_mw + p.host.link.active_mw +
                          (p.controller.has_dram() ? p.controller.dram.background_mw : 0);
  account.add("controller_static_j", 1e-3 * drive_mw * s_from_ticks(now),
              "controller, DRAM and link, whether they work or not");
  account.add("standby_j", 1e-3 * p.nand.energy.standby_mw * geometry_of(p).dies() * s_from_ticks(now),
              "dies, whether they work or not");
}

}  // namespace

EnergyAccount energy_of(const Drive& drive, const HostModule& host, const PlatformParameters& p, Tick now) {
  const host::PcieLinkCounters& link = host.link().counters();
  const double bytes = static_cast<double>(link.upstream_bytes) + static_cast<double>(link.downstream_bytes);
  EnergyAccount account;
  drive.add_energy(account);
  account.add("link_j", 1e-12 * p.host.link.energy_pj_per_bit * 8 * bytes, "the drive's end of the PCI Express link");
  add_static_energy(p, now, account);
  account.add("regulator_j", account.total() * (100 / p.controller.power.regulator_percent - 1),
              "losses of the regulators");
  return account;
}

}  // namespace nandscape
