// SPDX-License-Identifier: Apache-2.0
// Tests the drive behind a link, accessed through PciFunction and PciHost as a host in another simulator would access
// it. The test does what the PCI core and the NVMe driver of an operating system do, from the first read of
// configuration space to the shutdown.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "fakes/fake_storage.h"
#include "host/memory/host_memory.h"
#include "host/nvme/nvme_module.h"
#include "host/pcie/endpoint/configuration_space.h"
#include "host/pcie/endpoint/pci_port_module.h"
#include "host/pcie/pcie_link_module.h"
#include "kernel.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"

namespace nandscape::host {
namespace {

namespace reg = nvme::reg;

struct Machine final : PciHost {
  explicit Machine(Tick quantum)
      : driver("calendar", calendar, quantum),
        storage(calendar, 16384, 256, 1, 20 * microsecond),
        link("link", calendar, {}),
        nvme("nvme", calendar, {}, storage, true, {}, PciStart::power_on),
        port("port", calendar, *this),
        registers("checker_registers"),
        configuration("checker_configuration"),
        dma("checker_dma") {
    port.registers.bind(registers.target);
    registers.initiator.bind(link.registers_in);
    link.registers_out.bind(nvme.registers);
    port.configuration.bind(configuration.target);
    configuration.initiator.bind(link.configuration_in);
    link.configuration_out.bind(nvme.configuration);
    nvme.dma.bind(link.dma_in);
    link.dma_out.bind(dma.target);
    dma.initiator.bind(port.dma);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  // --- requests that the function sends to the host

  bool dma_read(std::uint64_t address, std::span<std::byte> into, Tick now) override {
    note("read", now);
    if (!memory.contains(address, into.size())) return false;
    memory.read(address, into);
    return true;
  }
  bool dma_write(std::uint64_t address, std::span<const std::byte> from, Tick now) override {
    note("write", now);
    if (!memory.contains(address, from.size())) return false;
    memory.write(address, from);
    return true;
  }
  void message(std::uint64_t address, std::uint32_t data, Tick now) override {
    std::string what = "message ";
    what += std::to_string(data);
    note(what, now);
    CHECK(address == message_address);
    ++messages[data];
  }
  void set_intx(bool asserted, Tick now) override {
    note(asserted ? "asserted" : "deasserted", now);
    CHECK(line != asserted);
    line = asserted;
  }
  void note(const std::string& what, Tick now) {
    CHECK(now == calendar.now());
    log.emplace_back(what, now);
  }

  // --- accesses of the host; each access ends before the next one begins

  void run_until(Tick end) {
    driver.run(end);
    driver.rethrow();
  }
  void wait(Tick time) { run_until(calendar.now() + time); }
  std::uint32_t config(std::uint32_t offset, std::uint32_t bytes) {
    std::uint32_t value = 0;
    run_until(port.config_read(offset, std::as_writable_bytes(std::span(&value, 1)).first(bytes), calendar.now()));
    return value;
  }
  void set_config(std::uint32_t offset, std::uint32_t value, std::uint32_t bytes) {
    run_until(port.config_write(offset, std::as_bytes(std::span(&value, 1)).first(bytes), calendar.now()));
  }
  template <class T = std::uint32_t>
  T read(std::uint64_t offset, std::uint32_t bar = 0) {
    T value = 0;
    run_until(port.memory_read(bar, offset, std::as_writable_bytes(std::span(&value, 1)), calendar.now()));
    return value;
  }
  template <class T = std::uint32_t>
  void write(std::uint64_t offset, T value, std::uint32_t bar = 0) {
    run_until(port.memory_write(bar, offset, std::as_bytes(std::span(&value, 1)), calendar.now()));
  }

  static constexpr std::uint64_t message_address = 0xa0000;  // the address that User-mode Linux uses for messages

  Kernel kernel;
  Calendar calendar;
  CalendarModule driver;
  HostMemory memory{std::uint64_t{1} << 30};
  FakeStorage storage;
  PcieLinkModule link;
  NvmeModule nvme;
  PciPortModule port;
  ProtocolChecker<> registers, configuration, dma;
  std::map<std::uint32_t, int> messages;
  bool line = false;
  std::vector<std::pair<std::string, Tick>> log;
};

// An NVMe driver for one function.
struct NvmeDriver {
  static constexpr std::uint32_t entries = 8;

  struct Queue {
    std::uint16_t id;
    std::uint64_t submissions, completions;
    std::uint32_t tail = 0, head = 0;
    bool phase = true;
  };

  explicit NvmeDriver(Machine& machine) : m(machine) {}

  // Does what the PCI core of an operating system does when it finds the function.
  void enumerate() {
    REQUIRE((m.config(0x00, 4) & 0xffff) != 0xffff);
    CHECK(m.config(0x0e, 1) == 0);
    CHECK(m.config(0x08, 4) >> 8 == 0x010802);
    const std::uint32_t command = m.config(0x04, 2);
    m.set_config(0x04, command & ~3u, 2);
    m.set_config(0x10, 0xffff'ffff, 4);
    m.set_config(0x14, 0xffff'ffff, 4);
    const std::uint64_t ones = m.config(0x10, 4) | std::uint64_t{m.config(0x14, 4)} << 32;
    CHECK(~(ones & ~std::uint64_t{15}) + 1 == reg::bar_bytes);
    m.set_config(0x10, 0x4000'0000, 4);
    m.set_config(0x14, 0x1, 4);
    CHECK(m.config(0x10, 4) == 0x4000'0004);
    REQUIRE((m.config(0x06, 2) & 0x10) != 0);
    for (std::uint32_t at = m.config(0x34, 1); at != 0; at = m.config(at + 1, 1)) capabilities[m.config(at, 1)] = at;
    REQUIRE(capabilities.contains(0x01));
    REQUIRE(capabilities.contains(0x10));
    REQUIRE(capabilities.contains(0x11));
    CHECK(m.config(0x100, 4) == 0);
  }

  void enable_device() {
    m.set_config(capabilities.at(0x01) + 4, 0, 2);  // D0
    m.set_config(0x04, m.config(0x04, 2) | 2u, 2);
    CHECK(m.read(reg::vs) == nvme::version_1_4);
    m.set_config(0x04, m.config(0x04, 2) | 4u, 2);
  }

  // Enables MSI-X. All vectors stay masked while the table is filled. Each vector is then unmasked when its handler is
  // set.
  void enable_msix() {
    const std::uint32_t control = capabilities.at(0x11) + 2;
    const std::uint32_t value = m.config(control, 2);
    vectors = (value & 0x7ff) + 1;
    m.set_config(control, value | 0xc000, 2);
    const std::uint32_t table = m.config(capabilities.at(0x11) + 4, 4);
    CHECK((table & 7) == 0);  // BAR0
    for (std::uint32_t vector = 0; vector < vectors; ++vector) m.write<std::uint32_t>(table + vector * 16 + 12, 1);
    m.set_config(0x04, m.config(0x04, 2) | 0x400, 2);
    m.set_config(control, value | 0x8000, 2);
    for (std::uint32_t vector = 0; vector < 2; ++vector) {
      m.write<std::uint32_t>(table + vector * 16, Machine::message_address);
      m.write<std::uint32_t>(table + vector * 16 + 4, 0);
      m.write<std::uint32_t>(table + vector * 16 + 8, 40 + vector);
      m.write<std::uint32_t>(table + vector * 16 + 12, 0);
    }
  }

  void start_controller() {
    const auto cap = m.read<std::uint64_t>(reg::cap);
    CHECK((cap & 0xffff) >= entries - 1);
    CHECK((cap >> 32 & 15) == 0);  // DSTRD
    m.write<std::uint32_t>(reg::cc, 0);
    wait_for(0);
    admin = make_queue(0);
    m.write<std::uint32_t>(reg::aqa, (entries - 1) << 16 | (entries - 1));
    m.write<std::uint64_t>(reg::asq, admin.submissions);
    m.write<std::uint64_t>(reg::acq, admin.completions);
    m.write<std::uint32_t>(reg::cc, 4u << 20 | 6u << 16 | 1);
    wait_for(nvme::csts::ready);
  }
  void wait_for(std::uint32_t ready) {
    for (int k = 0; k < 100 && (m.read(reg::csts) & nvme::csts::ready) != ready; ++k) m.wait(100 * microsecond);
    REQUIRE((m.read(reg::csts) & 3) == ready);
  }

  Queue make_queue(std::uint16_t id) { return {id, m.memory.reserve(4096, 4096), m.memory.reserve(4096, 4096)}; }

  void submit(Queue& queue, nvme::SubmissionEntry entry) {
    entry.command_id = next_id++;
    m.memory.write(queue.submissions + queue.tail * 64, std::as_bytes(std::span(&entry, 1)));
    queue.tail = (queue.tail + 1) % entries;
    m.write<std::uint32_t>(reg::submission_tail(queue.id), queue.tail);
  }
  bool has_completion(const Queue& queue) { return nvme::phase_of(completion(queue)) == queue.phase; }
  nvme::CompletionEntry completion(const Queue& queue) {
    nvme::CompletionEntry entry;
    m.memory.read(queue.completions + queue.head * 16, std::as_writable_bytes(std::span(&entry, 1)));
    return entry;
  }
  nvme::CompletionEntry take(Queue& queue) {
    REQUIRE(has_completion(queue));
    const nvme::CompletionEntry entry = completion(queue);
    queue.head = (queue.head + 1) % entries;
    if (queue.head == 0) queue.phase = !queue.phase;
    m.write<std::uint32_t>(reg::completion_head(queue.id), queue.head);
    return entry;
  }
  // Executes a command and checks that it raises exactly one interrupt.
  nvme::CompletionEntry execute(Queue& queue, const nvme::SubmissionEntry& entry) {
    const std::uint32_t data = 40u + queue.id;
    const int before = m.messages[data];
    submit(queue, entry);
    m.wait(millisecond);
    CHECK(m.messages[data] == before + 1);
    return take(queue);
  }
  nvme::CompletionEntry execute(nvme::AdminOpcode opcode, std::uint32_t cdw10, std::uint32_t cdw11,
                                std::uint64_t prp1) {
    nvme::SubmissionEntry e;
    e.opcode = static_cast<std::uint8_t>(opcode);
    e.cdw10 = cdw10;
    e.cdw11 = cdw11;
    e.prp1 = prp1;
    const nvme::CompletionEntry answer = execute(admin, e);
    CHECK(nvme::status_of(answer) == nvme::Status::success);
    return answer;
  }

  nvme::IdentifyController identify() {
    const std::uint64_t buffer = m.memory.reserve(4096, 4096);
    execute(nvme::AdminOpcode::identify, 1, 0, buffer);
    nvme::IdentifyController id;
    m.memory.read(buffer, std::as_writable_bytes(std::span(&id, 1)));
    return id;
  }

  Queue create_queue() {
    execute(nvme::AdminOpcode::set_features, 7, 0, 0);
    Queue queue = make_queue(1);
    execute(nvme::AdminOpcode::create_io_cq, (entries - 1) << 16 | 1, 1u << 16 | 3, queue.completions);
    execute(nvme::AdminOpcode::create_io_sq, (entries - 1) << 16 | 1, 1u << 16 | 1, queue.submissions);
    return queue;
  }

  static nvme::SubmissionEntry io(nvme::IoOpcode opcode, std::uint32_t first, std::uint64_t buffer) {
    nvme::SubmissionEntry e;
    e.opcode = static_cast<std::uint8_t>(opcode);
    e.nsid = 1;
    e.cdw10 = first;
    e.cdw12 = 15;  // 8 KiB, two pages of memory
    e.prp1 = buffer;
    e.prp2 = buffer + 4096;
    return e;
  }

  void write_and_read(Queue& queue, std::uint32_t first) {
    std::vector<std::byte> given(8192), found(8192);
    for (std::size_t k = 0; k < given.size(); ++k) given[k] = static_cast<std::byte>(k * 7 + first);
    const std::uint64_t from = m.memory.reserve(8192, 4096), into = m.memory.reserve(8192, 4096);
    m.memory.write(from, given);
    CHECK(nvme::status_of(execute(queue, io(nvme::IoOpcode::write, first, from))) == nvme::Status::success);
    CHECK(nvme::status_of(execute(queue, io(nvme::IoOpcode::read, first, into))) == nvme::Status::success);
    m.memory.read(into, found);
    CHECK(found == given);
  }

  Machine& m;
  std::map<std::uint32_t, std::uint32_t> capabilities;  // offset of each capability, by its identifier
  std::uint32_t vectors = 0;
  Queue admin{};
  std::uint16_t next_id = 0;
};

void mask_and_unmask(Machine& m, NvmeDriver& driver, NvmeDriver::Queue& queue) {
  constexpr std::uint32_t control = reg::msix_table + 16 + 12;
  m.write<std::uint32_t>(control, 1);
  CHECK(m.read(control) == 1);  // the read returns only after the write has arrived
  const int before = m.messages[41];
  driver.submit(queue, NvmeDriver::io(nvme::IoOpcode::flush, 0, 0));
  m.wait(millisecond);
  CHECK(driver.has_completion(queue));
  CHECK(m.messages[41] == before);
  CHECK(m.read<std::uint64_t>(reg::msix_pending) == 2);
  CHECK(m.read<std::uint8_t>(reg::msix_pending) == 2);
  m.write<std::uint32_t>(control, 0);
  m.wait(millisecond);
  CHECK(m.messages[41] == before + 1);
  CHECK(m.read<std::uint64_t>(reg::msix_pending) == 0);
  driver.take(queue);
}

using Log = std::vector<std::pair<std::string, Tick>>;

Log probe(Tick quantum) {
  Machine m(quantum);
  NvmeDriver driver(m);
  CHECK(m.read(reg::vs) == 0xffff'ffff);  // the function does not respond to memory accesses yet
  driver.enumerate();
  driver.enable_device();
  driver.enable_msix();
  CHECK(driver.vectors == NvmeParameters{}.io_queues + 1);
  driver.start_controller();
  const nvme::IdentifyController id = driver.identify();
  CHECK(id.vid == m.config(0x00, 2));
  CHECK(id.ssvid == m.config(0x2c, 2));
  NvmeDriver::Queue queue = driver.create_queue();
  for (std::uint32_t k = 0; k < 10; ++k) driver.write_and_read(queue, k * 48);
  mask_and_unmask(m, driver, queue);

  // Makes a function-level reset, and then restores the saved registers as an operating system does.
  const std::uint32_t express = driver.capabilities.at(0x10);
  m.set_config(express + 8, m.config(express + 8, 2) | 0x8000, 2);
  m.wait(100 * millisecond);
  CHECK(m.config(0x04, 2) == 0);
  CHECK(m.read(reg::vs) == 0xffff'ffff);
  m.set_config(0x10, 0x4000'0000, 4);
  driver.enable_device();
  CHECK(m.read(reg::cc) == 0);
  driver.enable_msix();
  driver.start_controller();
  queue = driver.create_queue();
  driver.write_and_read(queue, 1000);

  m.write<std::uint32_t>(reg::cc, m.read(reg::cc) | nvme::cc::shutdown_normal);
  m.wait(millisecond);
  CHECK((m.read(reg::csts) & nvme::csts::shutdown_mask) == nvme::csts::shutdown_complete);
  m.write<std::uint32_t>(reg::cc, 0);
  driver.wait_for(0);
  m.set_config(0x04, 0, 2);
  const std::size_t transfers = m.log.size();
  m.wait(second);
  CHECK(m.log.size() == transfers);
  CHECK_FALSE(m.line);
  m.log.emplace_back("end", m.calendar.now());
  return m.log;
}

TEST_CASE("a host outside SystemC finds the function, brings it up, uses, resets and shuts it down") {
  const Log log = probe(0);
  CHECK(std::ranges::count(log, "message 41", &Log::value_type::first) == 23);
  CHECK(probe(microsecond) == log);
  CHECK(probe(millisecond) == log);
}

TEST_CASE("without MSI-X, INTx is asserted after the completion until the host has taken that") {
  Machine m(GENERATE(Tick{0}, millisecond));
  NvmeDriver driver(m);
  driver.enumerate();
  driver.enable_device();
  driver.start_controller();
  nvme::SubmissionEntry identify;
  identify.opcode = static_cast<std::uint8_t>(nvme::AdminOpcode::identify);
  identify.cdw10 = 1;
  identify.prp1 = m.memory.reserve(4096, 4096);
  for (int k = 0; k < 3; ++k) {
    m.log.clear();
    driver.submit(driver.admin, identify);
    m.wait(millisecond);
    REQUIRE(m.line);
    CHECK(driver.has_completion(driver.admin));
    REQUIRE(m.log.size() >= 3);
    CHECK(m.log.back().first == "asserted");
    CHECK(m.log[m.log.size() - 2].first == "write");
    // The completion entry and the interrupt are sent in one packet each. Both packets have 8 bytes of framing and 16
    // bytes of header; only the packet of the entry carries data, 16 bytes.
    const Tick byte_time = m.link.link().serialisation(24);
    CHECK(m.log.back().second - m.log[m.log.size() - 2].second == byte_time);
    m.write<std::uint32_t>(reg::intms, 1);
    m.wait(microsecond);
    CHECK_FALSE(m.line);
    m.write<std::uint32_t>(reg::intmc, 1);
    m.wait(microsecond);
    CHECK(m.line);
    driver.take(driver.admin);
    m.wait(microsecond);
    CHECK_FALSE(m.line);
  }
  // Without MSI-X there is only one vector, so a queue with another vector must be refused.
  nvme::SubmissionEntry create;
  create.opcode = static_cast<std::uint8_t>(nvme::AdminOpcode::create_io_cq);
  create.cdw10 = 7u << 16 | 1;
  create.cdw11 = 1u << 16 | 3;
  create.prp1 = m.memory.reserve(4096, 4096);
  driver.submit(driver.admin, create);
  m.wait(millisecond);
  CHECK(nvme::status_of(driver.take(driver.admin)) == nvme::Status::invalid_interrupt_vector);
}

TEST_CASE("accesses to configuration space take a round trip, and those of other widths are split") {
  Machine m(0);
  const PcieLink& link = m.link.link();
  const auto wire = [&](std::uint32_t bytes) { return link.serialisation(bytes) + link.propagation(); };
  std::array<std::byte, 8> bytes{};
  CHECK(m.port.config_read(0, std::span(bytes).first(4), 0) == wire(20) + wire(24));
  m.wait(microsecond);
  const Tick now = m.calendar.now();
  CHECK(m.port.config_write(0x3c, std::span(bytes).first(1), now) == now + wire(24) + wire(20));
  m.wait(microsecond);
  m.run_until(m.port.config_read(0, bytes, m.calendar.now()));
  std::array<std::byte, 8> halves{};
  m.run_until(m.port.config_read(0, std::span(halves).first(3), m.calendar.now()));
  m.run_until(m.port.config_read(3, std::span(halves).subspan(3), m.calendar.now()));
  CHECK(halves == bytes);
  CHECK(m.read(0, 1) == 0xffff'ffff);  // there is no separate BAR1
}

TEST_CASE("without Bus Master Enable the function sends no requests") {
  Machine m(0);
  NvmeDriver driver(m);
  driver.enumerate();
  driver.enable_device();
  driver.start_controller();
  m.set_config(0x04, 2, 2);
  m.log.clear();
  driver.submit(driver.admin, {});
  m.wait(millisecond);
  CHECK(m.log.empty());
  // Fatal, because the function is no bus master and cannot read its queue.
  CHECK((m.read(reg::csts) & nvme::csts::fatal) != 0);
}

}  // namespace
}  // namespace nandscape::host
