// SPDX-License-Identifier: Apache-2.0
#include "sector_model.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace nandscape::soak {

namespace {

using Words = std::array<std::uint64_t, sector_bytes / sizeof(std::uint64_t)>;

void fill(Words& words, std::uint64_t change, std::uint64_t sector) {
  for (std::size_t k = 0; k < words.size(); k += 2) {
    words[k] = change;
    words[k + 1] = sector;
  }
}

}  // namespace

SectorModel::SectorModel(std::uint64_t sectors, std::uint32_t unit_sectors, std::uint64_t most_sectors)
    : unit_sectors_(unit_sectors),
      most_sectors_(most_sectors),
      changes_(1, Change{0, sectors, true}),
      versions_(sectors),
      known_from_(sectors),
      unknown_below_(sectors) {}

SectorModel::Versions& SectorModel::versions(std::uint64_t sector) {
  Versions& found = versions_[sector];
  if (found.empty()) found.emplace_back();
  return found;
}

std::uint64_t SectorModel::start_write(std::uint64_t first, std::uint64_t count) { return start(first, count, false); }
std::uint64_t SectorModel::start_trim(std::uint64_t first, std::uint64_t count) { return start(first, count, true); }

std::uint64_t SectorModel::start(std::uint64_t first, std::uint64_t count, bool zeroes) {
  const std::uint64_t change = changes_.size();
  changes_.push_back({first, count, zeroes});
  ++now_;
  for (std::uint64_t sector = first; sector < first + count; ++sector) {
    Version version;
    version.change = change;
    version.start = now_;
    version.end = never;
    version.zeroes = zeroes;
    version.answered = false;
    version.durable = false;
    versions(sector).push_back(version);
  }
  return change;
}

void SectorModel::end(std::uint64_t change, Ending ending) {
  ++now_;
  const Change& c = changes_[change];
  for (std::uint64_t sector = c.first; sector < c.first + c.count; ++sector) {
    Versions& all = versions(sector);
    const auto own = std::find_if(all.begin(), all.end(), [&](const Version& v) { return v.change == change; });
    if (own == all.end()) continue;
    if (ending == Ending::without_effect) {
      all.erase(own);
      continue;
    }
    own->end = now_;
    own->answered = ending == Ending::answered || ending == Ending::durable;
    own->aborted = ending == Ending::aborted;
    own->durable = ending == Ending::durable;
    if (!own->answered) continue;
    if (known_from_[sector] == never) known_from_[sector] = now_;
    if (own->durable) unknown_below_[sector] = false;
    for (Version& before : all) {
      if (before.end >= own->start) continue;
      before.gone = std::min(before.gone, now_);
      before.replaced = true;
      if (own->durable) before.may_return = false;
    }
    forget_gone(all);
  }
}

void SectorModel::forget_gone(Versions& all) const {
  const Moment oldest = reads_.empty() ? now_ : *reads_.begin();
  std::erase_if(all, [&](const Version& v) { return !v.may_return && v.gone <= oldest; });
}

SectorModel::Moment SectorModel::start_read() {
  reads_.insert(++now_);
  return now_;
}

void SectorModel::end_read(Moment started) { reads_.erase(reads_.find(started)); }

std::uint64_t SectorModel::number_in(std::uint64_t sector, std::span<const std::byte> data) const {
  Words held;
  std::memcpy(held.data(), data.data(), sizeof held);
  const std::uint64_t number = held[0];
  Words expected{};
  if (number != 0) fill(expected, number, sector);
  const bool known = number < changes_.size() && (number == 0 || (!changes_[number].zeroes && covers(number, sector)));
  return known && held == expected ? number : torn;
}

// Returns a version for a read that has found write `number` after a power cut. The version existed when the power
// returned, and changes that have completed since then have replaced it.
SectorModel::Version SectorModel::found_again(std::uint64_t number, const Versions& since) const {
  Version found;
  found.change = number;
  found.zeroes = number == 0;
  found.end = found.start = last_cut_;
  for (const Version& v : since) {
    if (!v.answered || v.start <= last_cut_ || v.end == never) continue;
    found.gone = std::min(found.gone, v.end);
    found.replaced = true;
    if (v.durable) found.may_return = false;
  }
  return found;
}

std::string SectorModel::check_read(Moment started, std::uint64_t first, std::span<const std::byte> data) {
  ++now_;
  std::vector<std::uint64_t> numbers(data.size() / sector_bytes);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::uint64_t sector = first + k;
    const std::uint64_t number = numbers[k] = number_in(sector, data.subspan(k * sector_bytes, sector_bytes));
    if (number == torn) return "contents: sector " + std::to_string(sector) + " holds data never written there";
    Versions& all = versions(sector);
    const auto seen = [&](const Version& v) {
      return v.gone > started && (v.zeroes ? number == 0 : number == v.change);
    };
    if (started < known_from_[sector]) {
      if (std::none_of(all.begin(), all.end(), seen)) all.push_back(found_again(number, all));
      if (known_from_[sector] == never) known_from_[sector] = now_;
    }
    bool found = false;
    bool answered = true;
    bool durable = true;
    for (const Version& v : all) {
      if (!seen(v)) continue;
      found = true;
      answered &= v.answered;
      durable &= v.durable;
    }
    if (!found) {
      return "contents: sector " + std::to_string(sector) + " holds " +
             (number == 0 ? std::string("zeroes") : "write " + std::to_string(number)) + ", and may hold " +
             describe(all, started);
    }
    // All other changes that had ended before the read have either been replaced by the version that was found, or
    // never took effect.
    for (Version& v : all) {
      if (seen(v) || v.end >= started || v.aborted) continue;
      v.gone = std::min(v.gone, now_);
      v.replaced |= answered;
      if (durable && v.answered) v.may_return = false;
    }
    if (durable) unknown_below_[sector] = false;
    forget_gone(all);
  }
  return mixture(first, numbers);
}

std::string SectorModel::mixture(std::uint64_t first, std::span<const std::uint64_t> numbers) const {
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (numbers[k] == 0) continue;
    for (std::size_t other = k + 1; other < numbers.size(); ++other) {
      if ((first + other) / unit_sectors_ != (first + k) / unit_sectors_) break;
      if (numbers[other] == 0 || numbers[other] == numbers[k]) continue;
      // A large read is split into several commands, which may find different writes.
      if (k / most_sectors_ != other / most_sectors_) break;
      if (!covers(numbers[k], first + k, first + other) || !covers(numbers[other], first + k, first + other)) continue;
      return "mixture: sectors " + std::to_string(first + k) + " and " + std::to_string(first + other) +
             " of one unit hold writes " + std::to_string(numbers[k]) + " and " + std::to_string(numbers[other]) +
             ", each of which covers both";
    }
  }
  return {};
}

std::string SectorModel::describe(const Versions& all, Moment started) const {
  std::string text;
  for (const Version& v : all) {
    if (v.gone <= started) continue;
    if (!text.empty()) text += ", ";
    text += v.zeroes ? "zeroes" : "write " + std::to_string(v.change);
    if (v.aborted) text += " (aborted)";
  }
  return text;
}

void SectorModel::flushed(Moment started) {
  ++now_;
  for (std::uint64_t sector = 0; sector < sectors(); ++sector) {
    Versions& all = versions_[sector];
    if (all.size() <= 1 && (all.empty() || all.front().durable)) continue;
    for (Version& v : all) {
      if (v.answered && v.end < started) {
        v.durable = true;
        if (v.start > last_cut_) unknown_below_[sector] = false;
        for (Version& before : all) {
          if (before.end < v.start) before.may_return = false;
        }
      }
      if (v.replaced && v.gone < started) v.may_return = false;
    }
    forget_gone(all);
  }
}

void SectorModel::power_cut(bool saved) {
  ++now_;
  for (std::uint64_t sector = 0; sector < sectors(); ++sector) {
    Versions& all = versions_[sector];
    if (unknown_below_[sector]) {
      unknown_below_[sector] = !(saved && written_since_cut(all));
      if (unknown_below_[sector]) known_from_[sector] = never;
    }
    if (saved) {
      std::erase_if(all, [](const Version& v) { return v.gone != never; });
    } else {
      std::erase_if(all, [](const Version& v) { return !v.may_return; });
    }
    // After a power cut, the order of the versions is no longer known.
    for (Version& v : all) {
      v.start = v.end = now_;
      v.gone = never;
      v.durable = true;
      v.aborted = v.replaced = false;
    }
  }
  last_cut_ = now_;
}

bool SectorModel::written_since_cut(const Versions& all) const {
  return std::ranges::any_of(all, [&](const Version& v) { return v.answered && v.start > last_cut_; });
}

void SectorModel::forget() {
  for (std::uint64_t sector = 0; sector < sectors(); ++sector) {
    if (versions_[sector].empty()) continue;
    known_from_[sector] = never;
    unknown_below_[sector] = true;
  }
}

void SectorModel::came_to_rest() {
  ++now_;
  for (std::uint64_t sector = 0; sector < sectors(); ++sector) {
    Versions& all = versions_[sector];
    if (written_since_cut(all)) unknown_below_[sector] = false;
    std::erase_if(all, [](const Version& v) { return v.gone != never; });
    for (Version& v : all) {
      v.aborted = false;
      v.durable = true;
    }
  }
}

std::vector<std::byte> SectorModel::contents(std::uint64_t change) const {
  const Change& c = changes_[change];
  std::vector<std::byte> data(c.count * sector_bytes);
  Words words;
  for (std::uint64_t k = 0; k < c.count; ++k) {
    fill(words, change, c.first + k);
    std::memcpy(&data[k * sector_bytes], words.data(), sizeof words);
  }
  return data;
}

std::vector<std::uint64_t> SectorModel::touched() const {
  std::vector<std::uint64_t> found;
  for (std::uint64_t sector = 0; sector < sectors(); ++sector) {
    if (!versions_[sector].empty()) found.push_back(sector);
  }
  return found;
}

}  // namespace nandscape::soak
