// SPDX-License-Identifier: Apache-2.0
// A small device for tests, and closed forms of its latencies. The formulas are written out here and do not use the
// models.
#pragma once

#include "flash_bench.h"

namespace nandscape {

// Parameters of a device with one channel and one die of two planes. The times are chosen so that a formula with a
// wrong or missing term gives a different sum.
inline FlashDeviceParameters small_device() {
  FlashDeviceParameters p;
  p.channel.count = 1;
  p.channel.rate_mt_s = 1000;
  p.channel.row_address_cycles = 3;
  p.channel.transfer_spare = true;
  p.channel.t_cycle_ns = 25;
  p.channel.t_wb_ns = 101;
  p.channel.t_rr_ns = 21;
  p.channel.t_adl_ns = 151;
  p.channel.t_whr_ns = 81;
  p.channel.t_preamble_ns = 15;
  p.channel.t_postamble_ns = 16;
  p.channel.t_dbsy_ns = 503;
  p.nand.geometry.chips_per_channel = 1;
  p.nand.geometry.dies_per_chip = 1;
  p.nand.geometry.planes_per_die = 2;
  p.nand.geometry.blocks_per_plane = 20;
  p.nand.geometry.pages_per_block = 12;
  p.nand.geometry.page_bytes = 8192;
  p.nand.geometry.spare_bytes = 512;
  p.nand.timing.read = nand::ReadTime::per_page_type;
  p.nand.coding = "tlc_232";
  p.nand.timing.t_read_us = {61, 83.5, 70};
  p.nand.timing.t_prog_us = 701;
  p.nand.timing.t_bers_us = 3003;
  p.nand.timing.t_suspend_us = 19;
  p.nand.timing.t_resume_us = 23;
  p.nand.timing.t_rcbsy_us = 3;
  p.ecc.codeword_bytes = 1024;
  p.ecc.t_decode_us = 17;
  p.ecc.decode_mb_s = 4000;
  p.ecc.t_encode_us = 7;
  p.ecc.encode_mb_s = 4000;
  p.controller.mapping.over_provisioning = 0.5;
  p.controller.mapping.allocation = "PDWC";
  return p;
}

// The times of small_device(), in ps.
namespace small_times {

inline constexpr Tick ns = nanosecond, us = microsecond;
inline constexpr Tick cycle = 25 * ns;
inline constexpr Tick address = 5 * cycle;
inline constexpr Tick row = 3 * cycle;
inline constexpr Tick tail = 101 * ns;                   // tWB
inline constexpr Tick busy = 503 * ns;                   // tDBSY
inline constexpr Tick burst = (15 + 16) * ns;            // preamble, postamble
inline constexpr Tick page_data = (8192 + 512) * ns;     // one byte per ns
inline constexpr Tick codeword_data = (1024 + 64) * ns;  // including the codeword's share of the spare bytes
inline constexpr Tick read_command = cycle + address + cycle + tail;
inline constexpr Tick page_out = 21 * ns + burst + page_data;
inline constexpr Tick program_command = cycle + address + 151 * ns + burst + page_data + cycle + tail;
inline constexpr Tick control_command = cycle + row + tail;
inline constexpr Tick erase_command = cycle + row + cycle + tail;
inline constexpr Tick status = cycle + 81 * ns + burst + 1 * ns;
inline constexpr Tick t_read[] = {61 * us, 83 * us + 500 * ns, 70 * us};
inline constexpr Tick t_prog = 701 * us;
inline constexpr Tick t_bers = 3003 * us;
inline constexpr Tick t_suspend = 19 * us;
inline constexpr Tick t_resume = 23 * us;
inline constexpr Tick decode = 17 * us;
inline constexpr Tick encode = 7 * us;

}  // namespace small_times

// A test bench with preconditioned data. The position of a page in its block determines its page type, and so its tR.
struct Filled : FlashBench {
  explicit Filled(const FlashDeviceParameters& p = small_device()) : FlashBench(p) {}

  controller::Ppa place(Lpn lpn) const { return device.ftl().initial_fill().find(lpn); }
  std::uint64_t page_number(Lpn lpn) const { return place(lpn).value % 12; }
  Tick read_time(Lpn lpn) const { return small_times::t_read[page_number(lpn) % 3]; }
  // Returns a logical page on the given plane whose flash page has the given type (3: any type). Never returns `other`.
  Lpn find(std::uint64_t plane, std::uint64_t type = 3, Lpn other = Lpn()) const {
    for (std::uint64_t k = 0;; ++k) {
      if (k % 2 == plane && Lpn(k) != other && (type == 3 || page_number(Lpn(k)) % 3 == type)) return Lpn(k);
    }
  }
};

}  // namespace nandscape
