// SPDX-License-Identifier: Apache-2.0
// The signals between a host and one ONFI target. DQ and DQS each consist of two signals, one for each direction.
#pragma once

#include <systemc>

#include "rtl/onfi/onfi_device_module.h"
#include "rtl/onfi/onfi_player_module.h"

namespace nandscape::rtl::onfi {

struct OnfiWires final : sc_core::sc_module {
  explicit OnfiWires(const sc_core::sc_module_name& name) : sc_module(name) {}

  sc_core::sc_signal<bool> ce_n{"ce_n", true};
  sc_core::sc_signal<bool> cle{"cle"};
  sc_core::sc_signal<bool> ale{"ale"};
  sc_core::sc_signal<bool> we_n{"we_n", true};
  sc_core::sc_signal<bool> re_n{"re_n", true};
  sc_core::sc_signal<bool> wp_n{"wp_n", true};
  sc_core::sc_signal<bool> rb_n{"rb_n", true};
  sc_core::sc_signal<sc_dt::sc_uint<8>> host_dq{"host_dq", 0xff};
  sc_core::sc_signal<bool> host_dq_enable{"host_dq_enable"};
  sc_core::sc_signal<bool> host_dqs{"host_dqs"};
  sc_core::sc_signal<bool> host_dqs_enable{"host_dqs_enable"};
  sc_core::sc_signal<sc_dt::sc_uint<8>> target_dq{"target_dq", 0xff};
  sc_core::sc_signal<bool> target_dq_enable{"target_dq_enable"};
  sc_core::sc_signal<bool> target_dqs{"target_dqs"};
  sc_core::sc_signal<bool> target_dqs_enable{"target_dqs_enable"};

  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto* wire : {&ce_n, &cle, &ale, &we_n, &re_n, &wp_n, &rb_n}) visit(*wire);
    for (const auto* wire : {&host_dq, &target_dq}) visit(*wire);
    for (const auto* wire : {&host_dq_enable, &host_dqs, &host_dqs_enable}) visit(*wire);
    for (const auto* wire : {&target_dq_enable, &target_dqs, &target_dqs_enable}) visit(*wire);
  }

  void connect(OnfiDeviceModule& device) {
    device.ce_n(ce_n);
    device.cle(cle);
    device.ale(ale);
    device.we_n(we_n);
    device.re_n(re_n);
    device.wp_n(wp_n);
    device.rb_n(rb_n);
    device.dq_in(host_dq);
    device.dqs_in(host_dqs);
    device.dq_out(target_dq);
    device.dq_enable(target_dq_enable);
    device.dqs_out(target_dqs);
    device.dqs_enable(target_dqs_enable);
  }

  void connect(OnfiPlayerModule& player) {
    player.ce_n(ce_n);
    player.cle(cle);
    player.ale(ale);
    player.we_n(we_n);
    player.re_n(re_n);
    player.wp_n(wp_n);
    player.rb_n(rb_n);
    player.dq_out(host_dq);
    player.dq_enable(host_dq_enable);
    player.dqs_out(host_dqs);
    player.dqs_enable(host_dqs_enable);
    player.dq_in(target_dq);
    player.dqs_in(target_dqs);
  }
};

}  // namespace nandscape::rtl::onfi
