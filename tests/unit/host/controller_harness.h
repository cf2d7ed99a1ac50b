// SPDX-License-Identifier: Apache-2.0
// A test fixture with only the NVMe controller, without SystemC. A DMA port with a fixed latency replaces the link, and
// tests write the queue entries directly to host memory.
#pragma once

#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/calendar.h"
#include "core/ring.h"
#include "fakes/fake_storage.h"
#include "host/memory/host_memory.h"
#include "host/nvme/nvme_controller.h"

namespace nandscape::host {

constexpr std::uint32_t id_of(nvme::Feature feature) { return static_cast<std::uint32_t>(feature); }

// A DMA port that performs reads after a fixed time and writes immediately, and counts interrupts by message.
class PromptPort final : public DmaPort {
 public:
  static constexpr Tick latency = 100 * nanosecond;

  PromptPort(Calendar& calendar, HostMemory& memory) : calendar_(calendar), memory_(memory) {}
  void set_client(DmaClient& client) { client_ = &client; }

  void read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) override {
    reads_.push({address, into, bytes, tag});
    calendar_.schedule<&PromptPort::read_ends>(calendar_.now() + latency, *this);
  }
  void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag, bool) override {
    if (from != nullptr) memory_.write(address, std::span(from, bytes));
    if (tag.purpose == DmaTag::Purpose::none) return;
    ended_.push(tag);
    calendar_.schedule<&PromptPort::write_ends>(calendar_.now() + latency, *this);
  }
  void write_inline(std::uint64_t address, InlineBytes from) override { memory_.write(address, std::span(from)); }
  void send_message(DmaMessage message) override {
    if (!HostMemory::is_interrupt(message.address)) throw std::runtime_error("unexpected message address");
    if (interrupts.size() <= message.data) interrupts.resize(message.data + 1);
    ++interrupts[message.data];
  }
  void write_and_interrupt(std::uint64_t address, InlineBytes from, DmaMessage message) override {
    write_inline(address, from);
    send_message(message);
  }
  void set_interrupt_line(bool asserted) override {
    line = asserted;
    ++line_changes;
  }

  std::vector<int> interrupts;
  bool line = false;
  int line_changes = 0;

 private:
  struct Read {
    std::uint64_t address = 0;
    std::byte* into = nullptr;
    std::uint32_t bytes = 0;
    DmaTag tag;
  };

  void read_ends(std::uint64_t) {
    const Read r = reads_.front();
    reads_.pop();
    const bool ok = memory_.contains(r.address, r.bytes);
    if (ok && r.into != nullptr) memory_.read(r.address, std::span(r.into, r.bytes));
    client_->read_ended(r.tag, ok);
  }
  void write_ends(std::uint64_t) {
    const DmaTag tag = ended_.front();
    ended_.pop();
    client_->write_ended(tag);
  }

  Calendar& calendar_;
  HostMemory& memory_;
  DmaClient* client_ = nullptr;
  Ring<Read> reads_;
  Ring<DmaTag> ended_;
};

struct ControllerHarness {
  static constexpr std::uint32_t page = 4096;
  static constexpr std::uint32_t admin_entries = 16;

  struct Queue {
    std::uint16_t id = 0;
    std::uint32_t entries = 0;
    std::uint64_t submissions = 0;
    std::uint64_t completions = 0;
    std::uint32_t tail = 0;
    std::uint32_t head = 0;
    bool phase = true;
  };

  explicit ControllerHarness(const NvmeParameters& parameters = {}, Tick latency = microsecond, bool keep_data = true,
                             std::uint64_t pages = 256)
      : device(calendar, 16384, pages, 1, latency), controller(calendar, parameters, device, port, keep_data) {
    port.set_client(controller);
    device.keep_log = true;
    for (std::uint32_t vector = 0; vector < 4; ++vector) {
      write(nvme::reg::msix_table + vector * 16, HostMemory::interrupt_window);
      write(nvme::reg::msix_table + vector * 16 + 8, vector);
      write(nvme::reg::msix_table + vector * 16 + 12, 0);
    }
  }

  void write(std::uint32_t offset, std::uint64_t value) {
    controller.write_register(offset, static_cast<std::uint32_t>(value), calendar.now());
  }
  std::uint32_t read(std::uint32_t offset) { return controller.read_register(offset); }
  void run() { run_for(10 * millisecond); }
  void run_for(Tick duration) {
    const Tick end = calendar.now() + duration;
    calendar.run_until(end);
    calendar.advance(end);
  }

  static constexpr std::uint32_t enable_value = nvme::cc::enable | 6u << 16 | 4u << 20;

  void enable(std::uint32_t cc = enable_value) {
    admin = make_queue(0, admin_entries);
    write(nvme::reg::aqa, (admin_entries - 1) << 16 | (admin_entries - 1));
    write(nvme::reg::asq, admin.submissions);
    write(nvme::reg::asq + 4, admin.submissions >> 32);
    write(nvme::reg::acq, admin.completions);
    write(nvme::reg::acq + 4, admin.completions >> 32);
    write(nvme::reg::cc, cc);
    run();
  }

  Queue make_queue(std::uint16_t id, std::uint32_t entries) {
    return {id, entries, memory.reserve(entries * 64, page), memory.reserve(entries * 16, page)};
  }

  // Creates an I/O queue pair with the given priority. Its interrupt vector is `id`.
  Queue create_queue(std::uint16_t id, std::uint32_t entries, std::uint32_t priority = 2) {
    const Queue queue = make_queue(id, entries);
    check(command(nvme::AdminOpcode::create_io_cq, (entries - 1) << 16 | id, std::uint32_t{id} << 16 | 3,
                  queue.completions));
    check(command(nvme::AdminOpcode::create_io_sq, (entries - 1) << 16 | id,
                  std::uint32_t{id} << 16 | priority << 1 | 1, queue.submissions));
    return queue;
  }

  void push(Queue& queue, const nvme::SubmissionEntry& entry) {
    memory.write(queue.submissions + queue.tail * 64, std::as_bytes(std::span(&entry, 1)));
    queue.tail = (queue.tail + 1) % queue.entries;
  }
  void ring(const Queue& queue) { write(nvme::reg::submission_tail(queue.id), queue.tail); }

  // Returns the completions that have arrived. If `acknowledge` is true, also rings the doorbell that frees their
  // entries.
  std::vector<nvme::CompletionEntry> reap(Queue& queue, bool acknowledge = true) {
    std::vector<nvme::CompletionEntry> entries;
    while (true) {
      nvme::CompletionEntry entry;
      memory.read(queue.completions + queue.head * 16, std::as_writable_bytes(std::span(&entry, 1)));
      if (nvme::phase_of(entry) != queue.phase) break;
      queue.head = (queue.head + 1) % queue.entries;
      if (queue.head == 0) queue.phase = !queue.phase;
      entries.push_back(entry);
    }
    if (acknowledge && !entries.empty()) write(nvme::reg::completion_head(queue.id), queue.head);
    return entries;
  }

  // Submits one command and runs until it has completed. Throws if another completion arrives or none.
  nvme::CompletionEntry execute(Queue& queue, nvme::SubmissionEntry entry) {
    entry.command_id = next_id++;
    push(queue, entry);
    ring(queue);
    run();
    const auto entries = reap(queue);
    if (entries.size() != 1 || entries[0].command_id != entry.command_id) {
      throw std::runtime_error("expected one completion, got " + std::to_string(entries.size()));
    }
    return entries[0];
  }
  nvme::Status status(Queue& queue, const nvme::SubmissionEntry& entry) {
    return nvme::status_of(execute(queue, entry));
  }

  nvme::CompletionEntry command(nvme::AdminOpcode opcode, std::uint32_t cdw10, std::uint32_t cdw11 = 0,
                                std::uint64_t prp1 = 0, std::uint32_t nsid = 0) {
    nvme::SubmissionEntry e;
    e.opcode = static_cast<std::uint8_t>(opcode);
    e.nsid = nsid;
    e.cdw10 = cdw10;
    e.cdw11 = cdw11;
    e.prp1 = prp1;
    return execute(admin, e);
  }
  void check(const nvme::CompletionEntry& entry) {
    if (nvme::status_of(entry) != nvme::Status::success) throw std::runtime_error("an admin command failed");
  }

  static nvme::SubmissionEntry io(nvme::IoOpcode opcode, std::uint64_t first, std::uint32_t sectors,
                                  std::uint64_t prp1 = 0, std::uint64_t prp2 = 0) {
    nvme::SubmissionEntry e;
    e.opcode = static_cast<std::uint8_t>(opcode);
    e.nsid = 1;
    e.cdw10 = static_cast<std::uint32_t>(first);
    e.cdw11 = static_cast<std::uint32_t>(first >> 32);
    e.cdw12 = sectors - 1;
    e.prp1 = prp1;
    e.prp2 = prp2;
    return e;
  }

  template <class T>
  T load(std::uint64_t address) {
    T value;
    memory.read(address, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }

  std::vector<std::byte> bytes_at(std::uint64_t address, std::size_t count) {
    std::vector<std::byte> bytes(count);
    memory.read(address, bytes);
    return bytes;
  }

  Calendar calendar;
  HostMemory memory{std::uint64_t{1} << 30};
  PromptPort port{calendar, memory};
  FakeStorage device;
  NvmeController controller;
  Queue admin;
  std::uint16_t next_id = 1;
};

// Returns bytes that differ from neighbouring bytes, and from the bytes of other seeds.
inline std::vector<std::byte> pattern(std::size_t bytes, std::uint32_t seed) {
  std::vector<std::byte> data(bytes);
  for (std::size_t k = 0; k < bytes; ++k)
    data[k] = static_cast<std::byte>((k * 31 + (k >> 8) * 17 + seed * 101) & 0xff);
  return data;
}

}  // namespace nandscape::host
