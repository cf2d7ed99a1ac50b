// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/nvme_function.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace nandscape::host {

namespace reg = nvme::reg;

NvmeFunction::NvmeFunction(Calendar& calendar, const NvmeParameters& parameters, const PcieLinkParameters& link,
                           StorageDevice& device, DmaPort& port, bool keep_data, PciStart start)
    : calendar_(calendar),
      configuration_(link, parameters.io_queues + 1),
      controller_(calendar, parameters, device, port, keep_data) {
  if (start == PciStart::enabled) enable();
  controller_.route_interrupts(configuration_.interrupts());
}

void NvmeFunction::enable() {
  const auto put = [this](std::uint32_t offset, std::uint16_t value) {
    configuration_.write(offset, std::as_bytes(std::span(&value, 1)));
  };
  put(pci::command, pci::memory_space | pci::bus_master);
  put(pci::msix + 2, pci::msix_enable);
}

// ---- Configuration space

void NvmeFunction::write_configuration(std::uint32_t offset, std::span<const std::byte> from, Tick arrival) {
  ConfigurationWrite write{offset, static_cast<std::uint32_t>(from.size()), {}, arrival};
  assert(from.size() <= write.bytes.size());
  std::ranges::copy(from, write.bytes.begin());
  underway_.push_back(write);
  calendar_.schedule<&NvmeFunction::configuration_write_arrives>(arrival, *this,
                                                                 first_underway_ + underway_.size() - 1);
}

void NvmeFunction::configuration_write_arrives(std::uint64_t number) {
  // A read may already have applied this write, because reads see all earlier writes.
  while (first_underway_ <= number && !underway_.empty()) apply_oldest();
}

void NvmeFunction::apply_oldest() {
  const ConfigurationWrite write = underway_.front();
  underway_.pop_front();
  ++first_underway_;
  if (configuration_.write(write.offset, write.data())) {
    controller_.reset_function();
    configuration_.reset();
  }
  controller_.route_interrupts(configuration_.interrupts());
}

void NvmeFunction::read_configuration(std::uint32_t offset, std::span<std::byte> into) {
  while (!underway_.empty()) apply_oldest();
  peek_configuration(offset, into);
}

void NvmeFunction::peek_configuration(std::uint32_t offset, std::span<std::byte> into) const {
  configuration_.read(offset, into, controller_.interrupts().status());
}

bool NvmeFunction::memory_enabled_behind_writes(Tick at) const {
  ConfigurationSpace then = configuration_;
  for (const ConfigurationWrite& write : underway_) {
    if (write.arrival <= at && then.write(write.offset, write.data())) then.reset();
  }
  return then.memory_enabled();
}

// ---- BAR0

NvmeFunction::Answer NvmeFunction::check(std::uint64_t offset, std::size_t bytes) {
  if (bytes == 0 || bytes > 8 || (bytes & (bytes - 1)) != 0) return Answer::misfit;
  if (offset >= reg::bar_bytes || (offset & (bytes - 1)) != 0) return Answer::unsupported;
  return Answer::ok;
}

NvmeFunction::Answer NvmeFunction::write_memory(std::uint64_t offset, std::span<const std::byte> from, Tick arrival) {
  if (!memory_enabled(arrival)) [[unlikely]]
    return Answer::unsupported;
  if (const Answer answer = check(offset, from.size()); answer != Answer::ok) [[unlikely]]
    return answer;
  const auto first = static_cast<std::uint32_t>(offset);
  if (from.size() < 4) {
    if (NvmeController::is_doorbell(first)) return Answer::misfit;
    const std::uint32_t shift = first % 4 * 8;
    std::uint32_t value = 0;
    std::memcpy(&value, from.data(), from.size());
    const std::uint32_t lanes = (from.size() == 1 ? 0xffu : 0xffffu) << shift;
    controller_.write_register(first / 4 * 4, value << shift, arrival, lanes);
    return Answer::ok;
  }
  for (std::uint32_t k = 0; k < from.size(); k += 4) {
    std::uint32_t value = 0;
    std::memcpy(&value, from.data() + k, sizeof value);
    controller_.write_register(first + k, value, arrival);
  }
  return Answer::ok;
}

NvmeFunction::Answer NvmeFunction::read_memory(std::uint64_t offset, std::span<std::byte> into, Tick at) {
  if (!memory_enabled(at)) [[unlikely]]
    return Answer::unsupported;
  if (const Answer answer = check(offset, into.size()); answer != Answer::ok) [[unlikely]]
    return answer;
  for (std::uint32_t k = 0; k < into.size(); k += 4) {
    const auto first = static_cast<std::uint32_t>(offset) + k;
    const std::uint32_t value = controller_.read_register(first / 4 * 4) >> first % 4 * 8;
    std::memcpy(into.data() + k, &value, std::min<std::size_t>(into.size() - k, sizeof value));
  }
  return Answer::ok;
}

std::size_t NvmeFunction::peek_memory(std::uint64_t offset, std::span<std::byte> into) const {
  std::size_t done = 0;
  for (; done < into.size() && offset + done < reg::bar_bytes; ++done) {
    const auto at = static_cast<std::uint32_t>(offset + done);
    into[done] = static_cast<std::byte>(controller_.peek_register(at / 4 * 4) >> at % 4 * 8);
  }
  return done;
}

}  // namespace nandscape::host
