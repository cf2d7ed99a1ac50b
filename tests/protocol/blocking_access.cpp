// SPDX-License-Identifier: Apache-2.0
// b_transport, as a loosely timed initiator uses it: ECC engines answer with their time, buses and dies refuse.
#include "catch.h"
#include "channel/channel_module.h"
#include "ecc/engine_module.h"
#include "ecc/page_coders/threshold_coder.h"
#include "kernel.h"
#include "nand/die_module.h"
#include "protocol/protocol_checker.h"

namespace nandscape {
namespace {

// An initiator that makes blocking calls, through a checker.
template <class Job>
struct Initiator final : sc_core::sc_module, JobBackward<Job> {
  Initiator(sc_core::sc_module_name name, JobTargetSocket<Job>& target) : sc_module(name), checker("checker") {
    socket.bind(static_cast<JobBackward<Job>&>(*this));
    socket.bind(checker.target);
    checker.initiator.bind(target);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    FAIL("a blocking call is answered by a phase");
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  // Makes a call `delay` ahead of the present; returns its status and puts the delay returned in its place.
  tlm::tlm_response_status call(Job& job, Tick& delay) {
    tlm::tlm_generic_payload& payload = pool.acquire(job);
    sc_core::sc_time time = to_sc_time(delay);
    socket->b_transport(payload, time);
    delay = to_ticks(time);
    const tlm::tlm_response_status status = payload.get_response_status();
    payload.release();
    CHECK(checker.outstanding() == 0);
    return status;
  }

  JobInitiatorSocket<Job> socket{"socket"};
  ProtocolChecker<JobProtocol<Job>> checker;
  JobPayloadPool<Job> pool;
};

TEST_CASE("an ECC engine adds its time to a blocking call") {
  Kernel kernel;
  Calendar calendar;
  ecc::EccParameters parameters;
  parameters.t_decode_us = 20;
  parameters.decode_mb_s = 1000;
  parameters.t_encode_us = 6;
  const std::vector<ecc::PageCode> codes = {{.parameters = parameters}};
  ecc::EccEngineModule engine("engine", calendar, codes, parameters, std::make_unique<ecc::ThresholdCoder>(10));
  Initiator<EccJob> initiator("initiator", engine.decode_socket()), encoding("encoding", engine.encode_socket());
  sc_core::sc_start(to_sc_time(microsecond));
  EccJob job;
  job.bytes = 4000;
  job.raw_bit_errors = 11;
  job.worst_codeword_errors = 11;
  Tick delay = 7;
  CHECK(initiator.call(job, delay) == tlm::TLM_OK_RESPONSE);
  CHECK(delay == 7 + 20 * microsecond);
  CHECK(job.uncorrectable);
  // The pipeline takes the next job when the first one is in.
  delay = 8;
  initiator.call(job, delay);
  CHECK(delay == 7 + 4 * microsecond + 20 * microsecond);
  job.kind = EccKind::encode;
  delay = 9;
  CHECK(encoding.call(job, delay) == tlm::TLM_OK_RESPONSE);
  CHECK(delay == 9 + 6 * microsecond);
}

TEST_CASE("buses and dies refuse blocking calls") {
  Kernel kernel;
  Calendar calendar;
  const Geometry geometry;
  const channel::BusTiming bus_timing(channel::ChannelParameters{}, geometry);
  const nand::NandTiming nand_timing(nand::NandParameters{});
  channel::ChannelModule channel("channel", calendar, bus_timing, channel::BusArbitration::command_first, 1);
  nand::DieModule behind("behind", calendar, geometry, nand_timing, nullptr),
      alone("alone", calendar, geometry, nand_timing, nullptr);
  channel.die_socket(0).bind(behind.socket);
  Initiator<NandCommand> to_channel("to_channel", channel.socket), to_die("to_die", alone.socket);
  sc_core::sc_start(to_sc_time(microsecond));
  NandCommand command;
  Tick delay = 0;
  CHECK(to_channel.call(command, delay) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  CHECK(to_die.call(command, delay) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  CHECK(delay == 0);
}

}  // namespace
}  // namespace nandscape
