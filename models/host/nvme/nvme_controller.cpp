// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/nvme_controller.h"

#include <bit>
#include <string>
#include <utility>

#include "core/error.h"
#include "protocol/command_number.h"

namespace nandscape::host {

namespace cc = nvme::cc;
namespace csts = nvme::csts;
namespace reg = nvme::reg;
using nvme::Status;

namespace {

constexpr std::uint32_t low(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
constexpr std::uint32_t high(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }
constexpr void set_low(std::uint64_t& v, std::uint32_t half) { v = (v >> 32 << 32) | half; }
constexpr void set_high(std::uint64_t& v, std::uint32_t half) { v = (v & 0xffff'ffff) | std::uint64_t{half} << 32; }

constexpr std::uint32_t smallest_page_exponent = 12;
constexpr std::uint32_t largest_page_exponent = 16;

std::uint64_t capabilities(const NvmeParameters& p, const CommandSet& set) {
  const bool weighted = p.arbitration == ArbitrationMechanism::weighted_round_robin;
  const unsigned css_bit = set.identifier() == nvme::nvm_command_set ? 0 : 6;  // 6: Identify reports the command sets
  return std::uint64_t{p.queue_entries - 1}                                    // MQES 15:0
         | std::uint64_t{1} << 16                                              // CQR
         | std::uint64_t{weighted} << 17                                       // AMS 18:17
         | std::uint64_t{10} << 24                                             // TO: 5 s
         | std::uint64_t{1} << 36                                              // NSSRS
         | std::uint64_t{1} << (37 + css_bit)                                  // CSS 44:37
         | std::uint64_t{smallest_page_exponent - 12} << 48                    // MPSMIN
         | std::uint64_t{largest_page_exponent - 12} << 52;                    // MPSMAX
}

// Returns whether only bits written as 1 have an effect in this register. For such a register, the bytes that a write
// does not cover count as zeroes.
bool write_has_effect_by_ones(std::uint32_t offset) {
  return offset == reg::intms || offset == reg::intmc || offset == reg::csts || offset == reg::nssr;
}

}  // namespace

NvmeController::NvmeController(Calendar& calendar, const NvmeParameters& parameters, StorageDevice& device,
                               DmaPort& port, bool keep_data)
    : parts_(calendar, parameters, device, port, keep_data),
      fetch_(parts_),
      events_(parts_),
      accesses_(parts_),
      transfers_(parts_, accesses_),
      buffer_(parts_),
      set_(command_sets().make(parameters.command_set, CommandServices{parts_, accesses_, transfers_})),
      admin_(parts_, fetch_, events_, transfers_, buffer_, *set_),
      cap_(capabilities(parameters, *set_)),
      kelvin_(parts_.kelvin(device.health())) {
  if (!std::has_single_bit(parameters.max_transfer_kib)) {
    throw ConfigError({}, "host.nvme.max_transfer_kib",
                      std::to_string(parameters.max_transfer_kib) + " is not a power of two");
  }
  device.set_client(*this);
}

// ---- Registers

void NvmeController::post_register_write(RegisterWrite write, Tick arrival) {
  underway_.push_back(write);
  parts_.calendar.schedule<&NvmeController::register_write_arrives>(arrival, *this,
                                                                    first_underway_ + underway_.size() - 1);
}

void NvmeController::register_write_arrives(std::uint64_t number) {
  while (first_underway_ <= number && !underway_.empty()) {  // a register read may already have applied this write
    const RegisterWrite write = underway_.front();
    underway_.pop_front();
    ++first_underway_;
    apply(write);
  }
}

std::uint32_t NvmeController::read_register(std::uint32_t offset) {
  if (!underway_.empty()) register_write_arrives(first_underway_ + underway_.size() - 1);
  return peek_register(offset);
}

std::uint32_t NvmeController::peek_register(std::uint32_t offset) const {
  if (offset >= reg::msix_pending) return parts_.interrupts.table().read_pending(offset - reg::msix_pending);
  if (offset >= reg::msix_table) return parts_.interrupts.table().read(offset - reg::msix_table);
  switch (offset) {
    case reg::cap: return low(cap_);
    case reg::cap + 4: return high(cap_);
    case reg::vs: return nvme::version_1_4;
    case reg::intms:
    case reg::intmc: return parts_.interrupts.mask();
    case reg::cc: return cc_;
    case reg::csts: return csts_;
    case reg::aqa: return aqa_;
    case reg::asq: return low(asq_);
    case reg::asq + 4: return high(asq_);
    case reg::acq: return low(acq_);
    case reg::acq + 4: return high(acq_);
    default: return 0;  // reserved registers, and doorbells, which hosts should not read
  }
}

void NvmeController::apply(RegisterWrite write) {
  constexpr std::uint32_t page_mask = ~std::uint32_t{0xfff};  // bits 11:0 of ASQ and ACQ are reserved
  const std::uint32_t offset = write.offset;
  const std::uint32_t kept = write_has_effect_by_ones(offset) ? 0 : peek_register(offset) & ~write.lanes;
  const std::uint32_t value = kept | (write.value & write.lanes);
  if (offset >= reg::msix_pending) return;  // read only
  if (offset >= reg::msix_table) return parts_.interrupts.write_table(offset - reg::msix_table, value);
  switch (offset) {
    case reg::intms: return parts_.interrupts.set_mask(value);
    case reg::intmc: return parts_.interrupts.clear_mask(value);
    case reg::cc: return configure(value);
    case reg::csts: csts_ &= ~(value & csts::subsystem_reset_occurred); return;
    case reg::nssr:
      if (value == nvme::subsystem_reset_signature) reset_subsystem();
      return;
    case reg::aqa: aqa_ = value & 0x0fff'0fff; return;
    case reg::asq: return set_low(asq_, value & page_mask);
    case reg::asq + 4: return set_high(asq_, value);
    case reg::acq: return set_low(acq_, value & page_mask);
    case reg::acq + 4: return set_high(acq_, value);
    default: return;  // read only or reserved
  }
}

void NvmeController::configure(std::uint32_t value) {
  const std::uint32_t before = std::exchange(cc_, value);
  const bool was_enabled = (before & cc::enable) != 0;
  const bool is_enabled = (value & cc::enable) != 0;
  if (!was_enabled && is_enabled && !resetting_) enable();
  if (was_enabled && !is_enabled) disable();
  if (is_enabled && cc::shutdown(value) != 0 && cc::shutdown(before) == 0) shut_down();
  look_at_registers();
}

void NvmeController::enable() {
  const std::uint32_t page_exponent = 12 + cc::memory_page_size(cc_);
  const std::uint32_t arbitration = cc::arbitration(cc_);
  const bool weighted_allowed = parts_.parameters.arbitration == ArbitrationMechanism::weighted_round_robin;
  if (page_exponent > largest_page_exponent || arbitration > (weighted_allowed ? 1 : 0)) return fatal();
  parts_.memory_page_bytes = 1u << page_exponent;
  parts_.power.enable(parts_.calendar.now());
  parts_.queues.create_completion(0, acq_, (aqa_ >> 16) + 1, true, 0);
  parts_.queues.create_submission(0, asq_, (aqa_ & 0xfff) + 1, 0, PriorityClass::urgent);
  parts_.interrupts.disable_coalescing(0, true);
  fetch_.configure(arbitration == 1);
  csts_ = (csts_ & csts::subsystem_reset_occurred) | csts::ready;
}

// Controller reset: deletes all queues and detaches their commands, but keeps the registers of the admin queues.
//
// Accesses that are under way in the device end without a completion entry. Transfers on the link cannot be recalled,
// but the link keeps their order. So the controller sends one more read. When this read has ended, no earlier transfer
// is left, and the controller clears CSTS.RDY, after which the host may reuse the memory of the queues.
void NvmeController::disable() {
  parts_.commands.for_each_active([&](Command& command) {
    if (std::exchange(command.detached, true)) return;
    const bool waits_for_event =
        command.queue == 0 && command.entry.opcode == static_cast<std::uint8_t>(nvme::AdminOpcode::async_event_request);
    if (waits_for_event) parts_.one_ended(command);
  });
  fetch_.reset();
  events_.reset();
  buffer_.reset();
  waiting_doorbells_.clear();
  parts_.power.set_waiting(false);
  parts_.power.reset(parts_.calendar.now());
  for (SubmissionQueue& queue : parts_.queues.submission) queue.exists = false;
  for (CompletionQueue& queue : parts_.queues.completion) {
    queue.exists = false;
    queue.waiting.clear();
  }
  parts_.features.reset();
  parts_.interrupts.reset();
  if (std::exchange(resetting_, true)) return;
  parts_.dma.read(asq_, reinterpret_cast<std::byte*>(&reset_probe_), sizeof reset_probe_, {DmaTag::Purpose::reset});
}

void NvmeController::reset_ended() {
  resetting_ = false;
  csts_ &= csts::subsystem_reset_occurred;
  if ((cc_ & cc::enable) != 0) enable();  // the host has set CC.EN again without waiting until CSTS.RDY was 0
  look_at_registers();
}

void NvmeController::reset_registers() {
  if ((cc_ & cc::enable) != 0) disable();
  cc_ = aqa_ = 0;
  asq_ = acq_ = 0;
  csts_ = resetting_ ? csts_ : 0;
  look_at_registers();
}

// Subsystem reset: resets all registers, and sets the bit in CSTS that reports the reset. The flash keeps its content.
void NvmeController::reset_subsystem() {
  reset_registers();
  csts_ |= csts::subsystem_reset_occurred;
}

// Also discards the register writes that are still on the link.
void NvmeController::reset_function() {
  first_underway_ += underway_.size();
  underway_.clear();
  reset_registers();
  parts_.interrupts.reset();
  parts_.interrupts.reset_table();
}

void NvmeController::route_interrupts(const InterruptRouting& routing) {
  parts_.dma.master_bus(routing.may_send);
  parts_.interrupts.route(routing);
  parts_.completions.look_at_line();
}

// Shutdown notification: flushes the device's cached data to flash. The host should send no more commands.
void NvmeController::shut_down() {
  csts_ = (csts_ & ~csts::shutdown_mask) | csts::shutdown_occurring;
  if (std::exchange(flushing_, true)) return;
  const Tick now = parts_.calendar.now();
  const Tick operational = parts_.power.wake(now);
  if (operational == now) return flush_for_shutdown();
  parts_.calendar.schedule<&NvmeController::flush_for_shutdown>(operational, *this);
}

void NvmeController::flush_for_shutdown() {
  parts_.power.stop(parts_.calendar.now());
  shutdown_flush_ = {};
  shutdown_flush_.kind = AccessKind::flush;
  parts_.device.submit(shutdown_flush_, parts_.calendar.now());
}

void NvmeController::fatal() {
  csts_ |= csts::fatal;
  look_at_registers();
}

// ---- Doorbells

void NvmeController::doorbell_arrives(std::uint64_t number_and_value) {
  if (!running_ || !parts_.power.stays_operational()) [[unlikely]]
    return wake_for_doorbell(number_and_value);
  take_doorbell(number_and_value);
}

void NvmeController::wake_for_doorbell(std::uint64_t number_and_value) {
  if (!running_) return;
  const bool of_io_submission = number_and_value >> 32 != 0 && (number_and_value >> 32) % 2 == 0;
  if (!of_io_submission) return take_doorbell(number_and_value);
  const Tick now = parts_.calendar.now();
  const Tick operational = parts_.power.wake(now);
  if (waiting_doorbells_.empty() && operational == now) return take_doorbell(number_and_value);
  waiting_doorbells_.push_back(number_and_value);
  if (waiting_doorbells_.size() != 1) return;
  parts_.power.set_waiting(true);
  parts_.calendar.schedule<&NvmeController::awake>(operational, *this);
}

// The host may have chosen a non-operational state again while the doorbells waited.
void NvmeController::awake() {
  if (waiting_doorbells_.empty()) return;
  const Tick now = parts_.calendar.now();
  const Tick operational = parts_.power.wake(now);
  if (operational > now) return parts_.calendar.schedule<&NvmeController::awake>(operational, *this);
  parts_.power.set_waiting(false);
  for (const std::uint64_t doorbell : std::exchange(waiting_doorbells_, {})) take_doorbell(doorbell);
}

inline void NvmeController::take_doorbell(std::uint64_t number_and_value) {
  const auto number = static_cast<std::uint32_t>(number_and_value >> 32);
  const auto value = static_cast<std::uint32_t>(number_and_value);
  const std::uint32_t id = number / 2;
  if (number % 2 == 1) return head_doorbell_arrives(id, value);
  if (!parts_.queues.valid_submission(id)) return bad_doorbell(nvme::error_invalid_doorbell_register);
  SubmissionQueue& queue = parts_.queues.submission[id];
  if (value >= queue.size) return bad_doorbell(nvme::error_invalid_doorbell_value);
  fetch_.tail_doorbell(queue, value);
}

// Called only for a write that was not valid when it was sent.
void NvmeController::head_doorbell_arrives(std::uint32_t id, std::uint32_t value) {
  if (!parts_.queues.valid_completion(id)) return bad_doorbell(nvme::error_invalid_doorbell_register);
  CompletionQueue& queue = parts_.queues.completion[id];
  if (value >= queue.size) return bad_doorbell(nvme::error_invalid_doorbell_value);
  parts_.completions.head_doorbell(queue, value, parts_.calendar.now());
}

void NvmeController::bad_doorbell(std::uint32_t information) {
  events_.happened(nvme::async_error, information, nvme::LogPage::error_information);
}

// ---- Commands

inline void NvmeController::start(SubmissionQueue& queue, const nvme::SubmissionEntry& entry) {
  const bool id_free = queue.take_id(entry.command_id);
  const bool admin = queue.number == 0;
  const std::uint64_t number = command_number(queue.number, ++queue.started);
  Command& command = parts_.commands.acquire(queue, number, entry, admin ? nullptr : set_.get());
  if (parts_.times != nullptr) [[unlikely]]
    command.times = parts_.times->find(queue.number, entry.command_id);
  if (!admin) parts_.health.busy().begin(parts_.calendar.now());
  if (!id_free) [[unlikely]] {
    command.fail(Status::command_id_conflict);
    parts_.finish(command);
    // finish() has freed the identifier, but the earlier command with this identifier is still using it.
    static_cast<void>(queue.take_id(entry.command_id));
  } else if (admin) {
    admin_.start(command);
  } else {
    set_->start(command);
  }
}

void NvmeController::completed(PageAccess& access, Tick) {
  if (&access == &shutdown_flush_) {
    flushing_ = false;
    const bool still_wanted = (csts_ & csts::shutdown_mask) == csts::shutdown_occurring;
    if (still_wanted) csts_ = (csts_ & ~csts::shutdown_mask) | csts::shutdown_complete;
    return;
  }
  accesses_.completed(static_cast<CommandAccess&>(access));
  fetch_.run();  // a slot may have become free
}

void NvmeController::read_ended(DmaTag tag, bool ok) {
  if (tag.purpose == DmaTag::Purpose::submission_entries) {
    const bool fetched = fetch_.fetched(
        tag.index, ok, [this](SubmissionQueue& queue, const nvme::SubmissionEntry& entry) { start(queue, entry); });
    if (!fetched) return fatal();
  } else if (tag.purpose >= DmaTag::Purpose::reset) {
    other_read_ended(tag, ok);
  } else {
    transfers_.read_ended(tag, ok);
  }
  fetch_.run();
}

void NvmeController::other_read_ended(DmaTag tag, bool ok) {
  if (tag.purpose == DmaTag::Purpose::reset) return reset_ended();
  if (tag.purpose == DmaTag::Purpose::host_buffer && !ok) fatal();  // the host has granted memory that it does not have
  buffer_.read_ended(tag, ok);
}

void NvmeController::write_ended(DmaTag tag) {
  transfers_.write_ended(tag);
  fetch_.run();  // a slot may have become free
}

// Reports critical warnings that were not set at the last call, and a temperature that has changed and is past a
// threshold.
void NvmeController::health_changed(Tick) {
  const DeviceHealth health = parts_.device.health();
  const std::uint8_t now = critical_warning(health);
  const auto fresh = static_cast<std::uint8_t>(now & ~std::exchange(warned_, now));
  const std::uint16_t kelvin = parts_.kelvin(health);
  const bool hotter_or_colder = std::exchange(kelvin_, kelvin) != kelvin;
  if (!running_) return;
  const auto tell = [&](std::uint8_t bits, std::uint32_t information) {
    if (bits == 0 || !parts_.features.events_wanted(bits)) return;
    events_.happened(nvme::async_smart, information, nvme::LogPage::smart);
  };
  tell(fresh & (nvme::warning::reliability_degraded | nvme::warning::read_only), nvme::smart_reliability);
  tell(fresh & nvme::warning::spare_below_threshold, nvme::smart_spare_below_threshold);
  if (hotter_or_colder && parts_.features.temperature_past_threshold(kelvin)) {
    tell(nvme::warning::temperature, nvme::smart_temperature_threshold);
  }
}

// Works like a controller reset, but does not send the last read, because the host cannot answer it. So the reset never
// ends.
void NvmeController::host_lost() {
  resetting_ = true;
  disable();
  parts_.power.stop(parts_.calendar.now());
}

void NvmeController::persist(Archive& archive, Tick now) {
  parts_.health.persist(archive, now);
  parts_.interrupts.persist_counters(archive);
  fetch_.persist_counters(archive);
  transfers_.persist_counters(archive);
  set_->persist(archive);
  parts_.power.persist_counters(archive, now);
}

NvmeLimits NvmeController::times_at_limits() const {
  const Tick now = parts_.calendar.now();
  return {fetch_.slots().total(now), fetch_.fetches().total(now), transfers_.to_host_at_limit().total(now),
          transfers_.from_host_at_limit().total(now)};
}

NvmeCounters NvmeController::counters() const {
  NvmeCounters c = parts_.health.counters();
  c.interrupts = parts_.interrupts.sent();
  return c;
}

}  // namespace nandscape::host
