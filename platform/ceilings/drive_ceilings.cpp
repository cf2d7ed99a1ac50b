// SPDX-License-Identifier: Apache-2.0
#include "platform/ceilings/drive_ceilings.h"

#include <algorithm>

#include "channel/bus_timing.h"
#include "controller/capacity.h"
#include "controller/dram/dram.h"
#include "controller/mapping/greedy_equilibrium.h"
#include "ecc/engine.h"
#include "host/command_traffic.h"
#include "host/pcie/pcie_link.h"
#include "nand/timing.h"
#include "platform/ceilings/mapping_work.h"

namespace nandscape {

namespace {

// The flash operations that one request causes. The numbers are averages and may be fractions.
struct FlashWork {
  double reads = 0;              // host reads
  std::uint32_t read_bytes = 0;  // bytes of each read
  double programs = 0;
  double moves = 0;  // programs of pages that garbage collection moves; each of these pages is read first
  double erases = 0;
  double loads = 0;       // reads of translation pages, one mapping unit each
  double accesses = 0;    // accesses to mapping units
  bool in_order = false;  // whether all planes of a die are read together
  MappingDemand mapping;
};

class Device {
 public:
  // If `cached` is true, all data are written to and read from the SLC cache, and nothing is collected.
  Device(const PlatformParameters& p, bool cached, std::optional<std::uint64_t> range_bytes)
      : p_(p),
        cached_(cached),
        geometry_(geometry_of(p)),
        layout_(controller::flash_layout(p.controller, geometry_)),
        timing_(p.nand),
        bus_(p.channel, geometry_),
        codes_(drive_codes(p)),
        mapping_(p, layout_.unit_bytes(), range_bytes) {}

  FlashWork reads(std::uint32_t bytes, bool in_order) const {
    const std::uint32_t page = geometry_.page_bytes;
    FlashWork work;
    work.in_order = in_order;
    work.accesses = units(bytes);
    // Sequential requests for different units of one page share a single read of the page.
    const bool shared = in_order && layout_.units_per_page() > 1;
    work.reads = bytes >= page || shared ? static_cast<double>(bytes) / page : 1;
    work.read_bytes = whole_codewords(shared ? page : std::min(bytes, page));
    return with_mapping(work, work.accesses, 0);
  }

  // Returns the flash operations of a write. `collection` is the number of pages that are programmed for each page that
  // the host fills, because of garbage collection. If `amplification` is given, it is the ratio of programmed to
  // written bytes, including the effects of collection, parity and partly written units.
  FlashWork writes(std::uint32_t bytes, bool in_order, double collection, std::optional<double> amplification) const {
    FlashWork work;
    work.accesses = units(bytes);
    const std::uint32_t unit = layout_.unit_bytes();
    const bool partial = !in_order && bytes < unit;
    const double filled = pages(partial ? unit : bytes);
    const double with_parity = static_cast<double>(layout_.members()) / layout_.data_pages_per_row();
    work.programs = amplification ? pages(bytes) * *amplification : filled * collection * with_parity;
    work.moves = std::max(0.0, work.programs / with_parity - filled);
    work.erases = cached_ ? 0 : work.programs / geometry_.pages_per_block;
    if (partial) {
      const FlashWork rest = reads(unit, false);
      work.reads = rest.reads;
      work.read_bytes = rest.read_bytes;
    }
    work.in_order = in_order;
    return with_mapping(work, work.accesses, work.accesses);
  }

  // Returns the pages that are programmed with data, over those that the host writes.
  double amplification(const FlashWork& w, std::uint32_t bytes) const {
    return (w.programs - w.mapping.stores / layout_.units_per_page()) / pages(bytes);
  }
  double pages(double bytes) const { return bytes / geometry_.page_bytes; }
  // Returns the number of planes of a die that one operation can use at the same time.
  std::uint32_t planes() const { return p_.controller.scheduler.multi_plane ? geometry_.planes_per_die : 1; }

  double firmware_s(const FlashWork& w, std::uint32_t access_cycles) const {
    const controller::FirmwareParameters& f = p_.controller.firmware;
    return f.seconds(f.command_cycles + w.accesses * (access_cycles + f.completion_cycles) + w.moves * f.move_cycles +
                     w.erases * f.erase_cycles);
  }

  double channel_s(const FlashWork& w) const {
    const std::uint32_t moved = p_.controller.garbage_collection.copyback ? 0 : geometry_.page_bytes;
    const double programs = p_.controller.garbage_collection.copyback ? w.programs - w.moves : w.programs;
    return (w.reads * bus_s(NandOperation::read, w.read_bytes) + programs * passes() * bus_s(NandOperation::program) +
            w.loads * bus_s(NandOperation::read, load_bytes()) +
            w.moves * bus_s(moved == 0 ? NandOperation::copyback_read : NandOperation::read, moved) +
            (w.programs - programs) * bus_s(NandOperation::copyback_program, 0) +
            w.erases * bus_s(NandOperation::erase, 0)) /
           geometry_.channels;
  }

  double die_s(const FlashWork& w) const {
    return (w.reads * read_s(w.read_bytes, w.in_order ? planes() : 1) + w.loads * read_s(load_bytes(), 1) +
            w.moves * read_s(geometry_.page_bytes, planes()) + w.programs * program_s() +
            w.erases * s_from_ticks(timing_.t_bers) / planes()) /
           geometry_.dies();
  }

  double decoder_s(const FlashWork& w) const {
    const double bytes =
        w.reads * w.read_bytes + w.loads * load_bytes() + (moves_are_coded() ? w.moves * geometry_.page_bytes : 0);
    // A codeword with errors needs at least one iteration of the decoder, and a codeword without errors needs none.
    const bool errs = p_.simulation.cells.name != "ideal";
    const double codewords = errs ? bytes / p_.ecc.codeword_bytes : 0;
    const controller::EngineGroup& engines = codes_.engines.front();
    return ecc::decode_seconds(p_.ecc, bytes, codewords) / (engines.decoders * engines.units);
  }

  double encoder_s(const FlashWork& w) const {
    const double pages = moves_are_coded() ? w.programs : w.programs - w.moves;
    const controller::EngineGroup& engines = codes_.engines.front();
    return ecc::encode_seconds(p_.ecc, pages * geometry_.page_bytes) / (engines.encoders * engines.units);
  }

 private:
  // Adds the flash operations of look-ups and changes of mapping entries.
  FlashWork with_mapping(FlashWork work, double looked_up, double changed) const {
    work.mapping = mapping_.of(looked_up, changed, work.moves * layout_.units_per_page(), work.in_order);
    work.loads = work.mapping.loads;
    work.programs += work.mapping.stores / layout_.units_per_page();
    return work;
  }
  std::uint32_t whole_codewords(std::uint32_t bytes) const {
    const std::uint32_t codeword = longest_codeword_bytes(p_.ecc);
    return (bytes + codeword - 1) / codeword * codeword;
  }
  std::uint32_t load_bytes() const { return whole_codewords(layout_.unit_bytes()); }
  std::uint32_t passes() const { return cached_ ? 1 : timing_.program_passes; }
  double units(std::uint32_t bytes) const { return std::max(1.0, static_cast<double>(bytes) / layout_.unit_bytes()); }
  bool moves_are_coded() const { return !p_.controller.garbage_collection.copyback; }

  NandCommand command(NandOperation operation, std::uint32_t bytes) const {
    NandCommand command;
    command.operation = operation;
    command.bytes = bytes;
    return command;
  }
  double request_s(const NandCommand& command) const { return s_from_ticks(bus_.request(command)); }
  double response_s(const NandCommand& command) const { return s_from_ticks(bus_.response(command)); }
  double bus_s(NandOperation operation, std::uint32_t bytes) const {
    const NandCommand one = command(operation, bytes);
    return request_s(one) + response_s(one);
  }
  double bus_s(NandOperation operation) const { return bus_s(operation, geometry_.page_bytes); }

  // Returns the seconds per page when a die reads `n` pages together.
  double read_s(std::uint32_t bytes, std::uint32_t n) const {
    const NandCommand read = command(NandOperation::read, bytes);
    double array = cached_ ? 1e-6 * timing_.read_us(0, 1) : 0;  // in SLC mode, one sense reads a page
    if (!cached_) {
      for (const Tick time : timing_.t_read) array += s_from_ticks(time) / timing_.bits_per_cell();
    }
    const double request = n * request_s(read);
    const double response = n * response_s(read);
    if (p_.nand.independent_plane_reads) {
      return (request_s(read) + array + response_s(read)) / geometry_.planes_per_die;
    }
    if (p_.controller.scheduler.cache_read && n == 1) return std::max(array, request + response);
    return (request + array + response) / n;
  }

  double program_s() const {
    const NandCommand program = command(NandOperation::program, geometry_.page_bytes);
    const double n = planes();
    const double array = s_from_ticks(cached_ ? timing_.t_prog_slc : timing_.mean_page_program());
    const double bus = n * passes() * (request_s(program) + response_s(program));
    return (p_.controller.scheduler.cache_program ? std::max(array, bus) : array + bus) / n;
  }

  const PlatformParameters& p_;
  const bool cached_;
  const Geometry geometry_;
  const controller::FlashLayout layout_;
  const nand::NandTiming timing_;
  const channel::BusTiming bus_;
  const DriveCodes codes_;
  const MappingWork mapping_;
};

double collection_amplification(const PlatformParameters& p) {
  // Lower limit of the spare flash. A drive without spare flash would collect garbage forever.
  constexpr double least_spare = 1e-6;
  const double spare = std::max(least_spare, drive_capacity(p).effective_spare);
  const double filled = p.controller.precondition.occupancy;
  const std::uint32_t block_units = controller::flash_layout(p.controller, geometry_of(p)).mapping().units_per_block();
  return controller::greedy_equilibrium((filled > 0 ? filled : 1) / (1 + spare), block_units).write_amplification;
}

}  // namespace

DriveCapacity drive_capacity(const PlatformParameters& p) {
  const Geometry geometry = geometry_of(p);
  const controller::CapacityPlan plan = capacity_plan_of(p);
  const std::uint32_t unit = controller::flash_layout(p.controller, geometry).unit_bytes();
  return {geometry.bytes(), plan.exported_units() * unit, plan.effective_over_provisioning()};
}

DriveCeilings drive_ceilings(const PlatformParameters& p, std::uint32_t block_bytes,
                             std::optional<double> write_amplification, bool cached,
                             std::optional<std::uint64_t> range_bytes) {
  const Device device(p, cached, range_bytes);
  const double collection = cached ? 1 : collection_amplification(p);
  const std::array<FlashWork, access_kinds> work = {
      device.reads(block_bytes, false), device.writes(block_bytes, false, collection, write_amplification),
      device.reads(block_bytes, true), device.writes(block_bytes, true, 1, write_amplification)};
  DriveCeilings result;
  result.write_amplification = device.amplification(work[1], block_bytes);
  result.planes_at_once = device.planes();
  const auto of_kinds = [&](auto of_read, auto of_write) {
    return std::array<double, access_kinds>{of_read(work[0]), of_write(work[1]), of_read(work[2]), of_write(work[3])};
  };
  const auto of_all = [&](auto of) { return of_kinds(of, of); };

  const host::PcieLink link(p.host.link);
  constexpr std::uint32_t many = 1u << 30;
  const double byte_s = s_from_ticks(link.serialisation(many)) / many;
  const host::CommandTraffic read = host::read_traffic(p.host, block_bytes);
  const host::CommandTraffic write = host::write_traffic(p.host, block_bytes);
  const auto link_s = [byte_s](const host::CommandTraffic& command, double host::CommandTraffic::*direction) {
    return [=](const FlashWork& w) { return byte_s * (command.*direction + w.mapping.link.*direction); };
  };
  using host::CommandTraffic;
  result.demands.push_back(
      {"link upstream", of_kinds(link_s(read, &CommandTraffic::upstream), link_s(write, &CommandTraffic::upstream))});
  result.demands.push_back({"link downstream", of_kinds(link_s(read, &CommandTraffic::downstream),
                                                        link_s(write, &CommandTraffic::downstream))});

  const controller::FirmwareParameters& firmware = p.controller.firmware;
  result.demands.push_back(
      {"firmware", of_kinds([&](const FlashWork& w) { return device.firmware_s(w, firmware.read_cycles); },
                            [&](const FlashWork& w) { return device.firmware_s(w, firmware.write_cycles); })});
  const double pass_s = block_bytes / controller::peak_bytes_per_s(p.controller.dram);
  const auto dram_s = [pass_s](double passes) {
    return [=](const FlashWork& w) { return std::max(passes * pass_s + w.mapping.bus_s, w.mapping.bank_s); };
  };
  const controller::CacheParameters& cache = p.controller.cache;
  result.demands.push_back(
      {"dram", of_kinds(dram_s(cache.dram_passes_of_reads()), dram_s(cache.dram_passes_of_writes()))});
  result.demands.push_back({"channels", of_all([&](const FlashWork& w) { return device.channel_s(w); })});
  result.demands.push_back({"dies", of_all([&](const FlashWork& w) { return device.die_s(w); })});
  result.demands.push_back({"decoders", of_all([&](const FlashWork& w) { return device.decoder_s(w); })});
  result.demands.push_back({"encoders", of_all([&](const FlashWork& w) { return device.encoder_s(w); })});
  return result;
}

}  // namespace nandscape
