// SPDX-License-Identifier: Apache-2.0
#include "nvme_driver.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "io_sequence.h"

namespace nvme = nandscape::nvme;
namespace reg = nandscape::nvme::reg;
using nvme::AdminOpcode;
using nvme::IoOpcode;
using nvme::SubmissionEntry;

namespace {

constexpr std::uint32_t page_bytes = 4096;
constexpr std::uint32_t admin_entries = 32;
constexpr std::uint32_t io_entries = 64;
const sc_core::sc_time poll_interval(100, sc_core::SC_US);

SubmissionEntry admin(AdminOpcode opcode, std::uint32_t cdw10, std::uint32_t cdw11 = 0) {
  SubmissionEntry entry;
  entry.opcode = static_cast<std::uint8_t>(opcode);
  entry.cdw10 = cdw10;
  entry.cdw11 = cdw11;
  return entry;
}

}  // namespace

NvmeDriver::NvmeDriver(sc_core::sc_module_name name, Processor& processor, DmaMemory& memory)
    : sc_module(name), processor_(processor), memory_(memory), buffer_(memory.reserve_pages(2)) {
  SC_HAS_PROCESS(NvmeDriver);
  SC_THREAD(run);
}

void NvmeDriver::run() {
  bring_up();
  create_io_queues();
  io();
  shut_down();
  finished_ = true;
}

void NvmeDriver::note(const std::string& what) { events_.push_back({what, processor_.now()}); }

// ---- NVM Express 1.4, 7.6.1: initialisation

void NvmeDriver::bring_up() {
  const std::uint64_t cap = processor_.read(reg::cap, 8);
  const std::uint64_t version = processor_.read(reg::vs, 4);
  note("CAP: " + std::to_string((cap & 0xffff) + 1) + " queue entries; version " + std::to_string(version >> 16) + "." +
       std::to_string(version >> 8 & 0xff));

  processor_.write(reg::cc, 0, 4);
  wait_status(nvme::csts::ready, 0);
  note("CSTS.RDY is 0");

  admin_ = make_queue(0, admin_entries);
  processor_.write(reg::aqa, (admin_entries - 1) << 16 | (admin_entries - 1), 4);
  processor_.write(reg::asq, admin_.submissions, 8);
  processor_.write(reg::acq, admin_.completions, 8);
  // Each queue has its own interrupt vector. The message of the interrupt is the number of the queue.
  for (std::uint32_t vector = 0; vector < 2; ++vector) {
    processor_.write(reg::msix_table + vector * 16, DmaMemory::interrupt_window, 8);
    processor_.write(reg::msix_table + vector * 16 + 8, vector, 4);
    processor_.write(reg::msix_table + vector * 16 + 12, 0, 4);  // not masked
  }
  const std::uint32_t entry_sizes = 4u << 20 | 6u << 16;  // IOCQES: 2^4 bytes, IOSQES: 2^6 bytes
  processor_.write(reg::cc, nvme::cc::enable | entry_sizes, 4);
  wait_status(nvme::csts::ready, nvme::csts::ready);
  note("CSTS.RDY is 1");

  SubmissionEntry identify = admin(AdminOpcode::identify, 1);
  identify.prp1 = buffer_;
  command(admin_, identify);
  nvme::IdentifyController controller;
  std::memcpy(&controller, memory_.at(buffer_), sizeof controller);
  note("Identify Controller: " + std::to_string(controller.nn) + " namespace");
}

void NvmeDriver::create_io_queues() {
  command(admin_, admin(AdminOpcode::set_features, static_cast<std::uint32_t>(nvme::Feature::number_of_queues), 0));

  io_ = make_queue(1, io_entries);
  const std::uint32_t size_and_id = (io_entries - 1) << 16 | io_.id;
  SubmissionEntry create = admin(AdminOpcode::create_io_cq, size_and_id, std::uint32_t{io_.id} << 16 | 3);
  create.prp1 = io_.completions;
  command(admin_, create);
  create = admin(AdminOpcode::create_io_sq, size_and_id, std::uint32_t{io_.id} << 16 | 1);
  create.prp1 = io_.submissions;
  command(admin_, create);
  note("I/O queues created");

  SubmissionEntry identify = admin(AdminOpcode::identify, 0);
  identify.nsid = 1;
  identify.prp1 = buffer_;
  command(admin_, identify);
  nvme::IdentifyNamespace space;
  std::memcpy(&space, memory_.at(buffer_), sizeof space);
  note("Identify Namespace: " + std::to_string(space.nsze) + " blocks of " +
       std::to_string(1u << (space.lbaf[0] >> 16 & 0xff)) + " bytes");
}

// Performs the accesses of io_sequence one after the other, and checks the data that are read.
void NvmeDriver::io() {
  for (const Access& a : io_sequence) {
    std::byte* const data = memory_.at(buffer_);
    if (a.opcode == IoOpcode::write) fill_pattern(a, data);
    if (a.opcode == IoOpcode::read) std::fill_n(data, a.bytes, std::byte{0});
    latencies_.push_back(access(a.opcode, a.lba, a.bytes));
    if (a.opcode == IoOpcode::read) data_right_ = data_right_ && has_pattern(a, data);
    note(text_of(a));
  }
}

void NvmeDriver::shut_down() {
  command(admin_, admin(AdminOpcode::delete_io_sq, io_.id));
  command(admin_, admin(AdminOpcode::delete_io_cq, io_.id));
  const std::uint64_t configuration = processor_.read(reg::cc, 4);
  processor_.write(reg::cc, configuration | nvme::cc::shutdown_normal, 4);
  wait_status(nvme::csts::shutdown_mask, nvme::csts::shutdown_complete);
  note("CSTS.SHST says that the shutdown is complete");
}

// ---- the pieces

void NvmeDriver::wait_status(std::uint32_t mask, std::uint32_t value) {
  while ((processor_.read(reg::csts, 4) & mask) != value) processor_.spend(poll_interval);
}

NvmeDriver::Queue NvmeDriver::make_queue(std::uint16_t id, std::uint32_t entries) {
  return {
      .id = id, .entries = entries, .submissions = memory_.reserve_pages(1), .completions = memory_.reserve_pages(1)};
}

sc_core::sc_time NvmeDriver::access(IoOpcode opcode, std::uint64_t lba, std::uint32_t bytes) {
  SubmissionEntry entry;
  entry.opcode = static_cast<std::uint8_t>(opcode);
  entry.nsid = 1;
  if (bytes != 0) {
    entry.prp1 = buffer_;
    if (bytes > page_bytes) entry.prp2 = buffer_ + page_bytes;
    entry.cdw10 = static_cast<std::uint32_t>(lba);
    entry.cdw11 = static_cast<std::uint32_t>(lba >> 32);
    entry.cdw12 = bytes / 512 - 1;
  }
  command(io_, entry);
  return last_latency_;
}

// Writes the command to its queue, rings the doorbell, and waits for the interrupt. Returns the completion entry.
nvme::CompletionEntry NvmeDriver::command(Queue& queue, SubmissionEntry entry) {
  processor_.spend(command_time());
  entry.command_id = next_id_++;
  std::memcpy(memory_.at(queue.submissions + queue.tail * sizeof entry), &entry, sizeof entry);
  queue.tail = (queue.tail + 1) % queue.entries;
  const sc_core::sc_time begin = processor_.now();
  processor_.write(reg::submission_tail(queue.id), queue.tail, 4);

  processor_.synchronise();
  const DmaMemory::Interrupt interrupt = memory_.next_interrupt();
  last_latency_ = interrupt.at - begin;
  nvme::CompletionEntry completion;
  std::memcpy(&completion, memory_.at(queue.completions + queue.head * sizeof completion), sizeof completion);
  if (interrupt.message != queue.id || nvme::phase_of(completion) != queue.phase ||
      completion.command_id != entry.command_id) {
    throw nandscape::ProtocolError(std::string(name()) + ": an interrupt comes, but not the completion of command " +
                                   std::to_string(entry.command_id));
  }
  if (nvme::status_of(completion) != nvme::Status::success) {
    throw nandscape::ProtocolError(std::string(name()) + ": command " + std::to_string(entry.command_id) +
                                   " ended with status " +
                                   std::to_string(static_cast<unsigned>(nvme::status_of(completion))));
  }
  if (++queue.head == queue.entries) {
    queue.head = 0;
    queue.phase = !queue.phase;
  }
  processor_.write(reg::completion_head(queue.id), queue.head, 4);
  return completion;
}
