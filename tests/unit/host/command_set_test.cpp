// SPDX-License-Identifier: Apache-2.0
// Tests command sets that are defined outside of the NVMe model. One stores values by key in the memory of the
// controller. The other adds an append command to the NVM command set.
#include <unordered_map>

#include "catch.h"
#include "host/nvme/command_sets/nvm_commands.h"
#include "unit/host/controller_harness.h"

using namespace nandscape;
using namespace nandscape::host;
using nvme::AdminOpcode;
using nvme::IoOpcode;
using nvme::Status;

namespace {

// A command set that stores and retrieves values. CDW10 is the size of the value in bytes, and CDW11 is the key.
class KeyValueCommands final : public CommandSet {
 public:
  using Parameters = NoParameters;
  static constexpr std::uint8_t csi = 1;
  static constexpr std::uint8_t store = 1, retrieve = 2;
  static constexpr auto key_does_not_exist = static_cast<Status>(0x087);
  static constexpr std::uint8_t keys_log = 0xc0;

  KeyValueCommands(const Parameters&, const CommandServices& services)
      : parts_(services.parts), transfers_(services.transfers) {
    count_as(store, HostTraffic::write);
    count_as(retrieve, HostTraffic::read);
  }

  std::uint8_t identifier() const override { return csi; }
  void start(Command& command) override {
    const nvme::SubmissionEntry& e = command.entry;
    if (e.opcode == store) return transfers_.fetch_data(command, e.cdw10);
    if (values_.contains(e.cdw11)) {
      command.data = values_[e.cdw11];
      return transfers_.return_data(command);
    }
    command.fail(key_does_not_exist);
    parts_.finish(command);
  }
  void accessed(CommandAccess&) override { FAIL("there are no accesses"); }
  void data_fetched(CommandAccess&) override { FAIL("there are no accesses"); }
  void data_fetched(Command& command) override {
    values_[command.entry.cdw11] = command.data;
    command.result = values_.size();
    parts_.one_ended(command);
  }
  void add_to(nvme::IdentifyController&) const override {}
  std::vector<std::byte> identify(nvme::IdentifyWhat what) const override {
    if (what != nvme::IdentifyWhat::command_set_namespace) return {};
    return std::vector<std::byte>(4096, std::byte{0x6b});
  }
  std::vector<std::byte> log_page(nvme::LogPage page) const override {
    if (page != static_cast<nvme::LogPage>(keys_log)) return {};
    std::vector<std::byte> keys;
    for (const auto& [key, value] : values_) keys.push_back(static_cast<std::byte>(key));
    return keys;
  }
  void persist(Archive& archive) override {
    archive.map(values_, 1 << 16, "a key", [&](std::vector<std::byte>& value) { archive(value); });
  }

 private:
  ControllerParts& parts_;
  DataTransfers& transfers_;
  std::unordered_map<std::uint32_t, std::vector<std::byte>> values_;
};

// Adds the command Append, which writes after the last appended data and returns the first logical block that it has
// written.
class AppendCommands final : public NvmCommands {
 public:
  static constexpr std::uint8_t csi = 0x30;
  static constexpr std::uint8_t append = 0x7d;
  static constexpr std::uint64_t first = std::uint64_t{1} << 32;

  using NvmCommands::NvmCommands;

  std::uint8_t identifier() const override { return csi; }
  void start(Command& command) override {
    nvme::SubmissionEntry& e = command.entry;
    if (e.opcode == append) {
      e.opcode = static_cast<std::uint8_t>(IoOpcode::write);
      e.cdw10 = static_cast<std::uint32_t>(next_);
      e.cdw11 = static_cast<std::uint32_t>(next_ >> 32);
      command.result = next_;
      next_ += (e.cdw12 & 0xffff) + 1;
    }
    NvmCommands::start(command);
  }

 private:
  std::uint64_t next_ = first;
};

NvmeParameters with(const char* command_set) {
  [[maybe_unused]] static const bool registered = [] {
    command_sets().add<KeyValueCommands>("key_value", "values by key");
    command_sets().add<AppendCommands>("append", "NVM command set with appends");
    return true;
  }();
  NvmeParameters p;
  p.command_set = {command_set, nullptr};
  return p;
}

struct CommandSetFixture : ControllerHarness {
  explicit CommandSetFixture(const char* command_set, std::uint64_t pages = 256)
      : ControllerHarness(with(command_set), microsecond, true, pages) {
    enable();
    queue = create_queue(1, 64);
  }

  // The addresses of memory pages that are not adjacent. A command that uses them needs the PRP list at the address
  // `list`.
  struct Buffer {
    std::vector<std::uint64_t> pages;
    std::uint64_t list;
  };
  Buffer buffer(std::uint32_t bytes) {
    Buffer b;
    for (std::uint32_t k = 0; k < (bytes + page - 1) / page; ++k) b.pages.push_back(memory.reserve(2 * page, page));
    b.list = memory.reserve(page, page);
    for (std::size_t k = 1; k < b.pages.size(); ++k)
      memory.write(b.list + (k - 1) * 8, std::as_bytes(std::span(&b.pages[k], 1)));
    return b;
  }
  void fill(const Buffer& b, std::span<const std::byte> bytes) {
    for (std::size_t k = 0; k < b.pages.size(); ++k) {
      const std::size_t at = k * page;
      memory.write(b.pages[k], bytes.subspan(at, std::min<std::size_t>(page, bytes.size() - at)));
    }
  }
  std::vector<std::byte> content(const Buffer& b, std::size_t bytes) {
    std::vector<std::byte> all;
    for (const std::uint64_t at : b.pages) {
      const auto part = bytes_at(at, std::min<std::size_t>(page, bytes - all.size()));
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }

  nvme::CompletionEntry value(std::uint8_t opcode, std::uint32_t key, std::uint32_t bytes, const Buffer& b) {
    nvme::SubmissionEntry e;
    e.opcode = opcode;
    e.nsid = 1;
    e.cdw10 = bytes;
    e.cdw11 = key;
    e.prp1 = b.pages[0];
    e.prp2 = b.list;
    return execute(queue, e);
  }

  Queue queue;
};

}  // namespace

TEST_CASE("a command set moves values between host memory and its own store") {
  CommandSetFixture h("key_value");
  constexpr std::uint32_t bytes = 20000;  // five memory pages
  const auto first = pattern(bytes, 1), second = pattern(bytes, 2);
  const auto from = h.buffer(bytes), to = h.buffer(bytes);
  h.fill(from, first);
  CHECK(h.value(KeyValueCommands::store, 7, bytes, from).dw0 == 1);
  h.fill(from, second);
  CHECK(h.value(KeyValueCommands::store, 9, bytes, from).dw0 == 2);

  CHECK(status_of(h.value(KeyValueCommands::retrieve, 7, bytes, to)) == Status::success);
  CHECK(h.content(to, bytes) == first);
  CHECK(status_of(h.value(KeyValueCommands::retrieve, 9, bytes, to)) == Status::success);
  CHECK(h.content(to, bytes) == second);
  CHECK(status_of(h.value(KeyValueCommands::retrieve, 8, bytes, to)) == KeyValueCommands::key_does_not_exist);
  CHECK(h.device.log.empty());

  const NvmeCounters counters = h.controller.counters();
  CHECK(counters.write_commands == 2);
  CHECK(counters.read_commands == 3);
  CHECK(counters.sectors_written == 2 * (bytes / 512));
  CHECK(counters.failed_commands == 1);
}

TEST_CASE("data of a command set that cannot be fetched fail the command") {
  CommandSetFixture h("key_value");
  auto lost = h.buffer(20000);
  lost.list = std::uint64_t{1} << 40;  // no memory there
  CHECK(status_of(h.value(KeyValueCommands::store, 1, 20000, lost)) == Status::data_transfer_error);
  lost = h.buffer(4096);
  lost.pages[0] = std::uint64_t{1} << 40;
  CHECK(status_of(h.value(KeyValueCommands::store, 1, 4096, lost)) == Status::data_transfer_error);
  lost.pages[0] = 2;
  CHECK(status_of(h.value(KeyValueCommands::store, 1, 4096, lost)) == Status::prp_offset_invalid);
  CHECK(status_of(h.value(KeyValueCommands::retrieve, 1, 4096, lost)) == KeyValueCommands::key_does_not_exist);
}

TEST_CASE("Identify and log pages of a command set are the set's own") {
  CommandSetFixture h("key_value");
  const std::uint64_t at = h.memory.reserve(4096, 4096);
  const auto identify = [&](std::uint32_t what, std::uint32_t csi = 0) {
    return status_of(h.command(AdminOpcode::identify, what, csi << 24, at, 1));
  };
  CHECK((h.read(nvme::reg::cap + 4) >> 5 & 0xff) == 1u << 6);  // CAP.CSS
  REQUIRE(identify(0x01) == Status::success);
  CHECK(h.load<nvme::IdentifyController>(at).oncs == 0);
  REQUIRE(identify(0x03) == Status::success);
  CHECK(h.bytes_at(at + 12, 5) == std::vector{std::byte{4}, std::byte{1}, std::byte{0}, std::byte{0}, std::byte{1}});
  REQUIRE(identify(0x05, KeyValueCommands::csi) == Status::success);
  CHECK(h.load<std::uint8_t>(at) == 0x6b);
  REQUIRE(identify(0x1c) == Status::success);
  CHECK(h.load<std::uint64_t>(at) == 1u << KeyValueCommands::csi);
  CHECK(identify(0x00) == Status::invalid_field);
  CHECK(identify(0x05, 0) == Status::invalid_field);
  CHECK(identify(0x06, KeyValueCommands::csi) == Status::invalid_field);

  const auto b = h.buffer(4096);
  h.value(KeyValueCommands::store, 5, 4096, b);
  const auto log = [&](std::uint32_t page) { return status_of(h.command(AdminOpcode::get_log_page, page, 0, at)); };
  REQUIRE(log(KeyValueCommands::keys_log) == Status::success);
  CHECK(h.load<std::uint32_t>(at) == 5);
  CHECK(log(0xc1) == Status::invalid_log_page);
}

TEST_CASE("the state of a command set outlives the power") {
  const auto bytes = pattern(4096, 3);
  std::vector<std::byte> saved;
  {
    CommandSetFixture h("key_value");
    const auto b = h.buffer(4096);
    h.fill(b, bytes);
    h.value(KeyValueCommands::store, 5, 4096, b);
    Archive archive;
    h.controller.persist(archive, h.calendar.now());
    saved = archive.take();
  }
  CommandSetFixture h("key_value");
  Archive archive(saved);
  h.controller.persist(archive, h.calendar.now());
  const auto b = h.buffer(4096);
  REQUIRE(status_of(h.value(KeyValueCommands::retrieve, 5, 4096, b)) == Status::success);
  CHECK(h.content(b, 4096) == bytes);
}

TEST_CASE("a command set adds a command to the NVM command set") {
  CommandSetFixture h("append", std::uint64_t{1} << 28);
  constexpr std::uint32_t sectors = 40;
  const auto from = h.buffer(sectors * 512), to = h.buffer(sectors * 512);
  for (std::uint32_t k = 0; k < 3; ++k) {
    h.fill(from, pattern(sectors * 512, k));
    auto e = h.io(IoOpcode::write, 0, sectors, from.pages[0], from.list);
    e.opcode = AppendCommands::append;
    const nvme::CompletionEntry entry = h.execute(h.queue, e);
    REQUIRE(status_of(entry) == Status::success);
    CHECK(entry.dw0 == k * sectors);
    CHECK(entry.dw1 == 1);
  }
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint64_t first = AppendCommands::first + k * sectors;
    REQUIRE(h.status(h.queue, h.io(IoOpcode::read, first, sectors, to.pages[0], to.list)) == Status::success);
    CHECK(h.content(to, sectors * 512) == pattern(sectors * 512, k));
  }
  CHECK(h.controller.counters().write_commands == 3);

  const std::uint64_t at = h.memory.reserve(4096, 4096);
  REQUIRE(status_of(h.command(AdminOpcode::identify, 0, 0, at, 1)) == Status::success);
  CHECK(h.load<nvme::IdentifyNamespace>(at).nsze == std::uint64_t{32} << 28);
}
