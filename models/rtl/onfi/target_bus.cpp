// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/target_bus.h"

namespace nandscape::rtl::onfi {

using enum BusEvent;

void TargetBus::pins_moved(const HostPins& pins, Tick now) {
  if (pins.wp_n != pins_.wp_n) {
    checks_.happened(wp_change, now);
    unit_.write_protect(!pins.wp_n);
  }
  if (pins.ce_n != pins_.ce_n) chip_enable_moved(pins, now);
  if (!pins.ce_n) {
    controls_moved(pins, now);
    if (nv_ddr()) {
      nv_ddr_moved(pins, now);
    } else {
      sdr_moved(pins, now);
    }
  }
  pins_ = pins;
}

void TargetBus::chip_enable_moved(const HostPins& pins, Tick now) {
  checks_.happened(pins.ce_n ? ce_rise : ce_fall, now);
  if (!pins.ce_n) return;
  outputs_.drive(now, {});
  bytes_to_come_ = 0;
  second_byte_to_go_ = false;
  unit_.deselected();
  if (unit_.timing_mode() != checks_.mode()) checks_.use(unit_.timing_mode());
}

void TargetBus::controls_moved(const HostPins& pins, Tick now) {
  if (pins.cle != pins_.cle) {
    checks_.happened(cle_change, now);
    if (!pins.cle) checks_.happened(cle_fall, now);
  }
  if (pins.ale != pins_.ale) {
    checks_.happened(ale_change, now);
    if (!pins.ale) checks_.happened(ale_fall, now);
  }
  if (pins.dq != pins_.dq) checks_.happened(dq_change, now);
}

void TargetBus::sdr_moved(const HostPins& pins, Tick now) {
  if (pins.we_n != pins_.we_n) {
    checks_.happened(pins.we_n ? write_rise : write_fall, now);
    if (pins.we_n) latch(pins, now);
  }
  if (pins.re_n == pins_.re_n) return;
  if (pins.re_n) {
    checks_.happened(read_rise, now);
    release_ = now + sdr_times(mode()).release;
    outputs_.release_at(release_);
    return;
  }
  checks_.happened(read_fall, now);
  release_ = never;
  outputs_.drive(now + sdr_times(mode()).access, {.dq_enable = true, .dq = next_byte(now)});
}

void TargetBus::release(Tick now) {
  if (release_ == now) outputs_.drive(now, {});
}

std::uint8_t TargetBus::next_byte(Tick now) {
  if (!unit_.puts_out_status()) checks_.happened(data_wanted, now);
  return unit_.data_out(now);
}

void TargetBus::latch(const HostPins& pins, Tick now) {
  if (pins.cle && pins.ale) {
    violations_.sequence(now, "CLE and ALE are both high at a rising edge of WE_n; only one of them may be");
  } else if (pins.cle) {
    note(unit_.command(pins.dq, now), now);
  } else if (pins.ale) {
    checks_.happened(address_latched, now);
    note(unit_.address(pins.dq, now), now);
  } else {
    checks_.happened(data_latched, now);
    note(unit_.data_in(pins.dq, now), now);
  }
}

void TargetBus::note(LogicalUnit::Latched latched, Tick now) {
  if (latched == LogicalUnit::Latched::column_changed) checks_.happened(column_changed, now);
  if (latched == LogicalUnit::Latched::interface_set) checks_.happened(interface_set, now);
}

void TargetBus::nv_ddr_moved(const HostPins& pins, Tick now) {
  const NvDdrTimes& times = nv_ddr_times(mode());
  if (pins.re_n != pins_.re_n) {
    checks_.happened(direction_change, now);
    if (pins.re_n) {
      outputs_.drive(now + times.strobe_release, {});
    } else {
      outputs_.drive(now + times.strobe_drive, {.dq_enable = true, .dqs_enable = true});
    }
  }
  if (pins.dqs != pins_.dqs) strobe_moved(pins, now);
  if (pins.we_n == pins_.we_n) return;
  if (pins.we_n) return clock_rose(pins, now);
  if (!second_byte_to_go_) return;
  second_byte_to_go_ = false;
  outputs_.drive(now + times.strobe_access, {.dq_enable = true, .dqs_enable = true, .dqs = false, .dq = second_byte_});
}

void TargetBus::clock_rose(const HostPins& pins, Tick now) {
  checks_.happened(clock_rise, now);
  if (!pins.cle && !pins.ale) return;
  if (pins.cle != pins.ale) {
    checks_.happened(write_rise, now);
    if (!pins.re_n)
      violations_.sequence(now, "a command or an address comes while W/R_n is low and the target drives DQ");
    return latch(pins, now);
  }
  if (pins.re_n) {
    if (bytes_to_come_ == 0) announced_ = now;
    bytes_to_come_ += 2;
    return;
  }
  checks_.happened(read_fall, now);
  const std::uint8_t first = next_byte(now);
  second_byte_ = unit_.data_out(now);
  second_byte_to_go_ = true;
  outputs_.drive(now + nv_ddr_times(mode()).strobe_access,
                 {.dq_enable = true, .dqs_enable = true, .dqs = true, .dq = first});
}

// Handles an edge of the host's DQS. The strobe is low before a burst, and the first byte of each pair comes with its
// rising edge.
void TargetBus::strobe_moved(const HostPins& pins, Tick now) {
  if (bytes_to_come_ == 0 || pins.dqs != (bytes_to_come_ % 2 == 0)) return;
  if (announced_ != never) {
    const Tick clock = nv_ddr_times(mode()).clock;
    violations_.check_window(now, "tDQSS", checks_.mode(), clock * 3 / 4, clock * 5 / 4, now - announced_);
    announced_ = never;
  }
  checks_.happened(data_latched, now);
  --bytes_to_come_;
  note(unit_.data_in(pins.dq, now), now);
}

}  // namespace nandscape::rtl::onfi
