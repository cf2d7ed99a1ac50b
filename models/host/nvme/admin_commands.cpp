// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/admin_commands.h"

#include <algorithm>
#include <cstring>

#include "host/nvme/identify.h"

namespace nandscape::host {

using nvme::AdminOpcode;
using nvme::Feature;
using nvme::Status;

namespace {

template <class T>
std::vector<std::byte> bytes_of(const T& structure) {
  std::vector<std::byte> bytes(sizeof structure);
  std::memcpy(bytes.data(), &structure, sizeof structure);
  return bytes;
}

Feature feature_of(const Command& command) { return static_cast<Feature>(command.entry.cdw10 & 0xff); }

}  // namespace

void AdminCommands::start(Command& command) {
  const auto opcode = static_cast<AdminOpcode>(command.entry.opcode);
  Status status = Status::invalid_opcode;
  bool returns_data = false;
  if (command.entry.flags != 0) {
    status = Status::invalid_field;  // fused commands and SGLs are not supported
  } else {
    switch (opcode) {
      case AdminOpcode::create_io_cq: status = create_completion_queue(command); break;
      case AdminOpcode::create_io_sq: status = create_submission_queue(command); break;
      case AdminOpcode::delete_io_sq: status = delete_submission_queue(command); break;
      case AdminOpcode::delete_io_cq: status = delete_completion_queue(command); break;
      case AdminOpcode::get_features:
        status = get_features(command);
        returns_data = feature_of(command) == Feature::autonomous_power_state_transition ||
                       (concerns_buffer(command) && !command.data.empty());
        break;
      case AdminOpcode::set_features:
        if (concerns_buffer(command)) return buffer_.set(command);
        status = set_features(command);
        if (status == Status::success && feature_of(command) == Feature::autonomous_power_state_transition) {
          return transfers_.fetch_data(command, sizeof(TransitionTable));
        }
        if (command.pending != 0) return;
        break;
      case AdminOpcode::abort: status = abort(command); break;
      case AdminOpcode::async_event_request: return events_.request(command);
      case AdminOpcode::identify:
        status = identify(command);
        returns_data = true;
        break;
      case AdminOpcode::get_log_page:
        status = get_log_page(command);
        returns_data = true;
        break;
    }
  }
  command.fail(status);
  if (returns_data && status == Status::success) return transfers_.return_data(command);
  parts_.finish(command);
}

// Fields: CDW10 holds QSIZE 31:16 (0's based) and QID 15:0. CDW11 holds IV 31:16, IEN 1 and PC 0.
Status AdminCommands::create_completion_queue(const Command& command) {
  const nvme::SubmissionEntry& e = command.entry;
  const std::uint32_t id = e.cdw10 & 0xffff;
  const std::uint32_t size = (e.cdw10 >> 16) + 1;
  const std::uint32_t vector = e.cdw11 >> 16;
  if (!valid_id(id) || parts_.queues.valid_completion(id)) return Status::invalid_queue_identifier;
  if (size < 2 || size > parts_.parameters.queue_entries) return Status::invalid_queue_size;
  if ((e.cdw11 & 1) == 0) return Status::invalid_field;  // CAP.CQR: queues are contiguous
  if (vector >= parts_.interrupts.vectors()) return Status::invalid_interrupt_vector;
  if ((e.prp1 & (parts_.memory_page_bytes - 1)) != 0) return Status::prp_offset_invalid;
  parts_.queues.create_completion(static_cast<std::uint16_t>(id), e.prp1, size, (e.cdw11 & 2) != 0,
                                  static_cast<std::uint16_t>(vector));
  return Status::success;
}

// Fields: CDW10 holds QSIZE 31:16 (0's based) and QID 15:0. CDW11 holds CQID 31:16, QPRIO 2:1 and PC 0.
Status AdminCommands::create_submission_queue(const Command& command) {
  const nvme::SubmissionEntry& e = command.entry;
  const std::uint32_t id = e.cdw10 & 0xffff;
  const std::uint32_t size = (e.cdw10 >> 16) + 1;
  const std::uint32_t completion_queue = e.cdw11 >> 16;
  if (!valid_id(id) || parts_.queues.valid_submission(id)) return Status::invalid_queue_identifier;
  if (size < 2 || size > parts_.parameters.queue_entries) return Status::invalid_queue_size;
  if (!valid_id(completion_queue)) return Status::invalid_queue_identifier;
  if (!parts_.queues.valid_completion(completion_queue)) return Status::completion_queue_invalid;
  if ((e.cdw11 & 1) == 0) return Status::invalid_field;
  if ((e.prp1 & (parts_.memory_page_bytes - 1)) != 0) return Status::prp_offset_invalid;
  parts_.queues.create_submission(static_cast<std::uint16_t>(id), e.prp1, size,
                                  static_cast<std::uint16_t>(completion_queue),
                                  static_cast<PriorityClass>(e.cdw11 >> 1 & 3));
  return Status::success;
}

// Completes the queue's outstanding commands as aborted, then deletes the queue.
Status AdminCommands::delete_submission_queue(const Command& command) {
  const std::uint32_t id = command.entry.cdw10 & 0xffff;
  if (id == 0 || !parts_.queues.valid_submission(id)) return Status::invalid_queue_identifier;
  parts_.commands.for_each_active([&](Command& other) {
    if (other.queue == id && !other.detached) parts_.detach(other, Status::aborted_sq_deletion);
  });
  fetch_.queue_deleted(static_cast<std::uint16_t>(id));
  parts_.queues.delete_submission(static_cast<std::uint16_t>(id));
  return Status::success;
}

Status AdminCommands::delete_completion_queue(const Command& command) {
  const std::uint32_t id = command.entry.cdw10 & 0xffff;
  if (id == 0 || !parts_.queues.valid_completion(id)) return Status::invalid_queue_identifier;
  if (parts_.queues.completion[id].users != 0) return Status::invalid_queue_deletion;
  parts_.queues.completion[id].exists = false;
  parts_.queues.completion[id].waiting.clear();
  parts_.completions.look_at_line();
  return Status::success;
}

Status AdminCommands::get_features(Command& command) {
  if (concerns_buffer(command)) return buffer_.get(command);
  const Features::Reply reply = parts_.features.get(command.entry);
  command.result = reply.value;
  if (reply.status != Status::success) return reply.status;
  const Features::Select select = Features::select_of(command.entry);
  if (feature_of(command) == Feature::power_management && select == Features::Select::current) {
    command.result = parts_.power.state(parts_.calendar.now());
  } else if (feature_of(command) == Feature::autonomous_power_state_transition) {
    const bool current = select == Features::Select::current;
    command.data = bytes_of(current ? parts_.power.transitions() : parts_.power.default_transitions());
    if (current) command.result = parts_.power.transitions_enabled() ? 1 : 0;
  }
  return reply.status;
}

// Called when the table of autonomous power state transitions has arrived. CDW11 holds APSTE 0.
void AdminCommands::data_fetched(Command& command) {
  TransitionTable table;
  std::memcpy(table.data(), command.data.data(), sizeof table);
  const bool enabled = (command.entry.cdw11 & 1) != 0;
  if (!parts_.power.set_transitions(enabled, table, parts_.calendar.now())) command.fail(Status::invalid_field);
  parts_.one_ended(command);
}

// The controller is in the power state that the command has chosen [NVM Express 1.4, 5.21.1.2].
void AdminCommands::power_state_reached(Command& command) {
  parts_.power.state(parts_.calendar.now());
  parts_.one_ended(command);
}

Status AdminCommands::set_features(Command& command) {
  const Features::Reply reply = parts_.features.set(command.entry, parts_.queues.any_io());
  command.result = reply.value;
  if (reply.status != Status::success) return reply.status;
  switch (feature_of(command)) {
    case Feature::arbitration: fetch_.reconfigure(); break;
    case Feature::power_management: {
      const Tick now = parts_.calendar.now();
      const Tick complete = parts_.power.choose(command.entry.cdw11 & 0x1f, now);
      if (complete == now) break;
      ++command.pending;
      parts_.calendar.schedule<&AdminCommands::power_state_reached>(complete, *this, command);
      break;
    }
    case Feature::interrupt_coalescing: parts_.interrupts.set_coalescing(parts_.features.interrupt_coalescing()); break;
    case Feature::interrupt_vector_configuration: {
      const std::uint32_t vector = command.entry.cdw11 & 0xffff;
      parts_.interrupts.disable_coalescing(vector, parts_.features.coalescing_disabled(vector));
      break;
    }
    case Feature::temperature_threshold:
    case Feature::async_event_configuration:
      if (parts_.features.temperature_past_threshold(parts_.kelvin(parts_.device.health())) &&
          parts_.features.events_wanted(nvme::warning::temperature)) {
        events_.happened(nvme::async_smart, nvme::smart_temperature_threshold, nvme::LogPage::smart);
      }
      break;
    default: break;
  }
  return Status::success;
}

// Fields: CDW10 holds CID 31:16 and SQID 15:0. Bit 0 of the result is set if no command was aborted. A read can be
// aborted at any time, because its data are then discarded. Any other I/O command can be aborted only before its first
// access has been submitted to the device.
Status AdminCommands::abort(Command& command) {
  const std::uint32_t queue = command.entry.cdw10 & 0xffff;
  const std::uint32_t id = command.entry.cdw10 >> 16;
  if (!parts_.queues.valid_submission(queue)) return Status::invalid_field;
  command.result = 1;
  parts_.commands.for_each_active([&](Command& other) {
    if (other.queue != queue || other.entry.command_id != id || other.detached || &other == &command) return;
    if (other.set == nullptr) {
      if (static_cast<AdminOpcode>(other.entry.opcode) != AdminOpcode::async_event_request) return;
      events_.forget(other);
      other.fail(Status::abort_requested);
      parts_.one_ended(other);
    } else if (!other.data_given || other.set->traffic(other.entry.opcode) == HostTraffic::read) {
      parts_.detach(other, Status::abort_requested);
    } else {
      return;
    }
    command.result = 0;
  });
  return Status::success;
}

// Fields: CDW10 holds CNS 7:0. CDW11 holds CSI 31:24.
Status AdminCommands::identify(Command& command) {
  const std::uint32_t nsid = command.entry.nsid;
  const auto what = static_cast<nvme::IdentifyWhat>(command.entry.cdw10 & 0xff);
  switch (what) {
    case nvme::IdentifyWhat::controller:
      command.data = bytes_of(identify_controller(parts_, buffer_, set_));
      return Status::success;
    case nvme::IdentifyWhat::active_namespaces: {
      if (nsid >= 0xffff'fffe) return Status::invalid_namespace;
      std::array<std::uint32_t, 1024> list{};  // the namespace identifiers greater than NSID, in increasing order
      if (nsid < 1) list[0] = 1;
      command.data = bytes_of(list);
      return Status::success;
    }
    case nvme::IdentifyWhat::namespace_descriptors:
      if (nsid != 1) return Status::invalid_namespace;
      command.data = namespace_descriptors(set_);
      return Status::success;
    case nvme::IdentifyWhat::command_set_combinations:
      if (set_.identifier() == nvme::nvm_command_set) return Status::invalid_field;
      command.data = command_set_combinations(set_);
      return Status::success;
    case nvme::IdentifyWhat::command_set_namespace:
    case nvme::IdentifyWhat::command_set_controller:
      if (command.entry.cdw11 >> 24 != set_.identifier()) return Status::invalid_field;
      break;
    case nvme::IdentifyWhat::identify_namespace: break;
    default: return Status::invalid_field;
  }
  command.data = set_.identify(what);
  if (command.data.empty()) return Status::invalid_field;
  if (what != nvme::IdentifyWhat::command_set_controller && nsid != 1) return Status::invalid_namespace;
  return Status::success;
}

// Fields: CDW10 holds NUMDL 31:16, RAE 15 and LID 7:0. CDW11 holds NUMDU 15:0. CDW12 and CDW13 hold the offset in
// bytes.
Status AdminCommands::get_log_page(Command& command) {
  const nvme::SubmissionEntry& e = command.entry;
  const auto page = static_cast<nvme::LogPage>(e.cdw10 & 0xff);
  std::vector<std::byte> log;
  switch (page) {
    case nvme::LogPage::error_information: log = bytes_of(parts_.health.error_log()); break;
    case nvme::LogPage::smart: {
      const DeviceHealth health = parts_.device.health();
      const std::uint16_t kelvin = parts_.kelvin(health);
      log = bytes_of(parts_.health.smart_log(parts_.calendar.now(), health, kelvin,
                                             parts_.features.temperature_past_threshold(kelvin)));
      break;
    }
    case nvme::LogPage::firmware_slot: {
      nvme::FirmwareSlotLog slots;
      slots.active = 1;
      slots.revisions[0].fill(' ');
      std::copy(firmware_revision.begin(), firmware_revision.end(), slots.revisions[0].begin());
      log = bytes_of(slots);
      break;
    }
    default: log = set_.log_page(page);
  }
  if (log.empty()) return Status::invalid_log_page;
  const std::uint64_t offset = std::uint64_t{e.cdw13} << 32 | e.cdw12;
  const std::uint64_t bytes = ((std::uint64_t{e.cdw11 & 0xffff} << 16 | e.cdw10 >> 16) + 1) * 4;
  if (offset % 4 != 0 || offset > log.size() || bytes > parts_.max_transfer_bytes()) return Status::invalid_field;
  if ((e.cdw10 & 1u << 15) == 0) events_.log_read(page);
  log.erase(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(offset));
  log.resize(bytes);  // bytes past the end of the log page are 0
  command.data = std::move(log);
  return Status::success;
}

}  // namespace nandscape::host
