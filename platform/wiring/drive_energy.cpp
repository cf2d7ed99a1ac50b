// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/drive_energy.h"

#include "platform/config/power_plan.h"
#include "platform/wiring/machine.h"

namespace nandscape {

namespace {

// Adds the energy that the drive takes whether it works or not, in the time in which it is not at rest.
void add_static_energy(const PlatformParameters& p, Tick awake, EnergyAccount& account) {
  const StaticPower power = static_power_of(p);
  account.add("controller_static_j", 1e-3 * power.controller_mw * s_from_ticks(awake),
              "controller, DRAM and link, whether they work or not");
  account.add("standby_j", 1e-3 * power.dies_mw * s_from_ticks(awake), "dies, whether they work or not");
}

}  // namespace

EnergyAccount energy_of(const Drive& drive, const HostModule& host, const PlatformParameters& p, Tick now) {
  const host::PcieLinkCounters& link = host.link().counters();
  const double bytes = static_cast<double>(link.upstream_bytes) + static_cast<double>(link.downstream_bytes);
  EnergyAccount account;
  drive.add_energy(account);
  account.add("link_j", 1e-12 * p.host.link.energy_pj_per_bit * 8 * bytes, "the drive's end of the PCI Express link");
  const host::PowerStates::Rest rest = host.front_end().rest(now);
  add_static_energy(p, now - rest.time, account);
  account.add("regulator_j", account.total() * (100 / p.controller.power.regulator_percent - 1),
              "losses of the regulators");
  if (!p.host.nvme.power_states.empty()) {
    account.add("rest_j", rest.joules, "the drive at rest in non-operational power states, losses included");
  }
  return account;
}

}  // namespace nandscape
