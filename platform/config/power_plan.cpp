// SPDX-License-Identifier: Apache-2.0
#include "platform/config/power_plan.h"

#include <algorithm>
#include <string>

#include "core/error.h"
#include "host/pcie/pcie_link.h"
#include "nand/timing.h"
#include "platform/config/units.h"

namespace nandscape {

namespace {

// Returns the power of the link with data in both directions.
double link_mw(const host::PcieLinkParameters& p) {
  constexpr std::uint32_t many = 1 << 20;
  const double bits_per_s = 8 * many / s_from_ticks(host::PcieLink(p).serialisation(many));
  return 1e-9 * p.energy_pj_per_bit * 2 * bits_per_s;
}

// Returns the power of the DRAM with a full data bus. Each row is opened for all of its bytes.
double dram_mw(const controller::DramParameters& p) {
  const double bytes_per_s = peak_bytes_per_s(p);
  return 1e-9 * p.energy_pj_per_bit * 8 * bytes_per_s + 1e-6 * p.activate_nj * bytes_per_s / p.row_bytes;
}

controller::FlashPower flash_power(const PlatformParameters& p) {
  const nand::NandTiming timing(p.nand);
  const nand::NandGeometryParameters& geometry = p.nand.geometry;
  const double with_spare =
      p.channel.transfer_spare ? 1 + static_cast<double>(geometry.spare_bytes) / geometry.page_bytes : 1;
  const double bus_nj = 1e-3 * p.channel.energy.interface_pj_per_bit * 8 * with_spare;
  controller::FlashPower flash;
  flash.read_mw = p.nand.energy.read_mw;
  flash.program_mw = p.nand.energy.program_mw;
  flash.erase_mw = p.nand.energy.erase_mw;
  flash.read_nj_per_byte = bus_nj + p.ecc.energy.decode_nj / p.ecc.codeword_bytes;
  flash.write_nj_per_page =
      geometry.page_bytes * (timing.program_passes * bus_nj + p.ecc.energy.encode_nj / p.ecc.codeword_bytes);
  flash.t_read = timing.t_read;
  flash.t_prog = timing.mean_page_program();
  return flash;
}

}  // namespace

StaticPower static_power_of(const PlatformParameters& p) {
  const double dram_mw = p.controller.has_dram() ? p.controller.dram.background_mw : 0;
  return {p.controller.power.static_mw + p.host.link.active_mw + dram_mw,
          p.nand.energy.standby_mw * geometry_of(p).dies()};
}

PowerPlan power_plan_of(const PlatformParameters& p) {
  const controller::PowerParameters& power = p.controller.power;
  const Geometry geometry = geometry_of(p);
  PowerPlan plan;
  const StaticPower at_all_times = static_power_of(p);
  plan.static_mw = at_all_times.controller_mw + at_all_times.dies_mw;
  plan.others_mw = link_mw(p.host.link);
  if (p.controller.firmware.takes_cycles()) plan.others_mw += power.core_mw * p.controller.firmware.cores;
  if (p.controller.has_dram()) plan.others_mw += dram_mw(p.controller.dram);
  plan.flash = flash_power(p);
  NandCommand command;
  command.bytes = p.nand.geometry.page_bytes;
  const controller::PowerControl control({}, plan.flash);
  controller::Microwatts most = std::max(control.most_of_write(), control.of_erase());
  for (command.page = 0; command.page < plan.flash.t_read.size(); ++command.page) {
    most = std::max(most, control.draw(command));
  }
  plan.largest_operation_mw = 1e-3 * static_cast<double>(most) * geometry.planes_per_die;
  plan.flash.all_dies_mw = plan.largest_operation_mw * geometry.dies();
  plan.flash.efficiency = 1e-2 * power.regulator_percent;
  plan.flash.others_mw = plan.static_mw + plan.others_mw;
  const auto operational = [](const host::PowerStateParameters& state) { return state.operational; };
  plan.flash.host_limits = std::ranges::count_if(p.host.nvme.power_states, operational) > 1;
  return plan;
}

void check_power(const PlatformParameters& p) {
  const controller::PowerParameters& power = p.controller.power;
  const controller::ThrottleParameters& throttle = power.throttle;
  if (throttle.heavy_c != 0 && throttle.heavy_c <= throttle.light_c) {
    throw ConfigError({}, "controller.power.throttle.heavy_c",
                      "is " + number_text(throttle.heavy_c) + " °C, not above the light_c of " +
                          number_text(throttle.light_c) + " °C; heavy throttling follows light throttling");
  }
  if (!power.capped()) return;
  const PowerPlan plan = power_plan_of(p);
  if (1e3 * power.cap_w * plan.flash.efficiency >= plan.flash.others_mw + plan.largest_operation_mw) return;
  const auto w = [](double mw) { return number_text(1e-3 * mw) + " W"; };
  const double needed = plan.static_mw + plan.others_mw + plan.largest_operation_mw;
  const std::string losses = power.regulator_percent == 100 ? ""
                                                            : ", which with the losses of the regulators is " +
                                                                  w(100 * needed / power.regulator_percent);
  throw ConfigError({}, "controller.power.cap_w",
                    "is " + w(1e3 * power.cap_w) + ", but the drive draws " + w(plan.static_mw) +
                        " at all times, up to " + w(plan.others_mw) + " in link, DRAM and cores at work, and " +
                        w(plan.largest_operation_mw) + " for one operation of the flash, together " + w(needed) +
                        losses + "; give it at least that, or 0 for no limit");
}

}  // namespace nandscape
