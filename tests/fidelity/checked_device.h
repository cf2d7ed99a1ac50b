// SPDX-License-Identifier: Apache-2.0
// A device together with a record of the data that each of its sectors must hold, so that every read can be checked.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "core/random.h"
#include "platform/simulation/simulation.h"
#include "protocol/storage.h"

namespace nandscape {

// Records the version of the data in each of the device's first sectors. Version 0 means that the sector was never
// written or has been trimmed.
class CheckedDevice {
 public:
  // Uses only the first `sectors` sectors of the device.
  CheckedDevice(Simulation& simulation, std::uint64_t sectors)
      : simulation_(simulation), versions_(sectors), random_(11, "stored data") {}

  void write(std::uint64_t lba, std::uint64_t sectors) {
    data_.resize(sectors * sector_bytes);
    ++latest_;
    for (std::uint64_t k = 0; k < sectors; ++k) {
      versions_[lba + k] = latest_;
      fill(std::span(data_).subspan(k * sector_bytes, sector_bytes), lba + k);
    }
    simulation_.write(lba, data_);
  }

  // Reads the sectors and returns how many of them hold wrong data.
  std::uint64_t read(std::uint64_t lba, std::uint64_t sectors) {
    // Fills the buffer with a pattern first, so that bytes that the read fails to overwrite are found to be wrong.
    data_.assign(sectors * sector_bytes, std::byte{0xa5});
    simulation_.read(lba, data_);
    std::uint64_t wrong = 0;
    std::array<std::byte, sector_bytes> expected;
    for (std::uint64_t k = 0; k < sectors; ++k) {
      fill(expected, lba + k);
      wrong += std::memcmp(expected.data(), data_.data() + k * sector_bytes, sector_bytes) != 0;
    }
    return wrong;
  }

  // Trims the sectors, which must then read as zeroes. Sectors need not cover whole pages.
  void trim(std::uint64_t lba, std::uint64_t sectors) {
    simulation_.trim(lba, sectors);
    for (std::uint64_t k = lba; k < lba + sectors; ++k) versions_[k] = 0;
  }

  // Runs one random command. Returns the number of wrong sectors if the command is a read, otherwise 0.
  std::uint64_t random_command() {
    // At most 96 KiB. Some commands cover several whole pages, many cover part of a page, and some are longer than one
    // NVMe command can be.
    const std::uint64_t longest = random_.below(4) == 0 ? 192 : 24;
    const std::uint64_t sectors = 1 + random_.below(longest);
    const std::uint64_t lba = random_.below(versions_.size() - sectors + 1);
    const std::uint64_t choice = random_.below(100);
    if (choice < 45) return read(lba, sectors);
    if (choice < 90) {
      write(lba, sectors);
    } else if (choice < 97) {
      trim(lba, sectors);
    } else {
      simulation_.flush();
    }
    return 0;
  }

  std::uint64_t read_everything() {
    std::uint64_t wrong = 0;
    for (std::uint64_t lba = 0; lba < versions_.size(); lba += 128) {
      wrong += read(lba, std::min<std::uint64_t>(128, versions_.size() - lba));
    }
    return wrong;
  }

 private:
  // Fills the sector with zeroes for version 0. Otherwise fills it with bytes that are unique to this sector and
  // version.
  void fill(std::span<std::byte> sector, std::uint64_t lba) const {
    std::fill(sector.begin(), sector.end(), std::byte{0});
    if (versions_[lba] == 0) return;
    for (std::size_t k = 0; k < sector.size(); k += 8) {
      const std::uint64_t word = mix64(lba << 40 ^ std::uint64_t{versions_[lba]} << 8 ^ k / 8);
      std::memcpy(&sector[k], &word, sizeof word);
    }
  }

  Simulation& simulation_;
  std::vector<std::uint32_t> versions_;
  std::uint32_t latest_ = 0;
  RandomStream random_;
  std::vector<std::byte> data_;
};

}  // namespace nandscape
