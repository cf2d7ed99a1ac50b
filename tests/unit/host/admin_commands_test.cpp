// SPDX-License-Identifier: Apache-2.0
// Tests each admin command, and each error status that the specification defines for invalid admin commands.
#include <string>

#include "catch.h"
#include "host/nvme/command_sets/nvm_commands.h"
#include "host/nvme/identify.h"
#include "unit/host/controller_harness.h"

using namespace nandscape;
using namespace nandscape::host;
using nvme::AdminOpcode;
using nvme::Feature;
using nvme::Status;

namespace {

nvme::CompletionEntry set_feature(ControllerHarness& h, Feature f, std::uint32_t value, std::uint32_t nsid = 0) {
  return h.command(AdminOpcode::set_features, id_of(f), value, 0, nsid);
}
nvme::CompletionEntry get_feature(ControllerHarness& h, Feature f, std::uint32_t select = 0, std::uint32_t cdw11 = 0) {
  return h.command(AdminOpcode::get_features, id_of(f) | select << 8, cdw11);
}
constexpr std::uint32_t log_cdw10(std::uint32_t page, std::uint32_t bytes) { return (bytes / 4 - 1) << 16 | page; }

}  // namespace

TEST_CASE("Identify Controller reflects the parameters") {
  NvmeParameters p;
  p.max_transfer_kib = 128;
  ControllerHarness h(p);
  h.enable();
  const std::uint64_t at = h.memory.reserve(4096, 4096);
  REQUIRE(status_of(h.command(AdminOpcode::identify, 1, 0, at)) == Status::success);
  const auto id = h.load<nvme::IdentifyController>(at);
  CHECK(id.mdts == 5);
  CHECK(id.ver == 0x10400);
  CHECK(id.nn == 1);
  CHECK(id.sqes == 0x66);
  CHECK(id.cqes == 0x44);
  CHECK(id.oncs == 0xc);
  CHECK(id.vwc == 1);
  CHECK(id.aerl == 3);
  CHECK(id.tnvmcap[0] == 256 * 16384);
  CHECK(std::string(id.model_number.data(), 9) == "nandscape");
}

TEST_CASE("Identify Namespace, the list of namespaces and their descriptors") {
  ControllerHarness h;
  h.enable();
  const std::uint64_t at = h.memory.reserve(4096, 4096);
  REQUIRE(status_of(h.command(AdminOpcode::identify, 0, 0, at, 1)) == Status::success);
  const auto ns = h.load<nvme::IdentifyNamespace>(at);
  CHECK(ns.nsze == 256 * 32);
  CHECK(ns.lbaf[0] >> 16 == 9);
  CHECK(ns.npwg == 31);
  CHECK((ns.dlfeat & 7) == 1);

  REQUIRE(status_of(h.command(AdminOpcode::identify, 2, 0, at, 0)) == Status::success);
  CHECK(h.load<std::uint32_t>(at) == 1);
  CHECK(h.load<std::uint32_t>(at + 4) == 0);
  REQUIRE(status_of(h.command(AdminOpcode::identify, 2, 0, at, 1)) == Status::success);
  CHECK(h.load<std::uint32_t>(at) == 0);
  REQUIRE(status_of(h.command(AdminOpcode::identify, 3, 0, at, 1)) == Status::success);
  CHECK((h.load<std::uint32_t>(at) & 0xffff) == 0x0801);

  CHECK(status_of(h.command(AdminOpcode::identify, 0, 0, at, 2)) == Status::invalid_namespace);
  CHECK(status_of(h.command(AdminOpcode::identify, 2, 0, at, 0xffff'ffff)) == Status::invalid_namespace);
  CHECK(status_of(h.command(AdminOpcode::identify, 0x7f, 0, at, 1)) == Status::invalid_field);
}

TEST_CASE("data of an admin command may cross a page") {
  ControllerHarness h;
  h.enable();
  const std::uint64_t first = h.memory.reserve(4096, 4096);
  h.memory.reserve(4096, 4096);
  const std::uint64_t second = h.memory.reserve(4096, 4096);
  nvme::SubmissionEntry e;
  e.opcode = static_cast<std::uint8_t>(AdminOpcode::identify);
  e.cdw10 = 1;
  e.prp1 = first + 0x100;
  e.prp2 = second;
  REQUIRE(h.status(h.admin, e) == Status::success);
  CHECK(h.load<std::uint8_t>(first + 0x100 + 512) == 0x66);
  e.prp2 = second + 8;
  CHECK(h.status(h.admin, e) == Status::prp_offset_invalid);
}

TEST_CASE("queues are created and deleted according to the specification") {
  ControllerHarness h;
  h.enable();
  const std::uint64_t ring = h.memory.reserve(65536, 65536);
  const auto cq = [&](std::uint32_t id, std::uint32_t size, std::uint32_t cdw11, std::uint64_t at) {
    return status_of(h.command(AdminOpcode::create_io_cq, (size - 1) << 16 | id, cdw11, at));
  };
  const auto sq = [&](std::uint32_t id, std::uint32_t size, std::uint32_t cdw11, std::uint64_t at) {
    return status_of(h.command(AdminOpcode::create_io_sq, (size - 1) << 16 | id, cdw11, at));
  };
  CHECK(cq(0, 16, 3, ring) == Status::invalid_queue_identifier);
  CHECK(cq(17, 16, 3, ring) == Status::invalid_queue_identifier);
  CHECK(cq(1, 1, 3, ring) == Status::invalid_queue_size);
  CHECK(cq(1, 1025, 3, ring) == Status::invalid_queue_size);
  CHECK(cq(1, 16, 2, ring) == Status::invalid_field);
  CHECK(cq(1, 16, 17u << 16 | 3, ring) == Status::invalid_interrupt_vector);
  CHECK(cq(1, 16, 3, ring + 512) == Status::prp_offset_invalid);
  CHECK(cq(1, 16, 3, ring) == Status::success);
  CHECK(cq(1, 16, 3, ring) == Status::invalid_queue_identifier);

  CHECK(sq(1, 16, 2u << 16 | 1, ring + 4096) == Status::completion_queue_invalid);
  CHECK(sq(1, 16, 0u << 16 | 1, ring + 4096) == Status::invalid_queue_identifier);
  CHECK(sq(1, 1, 1u << 16 | 1, ring + 4096) == Status::invalid_queue_size);
  CHECK(sq(1, 16, 1u << 16, ring + 4096) == Status::invalid_field);
  CHECK(sq(1, 16, 1u << 16 | 1, ring + 4096 + 8) == Status::prp_offset_invalid);
  CHECK(sq(1, 16, 1u << 16 | 1, ring + 4096) == Status::success);
  CHECK(sq(1, 16, 1u << 16 | 1, ring + 4096) == Status::invalid_queue_identifier);

  CHECK(status_of(h.command(AdminOpcode::delete_io_cq, 1)) == Status::invalid_queue_deletion);
  CHECK(status_of(h.command(AdminOpcode::delete_io_sq, 2)) == Status::invalid_queue_identifier);
  CHECK(status_of(h.command(AdminOpcode::delete_io_sq, 0)) == Status::invalid_queue_identifier);
  CHECK(status_of(h.command(AdminOpcode::delete_io_sq, 1)) == Status::success);
  CHECK(status_of(h.command(AdminOpcode::delete_io_cq, 1)) == Status::success);
  CHECK(status_of(h.command(AdminOpcode::delete_io_cq, 1)) == Status::invalid_queue_identifier);
}

TEST_CASE("deleting a submission queue aborts its pending commands") {
  ControllerHarness h({}, millisecond);
  h.enable();
  auto queue = h.create_queue(1, 16);
  const std::uint64_t data = h.memory.reserve(4096, 4096);
  for (std::uint16_t k = 0; k < 3; ++k) {
    auto e = ControllerHarness::io(nvme::IoOpcode::read, k, 1, data);
    e.command_id = k;
    h.push(queue, e);
  }
  h.ring(queue);
  h.run_for(10 * microsecond);
  CHECK(status_of(h.command(AdminOpcode::delete_io_sq, 1)) == Status::success);
  const auto entries = h.reap(queue);
  REQUIRE(entries.size() == 3);
  for (const auto& entry : entries) CHECK(status_of(entry) == Status::aborted_sq_deletion);
  h.run();
  CHECK(h.reap(queue).empty());
}

TEST_CASE("features keep their settings and report their defaults") {
  ControllerHarness h;
  h.enable();
  CHECK(get_feature(h, Feature::arbitration).dw0 == 3);
  CHECK(status_of(set_feature(h, Feature::arbitration, 0x0f07'0301)) == Status::success);
  CHECK(get_feature(h, Feature::arbitration).dw0 == 0x0f07'0301);
  CHECK(get_feature(h, Feature::arbitration, 1).dw0 == 3);
  CHECK(get_feature(h, Feature::arbitration, 2).dw0 == 3);
  CHECK(get_feature(h, Feature::arbitration, 3).dw0 == 4);
  CHECK(get_feature(h, Feature::error_recovery, 3).dw0 == 6);
  CHECK(status_of(get_feature(h, Feature::arbitration, 4)) == Status::invalid_field);

  CHECK(status_of(set_feature(h, Feature::power_management, 0)) == Status::success);
  CHECK(status_of(set_feature(h, Feature::power_management, 1)) == Status::invalid_field);
  CHECK(status_of(set_feature(h, Feature::temperature_threshold, 340)) == Status::success);
  CHECK(get_feature(h, Feature::temperature_threshold).dw0 == 340);
  CHECK(status_of(set_feature(h, Feature::temperature_threshold, 1u << 20 | 270)) == Status::success);
  CHECK(get_feature(h, Feature::temperature_threshold, 0, 1u << 20).dw0 == 270);
  CHECK(status_of(set_feature(h, Feature::temperature_threshold, 3u << 16 | 300)) == Status::invalid_field);
  CHECK(status_of(set_feature(h, Feature::error_recovery, 5, 1)) == Status::success);
  CHECK(get_feature(h, Feature::error_recovery).dw0 == 5);
  CHECK(status_of(set_feature(h, Feature::volatile_write_cache, 0)) == Status::success);
  CHECK(get_feature(h, Feature::volatile_write_cache).dw0 == 0);
  CHECK(status_of(set_feature(h, Feature::interrupt_coalescing, 0x0203)) == Status::success);
  CHECK(get_feature(h, Feature::interrupt_coalescing).dw0 == 0x0203);
  CHECK(status_of(set_feature(h, Feature::interrupt_vector_configuration, 1u << 16 | 2)) == Status::success);
  CHECK(get_feature(h, Feature::interrupt_vector_configuration, 0, 2).dw0 == (1u << 16 | 2));
  CHECK(status_of(set_feature(h, Feature::interrupt_vector_configuration, 99)) == Status::invalid_field);
  CHECK(status_of(set_feature(h, Feature::write_atomicity, 1)) == Status::success);
  CHECK(get_feature(h, Feature::write_atomicity).dw0 == 1);
  CHECK(status_of(set_feature(h, Feature::async_event_configuration, 2)) == Status::success);
  CHECK(get_feature(h, Feature::async_event_configuration).dw0 == 2);

  CHECK(status_of(set_feature(h, static_cast<Feature>(0x7f), 0)) == Status::invalid_field);
  CHECK(status_of(h.command(AdminOpcode::set_features, 1u << 31 | 1, 0)) == Status::feature_not_saveable);
  CHECK(status_of(set_feature(h, Feature::arbitration, 0, 1)) == Status::feature_not_namespace_specific);
}

TEST_CASE("the number of queues is granted up to the maximum, before the first is created") {
  NvmeParameters p;
  p.io_queues = 4;
  ControllerHarness h(p);
  h.enable();
  CHECK(set_feature(h, Feature::number_of_queues, 7u << 16 | 7).dw0 == (3u << 16 | 3));
  CHECK(set_feature(h, Feature::number_of_queues, 1u << 16 | 1).dw0 == (1u << 16 | 1));
  CHECK(status_of(set_feature(h, Feature::number_of_queues, 0xffff)) == Status::invalid_field);
  const std::uint64_t ring = h.memory.reserve(4096, 4096);
  CHECK(status_of(h.command(AdminOpcode::create_io_cq, 15u << 16 | 3, 3, ring)) == Status::invalid_queue_identifier);
  h.create_queue(2, 16);
  CHECK(status_of(set_feature(h, Feature::number_of_queues, 1u << 16 | 1)) == Status::command_sequence_error);
}

TEST_CASE("without a volatile write cache its feature does not exist") {
  NvmeParameters p;
  p.volatile_write_cache = false;
  ControllerHarness h(p);
  h.enable();
  CHECK(status_of(get_feature(h, Feature::volatile_write_cache)) == Status::invalid_field);
  CHECK(status_of(set_feature(h, Feature::volatile_write_cache, 1)) == Status::invalid_field);
}

TEST_CASE("the volatile write cache is a property of the device") {
  ControllerHarness h;
  h.enable();
  const std::uint64_t data = h.memory.reserve(4096, 4096);
  h.check(h.command(AdminOpcode::identify, 1, 0, data));
  CHECK(h.load<nvme::IdentifyController>(data).vwc == 1);

  Calendar calendar;
  HostMemory memory(1 << 22);
  PromptPort port(calendar, memory);
  FakeStorage device(calendar, 16384, 256, 1, 0);
  device.state.volatile_write_cache = false;
  ControllerParts parts(calendar, {}, device, port, false);
  DeviceAccesses accesses(parts);
  DataTransfers transfers(parts, accesses);
  const NvmCommands commands({}, {parts, accesses, transfers});
  CHECK(identify_controller(parts, HostMemoryBuffer(parts), commands).vwc == 0);
}

TEST_CASE("log pages count commands and errors") {
  ControllerHarness h;
  h.enable();
  auto queue = h.create_queue(1, 16);
  const std::uint64_t data = h.memory.reserve(16384, 4096);
  for (int k = 0; k < 3; ++k) {
    REQUIRE(h.status(queue, ControllerHarness::io(nvme::IoOpcode::read, 0, 8, data)) == Status::success);
  }
  REQUIRE(h.status(queue, ControllerHarness::io(nvme::IoOpcode::write, 0, 8, data)) == Status::success);
  auto bad = ControllerHarness::io(nvme::IoOpcode::read, 256 * 32, 1, data);
  REQUIRE(h.status(queue, bad) == Status::lba_out_of_range);

  const std::uint64_t log = h.memory.reserve(4096, 4096);
  REQUIRE(status_of(h.command(AdminOpcode::get_log_page, log_cdw10(2, 512), 0, log)) == Status::success);
  const auto smart = h.load<nvme::SmartLog>(log);
  CHECK(smart.host_read_commands[0] == 4);
  CHECK(smart.host_write_commands[0] == 1);
  CHECK(smart.data_units_read[0] == 1);                      // 24 sectors, in units of a thousand, rounded up
  CHECK(std::uint32_t{smart.composite_temperature} == 313);  // copied: the field is not aligned
  CHECK(smart.error_log_entries[0] == 1);

  REQUIRE(status_of(h.command(AdminOpcode::get_log_page, log_cdw10(1, 128), 0, log)) == Status::success);
  const auto error = h.load<nvme::ErrorInformation>(log);
  CHECK(error.error_count == 1);
  CHECK(error.sq_id == 1);
  CHECK(error.lba == 256 * 32);
  CHECK((error.status_field >> 1 & 0x7ff) == static_cast<unsigned>(Status::lba_out_of_range));
  CHECK(h.load<nvme::ErrorInformation>(log + 64).error_count == 0);

  REQUIRE(status_of(h.command(AdminOpcode::get_log_page, log_cdw10(3, 512), 0, log)) == Status::success);
  CHECK(h.load<std::uint8_t>(log) == 1);
  CHECK(status_of(h.command(AdminOpcode::get_log_page, log_cdw10(0x7f, 512), 0, log)) == Status::invalid_log_page);

  nvme::SubmissionEntry part;  // reads from offset 32, since the offset of the temperature field is not a multiple of 4
  part.opcode = static_cast<std::uint8_t>(AdminOpcode::get_log_page);
  part.cdw10 = log_cdw10(2, 16);
  part.cdw12 = 32;
  part.prp1 = log;
  REQUIRE(h.status(h.admin, part) == Status::success);
  CHECK(h.load<std::uint64_t>(log) == 1);  // data units read
  part.cdw12 = 33;
  CHECK(h.status(h.admin, part) == Status::invalid_field);
  part.cdw12 = 516;
  CHECK(h.status(h.admin, part) == Status::invalid_field);
}

TEST_CASE("asynchronous events wait for a request, and requests for an event") {
  ControllerHarness h;
  h.enable();
  const auto request = [&](std::uint16_t id) {
    nvme::SubmissionEntry e;
    e.opcode = static_cast<std::uint8_t>(AdminOpcode::async_event_request);
    e.command_id = id;
    h.push(h.admin, e);
    h.ring(h.admin);
    h.run();
    return h.reap(h.admin);
  };
  for (std::uint16_t k = 100; k < 104; ++k) CHECK(request(k).empty());
  const auto fifth = request(104);
  REQUIRE(fifth.size() == 1);
  CHECK(status_of(fifth[0]) == Status::async_event_limit_exceeded);

  h.write(nvme::reg::submission_tail(0), 999);  // past the end of the queue
  h.run();
  auto events = h.reap(h.admin);
  REQUIRE(events.size() == 1);
  CHECK(events[0].command_id == 100);
  CHECK(events[0].dw0 == nvme::async_event(0, 1, nvme::LogPage::error_information));

  // The controller must not send another event until the host has read the log page.
  h.write(nvme::reg::submission_tail(9), 0);
  h.run();
  CHECK(h.reap(h.admin).empty());
  const std::uint64_t log = h.memory.reserve(4096, 4096);
  REQUIRE(status_of(h.command(AdminOpcode::get_log_page, log_cdw10(1, 64), 0, log)) == Status::success);
  h.write(nvme::reg::submission_tail(9), 0);  // a queue that does not exist
  h.run();
  events = h.reap(h.admin);
  REQUIRE(events.size() == 1);
  CHECK(events[0].dw0 == nvme::async_event(0, 0, nvme::LogPage::error_information));

  // A temperature above the threshold must cause an event if the host has enabled such events.
  CHECK(status_of(set_feature(h, Feature::temperature_threshold, 330)) == Status::success);
  CHECK(status_of(set_feature(h, Feature::async_event_configuration, 2)) == Status::success);
  h.device.state.temperature_c = 50;  // the composite temperature that the controller reports is 10 K higher
  h.controller.health_changed(h.calendar.now());
  h.run();
  events = h.reap(h.admin);
  REQUIRE(events.size() == 1);
  CHECK(events[0].dw0 == nvme::async_event(1, 1, nvme::LogPage::smart));
}

TEST_CASE("Abort cancels commands that are not done yet") {
  ControllerHarness h({}, millisecond);
  h.enable();
  auto queue = h.create_queue(1, 16);
  const std::uint64_t data = h.memory.reserve(4096, 4096);
  const auto under_way = [&](nvme::IoOpcode opcode, std::uint16_t id) {
    auto e = ControllerHarness::io(opcode, 0, 8, data);
    e.command_id = id;
    h.push(queue, e);
    h.ring(queue);
    h.run_for(10 * microsecond);
  };
  under_way(nvme::IoOpcode::read, 7);
  CHECK(h.command(AdminOpcode::abort, 7u << 16 | 1).dw0 == 0);
  auto entries = h.reap(queue);
  REQUIRE(entries.size() == 1);
  CHECK(status_of(entries[0]) == Status::abort_requested);
  CHECK(entries[0].command_id == 7);

  under_way(nvme::IoOpcode::write, 8);  // the device already has its data
  CHECK(h.command(AdminOpcode::abort, 8u << 16 | 1).dw0 == 1);
  h.run();
  entries = h.reap(queue);
  REQUIRE(entries.size() == 1);
  CHECK(status_of(entries[0]) == Status::success);

  CHECK(h.command(AdminOpcode::abort, 99u << 16 | 1).dw0 == 1);
  CHECK(status_of(h.command(AdminOpcode::abort, 99u << 16 | 9)) == Status::invalid_field);
}

TEST_CASE("unknown admin commands are refused") {
  ControllerHarness h;
  h.enable();
  CHECK(status_of(h.command(static_cast<AdminOpcode>(0x10), 0)) == Status::invalid_opcode);
  nvme::SubmissionEntry fused;
  fused.opcode = static_cast<std::uint8_t>(AdminOpcode::get_features);
  fused.flags = 1;
  fused.cdw10 = 1;
  CHECK(h.status(h.admin, fused) == Status::invalid_field);
}
