// SPDX-License-Identifier: Apache-2.0
#include "host/driver/bring_up.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "core/error.h"
#include "protocol/storage.h"

namespace nandscape::host {

namespace cc = nvme::cc;
namespace reg = nvme::reg;
using nvme::AdminOpcode;

namespace {

constexpr std::uint32_t admin_entries = 32;
constexpr std::uint32_t identify_bytes = AdminQueue::buffer_bytes;
// the driver's own limit, chosen so that the PRP list fits into one page
constexpr std::uint32_t most_transfer_bytes = 2048 * 1024;
constexpr Tick poll_interval = 10 * microsecond;

template <class T>
T structure_in(std::span<const std::byte> data) {
  T structure;
  std::memcpy(&structure, data.data(), sizeof structure);
  return structure;
}

std::string hex(nvme::Status status) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%03x", static_cast<unsigned>(status));
  return text;
}

}  // namespace

BringUp::BringUp(Calendar& calendar, const DriverParameters& parameters, HostMemory& memory, RegisterPort& registers,
                 AdminQueue& admin, std::uint32_t io_queues, MakeQueues make_queues, std::function<void()> up)
    : calendar_(calendar),
      parameters_(parameters),
      registers_(registers),
      admin_(admin),
      buffer_(memory, parameters.host_buffer_bytes, parameters.memory_page_bytes),
      io_queues_(io_queues),
      make_queues_(std::move(make_queues)),
      up_(std::move(up)) {
  if (!std::has_single_bit(parameters.memory_page_bytes)) {
    throw ConfigError({}, "host.driver.memory_page_bytes",
                      std::to_string(parameters.memory_page_bytes) + " is not a power of two");
  }
}

void BringUp::start() {
  registers_.read(reg::cap, [this](std::uint32_t low) {
    registers_.read(reg::cap + 4, [this, low](std::uint32_t high) { begin(low | std::uint64_t{high} << 32); });
  });
}

void BringUp::begin(std::uint64_t capabilities) {
  facts_.max_queue_entries = static_cast<std::uint32_t>(capabilities & 0xffff) + 1;
  facts_.weighted_arbitration = (capabilities >> 17 & 1) != 0;
  begin_admin_queue();
  registers_.write(reg::cc, 0);
  enable();
}

void BringUp::restart() {
  registers_.write(reg::cc, 0);
  step_ = Step::wait_disabled;
  poll_disabled(++polls_);
}

// Polls CSTS until RDY is 0. Until then the controller may still transfer the data of commands from before the reset.
void BringUp::poll_disabled(std::uint64_t number) {
  if (number != polls_) return;
  registers_.read(reg::csts, [this, number](std::uint32_t status) {
    if (number != polls_) return;
    if ((status & nvme::csts::ready) != 0) {
      calendar_.schedule<&BringUp::poll_disabled>(calendar_.now() + poll_interval, *this, number);
      return;
    }
    begin_admin_queue();
    enable();
  });
}

void BringUp::begin_admin_queue() {
  admin_.begin(std::min(admin_entries, facts_.max_queue_entries), parameters_.memory_page_bytes);
}

void BringUp::enable() {
  // Interrupt vector k serves queue k, and the data word of its message is k.
  for (std::uint32_t vector = 0; vector <= io_queues_; ++vector) {
    const std::uint32_t entry = reg::msix_table + vector * 16;
    write64(entry, HostMemory::interrupt_window);
    registers_.write(entry + 8, vector);
    registers_.write(entry + 12, 0);
  }
  registers_.write(reg::aqa, (admin_.pair().entries() - 1) << 16 | (admin_.pair().entries() - 1));
  write64(reg::asq, admin_.pair().submission_base());
  write64(reg::acq, admin_.pair().completion_base());
  const auto page_size = static_cast<std::uint32_t>(std::countr_zero(parameters_.memory_page_bytes)) - 12;
  const std::uint32_t arbitration = facts_.weighted_arbitration ? 1 : 0;
  registers_.write(reg::cc, cc::enable | page_size << 7 | arbitration << 11 | 6u << 16 | 4u << 20);
  step_ = Step::wait_ready;
  poll_ready(++polls_);
}

void BringUp::write64(std::uint32_t offset, std::uint64_t value) {
  registers_.write(offset, static_cast<std::uint32_t>(value));
  registers_.write(offset + 4, static_cast<std::uint32_t>(value >> 32));
}

void BringUp::poll_ready(std::uint64_t number) {
  if (number != polls_) return;
  registers_.read(reg::csts, [this, number](std::uint32_t status) {
    if (number != polls_) return;
    if ((status & nvme::csts::fatal) != 0) throw ProtocolError("the NVMe controller reports a fatal status");
    if ((status & nvme::csts::ready) != 0) return next(Step::identify_controller);
    calendar_.schedule<&BringUp::poll_ready>(calendar_.now() + poll_interval, *this, number);
  });
}

// Enters a step of the bring-up and sends its first command.
void BringUp::next(Step step) {
  step_ = step;
  created_ = 0;
  switch (step) {
    case Step::identify_controller: identify(nvme::IdentifyWhat::controller, 0); break;
    case Step::identify_namespace: identify(nvme::IdentifyWhat::identify_namespace, 1); break;
    case Step::number_of_queues:
      set_feature(nvme::Feature::number_of_queues, (io_queues_ - 1) << 16 | (io_queues_ - 1));
      break;
    case Step::arbitration: set_feature(nvme::Feature::arbitration, arbitration()); break;
    case Step::host_memory_buffer:
      // A drive that wants no buffer, or gets none, needs no command.
      if (!buffer_.decide(facts_.preferred_buffer, facts_.minimum_buffer)) return next(Step::create_completion_queues);
      admin_.send(buffer_.command(), 0, answer());
      break;
    case Step::create_completion_queues: create_completion_queue(); break;
    case Step::create_submission_queues: create_submission_queue(); break;
    case Step::ready: return up_();
    case Step::off:
    case Step::wait_disabled:
    case Step::wait_ready: break;
  }
  admin_.ring();
}

// Called when a command of the current step has completed. Evaluates the result, then sends the step's next command or
// begins the next step. Throws ProtocolError if the controller refused the command.
void BringUp::completed(const nvme::CompletionEntry& entry, std::span<const std::byte> data) {
  if (nvme::status_of(entry) != nvme::Status::success) {
    throw ProtocolError("the NVMe controller refused step " + std::to_string(static_cast<int>(step_)) +
                        " of the bring-up with status " + hex(nvme::status_of(entry)));
  }
  switch (step_) {
    case Step::identify_controller: {
      const auto id = structure_in<nvme::IdentifyController>(data);
      facts_.arbitration_burst = id.rab;
      facts_.max_transfer_bytes = id.mdts == 0 || id.mdts >= 9 ? most_transfer_bytes : 4096u << id.mdts;
      facts_.volatile_write_cache = id.vwc;
      facts_.atomic_write = id.awun;
      facts_.atomic_in_power_fail = id.awupf;
      facts_.preferred_buffer = id.hmpre;
      facts_.minimum_buffer = id.hmmin;
      facts_.power_states.assign(id.power_states.begin(), id.power_states.begin() + id.npss + 1);
      return next(Step::identify_namespace);
    }
    case Step::identify_namespace: {
      const auto id = structure_in<nvme::IdentifyNamespace>(data);
      facts_.namespace_sectors = id.nsze;
      facts_.deallocated = id.dlfeat;
      return next(Step::number_of_queues);
    }
    case Step::number_of_queues: {
      const std::uint32_t granted = std::min(entry.dw0 & 0xffff, entry.dw0 >> 16) + 1;
      if (granted < io_queues_) {
        throw ConfigError({}, "host.nvme.io_queues",
                          "the controller grants " + std::to_string(granted) + " queue pairs but the workloads need " +
                              std::to_string(io_queues_) + ", one of them for single commands");
      }
      queues_ = make_queues_(facts_);
      return next(facts_.weighted_arbitration ? Step::arbitration : Step::host_memory_buffer);
    }
    case Step::arbitration: return next(Step::host_memory_buffer);
    case Step::host_memory_buffer: return next(Step::create_completion_queues);
    case Step::create_completion_queues:
      if (++created_ == queues_.size()) return next(Step::create_submission_queues);
      return create_completion_queue();
    case Step::create_submission_queues:
      if (++created_ == queues_.size()) return next(Step::ready);
      return create_submission_queue();
    case Step::off:
    case Step::wait_disabled:
    case Step::wait_ready:
    case Step::ready: return;
  }
}

AdminQueue::Answer BringUp::answer() {
  return [this](const nvme::CompletionEntry& entry, std::span<const std::byte> data) { completed(entry, data); };
}

void BringUp::identify(nvme::IdentifyWhat what, std::uint32_t nsid) {
  nvme::SubmissionEntry e;
  e.opcode = static_cast<std::uint8_t>(AdminOpcode::identify);
  e.nsid = nsid;
  e.cdw10 = static_cast<std::uint32_t>(what);
  admin_.send(e, identify_bytes, answer());
}

void BringUp::set_feature(nvme::Feature feature, std::uint32_t value) {
  nvme::SubmissionEntry e;
  e.opcode = static_cast<std::uint8_t>(AdminOpcode::set_features);
  e.cdw10 = static_cast<std::uint32_t>(feature);
  e.cdw11 = value;
  admin_.send(e, 0, answer());
}

// Returns dword 11 of the Arbitration feature. The weights HPW (31:24), MPW (23:16) and LPW (15:8) are 0's based. AB
// (2:0) is the burst that the controller recommends.
std::uint32_t BringUp::arbitration() const {
  return (parameters_.high_weight - 1) << 24 | (parameters_.medium_weight - 1) << 16 |
         (parameters_.low_weight - 1) << 8 | (facts_.arbitration_burst & 7u);
}

void BringUp::create_completion_queue() {
  const QueuePair& pair = *queues_[created_].pair;
  nvme::SubmissionEntry e;
  e.opcode = static_cast<std::uint8_t>(AdminOpcode::create_io_cq);
  e.cdw10 = (pair.entries() - 1) << 16 | pair.id();
  e.cdw11 = std::uint32_t{pair.id()} << 16 | 2u | 1u;  // interrupt vector, interrupts enabled, physically contiguous
  admin_.send_pointing_to(pair.completion_base(), e, answer());
}

void BringUp::create_submission_queue() {
  const QueuePair& pair = *queues_[created_].pair;
  nvme::SubmissionEntry e;
  e.opcode = static_cast<std::uint8_t>(AdminOpcode::create_io_sq);
  e.cdw10 = (pair.entries() - 1) << 16 | pair.id();
  e.cdw11 = std::uint32_t{pair.id()} << 16 | static_cast<std::uint32_t>(queues_[created_].priority) << 1 | 1u;
  admin_.send_pointing_to(pair.submission_base(), e, answer());
}

void BringUp::shut_down() {
  registers_.read(reg::cc, [this](std::uint32_t value) {
    registers_.write(reg::cc, (value & ~cc::shutdown_mask) | cc::shutdown_normal);
  });
}

}  // namespace nandscape::host
