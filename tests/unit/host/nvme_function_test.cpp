// SPDX-License-Identifier: Apache-2.0
// Tests the NVMe function: its interrupts by message and by interrupt line, and its resets. A DMA port with a fixed
// latency replaces the link.
#include <map>

#include "catch.h"
#include "host/nvme/nvme_function.h"
#include "unit/host/controller_harness.h"

using namespace nandscape;
using namespace nandscape::host;
namespace reg = nvme::reg;

namespace {

// A function with an admin queue. The test submits commands with unknown opcodes, which complete immediately.
struct Function {
  static constexpr std::uint32_t entries = 16;

  explicit Function(std::uint32_t io_queues = 40)
      : device(calendar, 16384, 256, 1, microsecond), parameters{.io_queues = io_queues} {
    port.set_client(function.controller());
    submissions = memory.reserve(4096, 4096);
    completions = memory.reserve(4096, 4096);
  }

  void configure(std::uint32_t offset, std::uint16_t value) {
    function.write_configuration(offset, std::as_bytes(std::span(&value, 1)), calendar.now());
    run();
  }
  std::uint16_t configuration(std::uint32_t offset) {
    std::uint16_t value = 0;
    function.read_configuration(offset, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  template <class T = std::uint32_t>
  void write(std::uint32_t offset, T value) {
    CHECK(function.write_memory(offset, std::as_bytes(std::span(&value, 1)), calendar.now()) ==
          NvmeFunction::Answer::ok);
  }
  template <class T = std::uint32_t>
  T read(std::uint32_t offset) {
    T value = 0;
    CHECK(function.read_memory(offset, std::as_writable_bytes(std::span(&value, 1)), calendar.now()) ==
          NvmeFunction::Answer::ok);
    return value;
  }
  void run() {
    const Tick end = calendar.now() + 10 * microsecond;
    calendar.run_until(end);
    calendar.advance(end);
  }
  void enable() {
    tail = 0;
    write<std::uint32_t>(reg::aqa, (entries - 1) << 16 | (entries - 1));
    write<std::uint64_t>(reg::asq, submissions);
    write<std::uint64_t>(reg::acq, completions);
    write<std::uint32_t>(reg::cc, ControllerHarness::enable_value);
    run();
    REQUIRE(read(reg::csts) == nvme::csts::ready);
  }
  void command() {
    nvme::SubmissionEntry entry;
    entry.opcode = 0x7f;
    entry.command_id = next_id++;
    memory.write(submissions + tail * 64, std::as_bytes(std::span(&entry, 1)));
    tail = (tail + 1) % entries;
    write<std::uint32_t>(reg::submission_tail(0), tail);
    run();
  }
  // Makes the host consume all completions.
  void take() {
    write<std::uint32_t>(reg::completion_head(0), tail);
    run();
  }
  void program(std::uint32_t vector, std::uint32_t control) {
    write<std::uint64_t>(reg::msix_table + vector * 16, HostMemory::interrupt_window);
    write<std::uint32_t>(reg::msix_table + vector * 16 + 8, vector);
    write<std::uint32_t>(reg::msix_table + vector * 16 + 12, control);
    run();
  }
  int messages(std::uint32_t vector) const { return vector < port.interrupts.size() ? port.interrupts[vector] : 0; }

  Calendar calendar;
  HostMemory memory{std::uint64_t{1} << 30};
  PromptPort port{calendar, memory};
  FakeStorage device;
  NvmeParameters parameters;
  NvmeFunction function{calendar, parameters, PcieLinkParameters{}, device, port, true, PciStart::power_on};
  std::uint64_t submissions = 0;
  std::uint64_t completions = 0;
  std::uint32_t tail = 0;
  std::uint16_t next_id = 0;
};

constexpr std::uint32_t message_control = pci::msix + 2;
constexpr std::uint16_t on = pci::memory_space | pci::bus_master;

}  // namespace

TEST_CASE("BAR0 does not respond without Memory Space Enable") {
  Function f;
  std::uint32_t value = 0;
  const auto bytes = std::as_writable_bytes(std::span(&value, 1));
  CHECK(f.function.read_memory(reg::vs, bytes, 0) == NvmeFunction::Answer::unsupported);
  CHECK(f.function.write_memory(reg::cc, bytes, 0) == NvmeFunction::Answer::unsupported);
  // A configuration write that is still in flight affects only those accesses that arrive after it.
  const std::uint16_t enabled = pci::memory_space;
  f.function.write_configuration(pci::command, std::as_bytes(std::span(&enabled, 1)), 1000);
  CHECK(f.function.write_memory(reg::aqa, bytes, 999) == NvmeFunction::Answer::unsupported);
  CHECK(f.function.write_memory(reg::aqa, bytes, 1000) == NvmeFunction::Answer::ok);
  f.run();
  CHECK(f.read(reg::vs) == nvme::version_1_4);
}

TEST_CASE("there are as many vectors as queues, each with its table entry and pending bit") {
  const std::uint32_t io_queues = GENERATE(1u, 16u, 255u);
  Function f(io_queues);
  f.configure(pci::command, on);
  f.configure(message_control, pci::msix_enable);
  CHECK((f.configuration(message_control) & 0x7ff) == io_queues);
  f.write<std::uint32_t>(reg::msix_table + io_queues * 16 + 8, 0x1234'5678);
  CHECK(f.read(reg::msix_table + io_queues * 16 + 8) == 0x1234'5678);
  CHECK(f.read<std::uint64_t>(reg::msix_table + io_queues * 16 + 8) == 0x1'1234'5678);  // masked
  if (io_queues == 255) return;
  f.write<std::uint32_t>(reg::msix_table + (io_queues + 1) * 16 + 8, 1);
  CHECK(f.read(reg::msix_table + (io_queues + 1) * 16 + 8) == 0);
}

TEST_CASE("an interrupt on a masked vector is pending, and is sent once when it is unmasked") {
  Function f;
  f.configure(pci::command, on);
  f.configure(message_control, pci::msix_enable);
  f.enable();
  f.program(0, 0);
  f.command();
  CHECK(f.messages(0) == 1);

  std::uint32_t expected = 1;
  const auto hold = GENERATE(0, 1, 2, 3);
  CAPTURE(hold);
  switch (hold) {
    case 0: f.program(0, 1); break;
    case 1: f.configure(message_control, pci::msix_enable | pci::msix_function_mask); break;
    case 2: f.write<std::uint32_t>(reg::intms, 1); break;
    default: break;
  }
  f.command();
  f.command();
  if (hold == 3) expected += 2;
  CHECK(f.messages(0) == static_cast<int>(expected));
  CHECK(f.read<std::uint64_t>(reg::msix_pending) == (hold == 3 ? 0 : 1));
  f.write<std::uint32_t>(reg::msix_pending, 0);  // read-only
  f.run();
  CHECK(f.read<std::uint8_t>(reg::msix_pending) == (hold == 3 ? 0 : 1));
  switch (hold) {
    case 0: f.program(0, 0); break;
    case 1: f.configure(message_control, pci::msix_enable); break;
    case 2: f.write<std::uint32_t>(reg::intmc, 1); break;
    default: return;
  }
  f.run();
  CHECK(f.messages(0) == 2);
  CHECK(f.read(reg::msix_pending) == 0);
  CHECK(f.port.line_changes == 0);
}

TEST_CASE("while MSI-X is off, the line is asserted as long as completions wait for the host") {
  Function f;
  f.configure(pci::command, on);
  f.enable();
  f.command();
  f.command();
  CHECK(f.port.line);
  CHECK(f.port.line_changes == 1);
  CHECK((f.configuration(pci::status) & pci::interrupt_status) != 0);
  CHECK(f.messages(0) == 0);
  // The host has consumed only one of two completions, so the line must stay asserted.
  f.write<std::uint32_t>(reg::completion_head(0), 1);
  f.run();
  CHECK(f.port.line);
  f.take();
  CHECK_FALSE(f.port.line);
  CHECK((f.configuration(pci::status) & pci::interrupt_status) == 0);

  SECTION("INTMS deasserts the line, INTMC asserts it again") {
    f.command();
    f.write<std::uint32_t>(reg::intms, 1);
    f.run();
    CHECK_FALSE(f.port.line);
    CHECK((f.configuration(pci::status) & pci::interrupt_status) == 0);
    f.write<std::uint32_t>(reg::intmc, 1);
    f.run();
    CHECK(f.port.line);
  }
  SECTION("Interrupt Disable deasserts the line and keeps the status") {
    f.command();
    f.configure(pci::command, on | pci::interrupt_disable);
    CHECK_FALSE(f.port.line);
    CHECK((f.configuration(pci::status) & pci::interrupt_status) != 0);
    f.configure(pci::command, on);
    CHECK(f.port.line);
  }
  SECTION("MSI-X deasserts the line, and pending completions are not signalled again") {
    f.command();
    f.configure(message_control, pci::msix_enable);
    CHECK_FALSE(f.port.line);
    f.program(0, 0);
    CHECK(f.messages(0) == 0);
    f.command();
    CHECK(f.messages(0) == 1);
    f.configure(message_control, 0);
    CHECK(f.port.line);
  }
  SECTION("a controller reset deasserts the line") {
    f.command();
    CHECK(f.port.line);
    f.write<std::uint32_t>(reg::cc, 0);
    f.run();
    CHECK_FALSE(f.port.line);
  }
}

TEST_CASE("a function level reset leaves the function as after power-on") {
  Function f;
  f.configure(pci::command, on);
  f.configure(message_control, pci::msix_enable);
  f.program(3, 0);
  f.write<std::uint32_t>(reg::intms, 2);
  f.enable();
  f.configure(pci::express + 8, pci::function_level_reset);
  CHECK(f.configuration(pci::command) == 0);
  CHECK((f.configuration(message_control) & pci::msix_enable) == 0);
  f.configure(pci::command, on);
  for (const std::uint32_t offset : {reg::cc, reg::csts, reg::aqa, reg::asq, reg::acq, reg::intms}) {
    CAPTURE(offset);
    CHECK(f.read(offset) == 0);
  }
  CHECK(f.read(reg::msix_table + 3 * 16) == 0);
  CHECK(f.read(reg::msix_table + 3 * 16 + 12) == 1);
  f.configure(message_control, pci::msix_enable);
  f.enable();
  f.program(0, 0);
  f.command();
  CHECK(f.messages(0) == 1);
}
