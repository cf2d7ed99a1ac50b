// SPDX-License-Identifier: Apache-2.0
// Checks the latency of single commands on an idle machine, from the driver's doorbell to its interrupt. Each latency
// must equal a closed form to the picosecond. The formulas are written out here and do not use the models.
#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.h"
#include "scenario.h"

namespace nandscape {
namespace {

constexpr Tick ns = nanosecond, us = microsecond;

// One channel with one die of two planes. The times are chosen so that a formula with a wrong or missing term gives a
// different sum. The flash is empty at first: tests write the pages that they read, so they know the type of each page.
const std::string device = R"(
simulation: {check_protocol: true}
host:
  link: {max_payload_bytes: 256, max_read_request_bytes: 512, propagation_ns: 151}
  driver: {memory_page_bytes: 4096, submit_ns: 0, completion_ns: 0}
  nvme: {data_transfers: 4}
controller:
  mapping: {allocation: PDWC, over_provisioning: 0.5}
  scheduler: {multi_plane: true}
  precondition: {occupancy: 0}
ecc: {codeword_bytes: 1024, t_decode_us: 17, decode_mb_s: 4000, t_encode_us: 7, encode_mb_s: 4000}
channel:
  count: 1
  rate_mt_s: 1000
  width_bits: 8
  row_address_cycles: 3
  transfer_spare: true
  t_cycle_ns: 25
  t_wb_ns: 101
  t_rr_ns: 21
  t_adl_ns: 151.5
  t_whr_ns: 81
  t_preamble_ns: 15
  t_postamble_ns: 16
  t_dbsy_ns: 503
nand:
  geometry: {chips_per_channel: 1, dies_per_chip: 1, planes_per_die: 2, blocks_per_plane: 20, pages_per_block: 12,
             page_bytes: 16384, spare_bytes: 1024}
  coding: tlc_232
  timing: {read: per_page_type, t_read_us: [61, 83.5, 70], t_prog_us: 701}
)";

constexpr std::uint32_t page_bytes = 16384;
constexpr std::uint64_t page_sectors = page_bytes / 512;

// Durations on the channel, in the dies and in the ECC engine.
constexpr Tick cycle = 25 * ns;
constexpr Tick address = 5 * cycle;
constexpr Tick burst = (15 + 16) * ns;
constexpr Tick page_data = (page_bytes + 1024) * ns;  // one byte per ns
constexpr Tick codeword_data = (1024 + 64) * ns;      // including the codeword's share of the spare bytes
constexpr Tick confirm = cycle + 101 * ns;            // tWB
constexpr Tick between_planes = 503 * ns;             // tDBSY
constexpr Tick read_command = cycle + address + confirm;
constexpr Tick page_out = 21 * ns + burst + page_data;
constexpr Tick program_command = cycle + address + 151 * ns + 500 + burst + page_data + confirm;
constexpr Tick status = cycle + 81 * ns + burst + 1 * ns;
constexpr Tick t_read[] = {61 * us, 83 * us + 500 * ns, 70 * us};
constexpr Tick t_prog = 701 * us;
constexpr Tick decode = 17 * us;
constexpr Tick encode = 7 * us;

// Durations on the link. A packet has 8 bytes of framing plus a header. The header has 16 bytes for a request with a
// 64-bit address, and 12 bytes for other requests and for completions.
struct Link {
  unsigned generation;
  unsigned lanes;
  double ps_per_byte;

  static constexpr Tick propagation = 151 * ns;

  Tick bytes(std::uint64_t count) const {
    return static_cast<Tick>(std::llround(ps_per_byte * static_cast<double>(count)));
  }
  // Durations until the whole packet has been sent. The packet arrives one propagation delay later.
  Tick doorbell() const { return bytes(8 + 16 + 4); }
  Tick read_request() const { return bytes(8 + 16); }
  Tick answer(std::uint64_t count) const { return bytes(count + packets(count) * (8 + 12)); }
  Tick write(std::uint64_t count) const { return bytes(count + packets(count) * (8 + 16)); }
  Tick interrupt() const { return bytes(8 + 12 + 4); }  // the address of the interrupt is below 4 GiB

  // Returns the duration of a data transfer. Data are sent in pieces of one host memory page, which occupy the link one
  // after another.
  Tick data_out(std::uint64_t count) const { return pieces(count, &Link::write); }
  Tick data_in(std::uint64_t count) const { return pieces(count, &Link::answer); }

  // Returns the time from the driver's doorbell until the controller has received the command.
  Tick submission() const { return doorbell() + propagation + fetch(64); }
  // Returns the time that the controller needs to read `count` bytes of host memory, which fit in one packet.
  Tick fetch(std::uint64_t count) const { return read_request() + propagation + answer(count) + propagation; }
  // Returns the time from the end of the last data transfer until the driver receives the interrupt.
  Tick completion() const { return write(16) + interrupt() + propagation; }

 private:
  static std::uint64_t packets(std::uint64_t count) { return (count + 255) / 256; }
  Tick pieces(std::uint64_t count, Tick (Link::*piece)(std::uint64_t) const) const {
    return count / 4096 * (this->*piece)(4096) + (count % 4096 == 0 ? 0 : (this->*piece)(count % 4096));
  }
};

// A link that transfers one byte per ns, and a link of a current drive: four lanes of 8 GT/s with 128b/130b coding.
const std::vector<Link> links = {{1, 4, 1000}, {3, 4, 130.0 / 128 * 1000 / 4}};

struct Machine {
  explicit Machine(const Link& link, const std::vector<std::string>& assignments = {})
      : simulation(configure(device, with_link(link, assignments))), data(4 * page_bytes) {
    simulation.run_until(1);  // brings the controller up
  }

  static std::vector<std::string> with_link(const Link& link, std::vector<std::string> assignments) {
    assignments.push_back("host.link.generation=" + std::to_string(link.generation));
    assignments.push_back("host.link.lanes=" + std::to_string(link.lanes));
    return assignments;
  }

  // Waits before each command, so that the completion doorbell of the previous command has arrived.
  Tick read(std::uint64_t lba, std::size_t bytes) { return paused().read(lba, std::span(data).first(bytes)); }
  Tick write(std::uint64_t lba, std::size_t bytes) { return paused().write(lba, std::span(data).first(bytes)); }
  Tick trim(std::uint64_t lba, std::uint64_t sectors) { return paused().trim(lba, sectors); }
  Tick flush() { return paused().flush(); }

  Simulation simulation;

 private:
  Simulation& paused() {
    simulation.run_until(simulation.now() + 10 * us);
    return simulation;
  }

  std::vector<std::byte> data;
};

TEST_CASE("idle machine, one page is written") {
  const Link link = GENERATE(from_range(links));
  Machine machine(link);
  // The command contains the address of the first memory page; the other three addresses come from a PRP list.
  const Tick list = link.fetch(3 * 8);
  const Tick data = link.read_request() + Link::propagation + link.data_in(page_bytes) + Link::propagation;
  const Tick expected =
      link.submission() + list + data + encode + program_command + t_prog + status + link.completion();
  CHECK(machine.write(0, page_bytes) == expected);
  CHECK(machine.write(page_sectors, page_bytes) == expected);
}

TEST_CASE("idle machine, one page of each type is read") {
  const Link link = GENERATE(from_range(links));
  Machine machine(link);
  for (std::uint64_t page = 0; page < 3; ++page) machine.write(2 * page * page_sectors, page_bytes);  // all on plane 0
  for (std::uint64_t page = 0; page < 3; ++page) {
    // The PRP list is fetched while the die senses the page, so it does not add to the latency.
    CHECK(machine.read(2 * page * page_sectors, page_bytes) == link.submission() + read_command + t_read[page] +
                                                                   page_out + decode + link.data_out(page_bytes) +
                                                                   link.completion());
  }
}

TEST_CASE("idle machine, a few sectors are read and move as whole codewords") {
  const Link link = GENERATE(from_range(links));
  Machine machine(link);
  machine.write(0, page_bytes);
  // Sectors 3 to 6 lie in codewords 1 to 3, so three codewords are transferred.
  const Tick codewords_out = 21 * ns + burst + 3 * codeword_data;
  CHECK(machine.read(3, 4 * 512) == link.submission() + read_command + t_read[0] + codewords_out + decode +
                                        link.data_out(4 * 512) + link.completion());
}

TEST_CASE("idle machine, a sector is written into a page that holds data") {
  const Link link = GENERATE(from_range(links));
  Machine machine(link);
  machine.write(0, page_bytes);
  const Tick data = link.read_request() + Link::propagation + link.data_in(512) + Link::propagation;
  const Tick merge = read_command + t_read[0] + page_out + decode;
  CHECK(machine.write(7, 512) ==
        link.submission() + data + merge + encode + program_command + t_prog + status + link.completion());
}

TEST_CASE("idle machine, two of four pages are programmed and read on both planes at once") {
  const Link link = GENERATE(from_range(links));
  Machine machine(link);
  // A command is issued as soon as its page arrives. The first page is therefore programmed alone, and so is the
  // second, because at that time there is no page for the other plane. The third and fourth pages arrive during these
  // programs. They are page 1 of both planes, and are programmed together.
  const Tick list = link.fetch(15 * 8);
  const Tick first_page = link.read_request() + Link::propagation + link.data_in(page_bytes) + Link::propagation;
  const Tick alone = program_command + t_prog + status;
  const Tick joined = program_command + between_planes + program_command + t_prog + 2 * status;
  CHECK(machine.write(0, 4 * page_bytes) ==
        link.submission() + list + first_page + encode + 2 * alone + joined + link.completion());

  const Tick read_alone = read_command + t_read[0] + page_out;
  const Tick joined_ready = read_command + between_planes + read_command + t_read[1];
  // The last page waits for its own transfer out of the die, and for the link, which still transfers the page before
  // it.
  const Tick last_page = page_out + std::max(page_out, link.data_out(page_bytes));
  CHECK(machine.read(0, 4 * page_bytes) == link.submission() + 2 * read_alone + joined_ready + last_page + decode +
                                               link.data_out(page_bytes) + link.completion());
  CHECK(machine.simulation.statistics().at("nand.page_programs") == Value(4));
}

TEST_CASE("idle machine, commands that touch no flash") {
  const Link link = GENERATE(from_range(links));
  Machine machine(link);
  CHECK(machine.flush() == link.submission() + link.completion());
  // The trim command fetches its range, 16 bytes, from host memory.
  constexpr Tick trim_entry = 5 * nanosecond;
  CHECK(machine.trim(0, 3 * page_sectors) == link.submission() + link.fetch(16) + 3 * trim_entry + link.completion());
  // An unmapped page reads as zeroes without any flash access. The data transfer must wait only for the PRP list.
  CHECK(machine.read(0, page_bytes) ==
        link.submission() + link.fetch(3 * 8) + link.data_out(page_bytes) + link.completion());
}

TEST_CASE("idle machine, the processor's share of a command") {
  const Link& link = links.front();
  Machine machine(link, {"host.driver.submit_ns=1300", "host.driver.completion_ns=900"});
  CHECK(machine.flush() == 1300 * ns + link.submission() + link.completion() + 900 * ns);
}

TEST_CASE("idle machine, a command right after another waits for the doorbell of the completion") {
  const Link link = GENERATE(from_range(links));
  Machine machine(link);
  machine.flush();
  CHECK(machine.simulation.flush() == link.doorbell() + link.submission() + link.completion());
}

}  // namespace
}  // namespace nandscape
