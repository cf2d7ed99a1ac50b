// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/onfi_pins_die.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nand/coding/coding.h"
#include "platform/config/flash_device_parameters.h"
#include "rtl/onfi/onfi_wires.h"
#include "rtl/waves/signal_recorder_module.h"

namespace nandscape {

namespace {

using rtl::onfi::Interface;

enum class ReadyBy { pin, status };

struct OnfiPinsParameters {
  Interface interface = Interface::nv_ddr;
  std::uint32_t timing_mode = rtl::onfi::timing_modes - 1;
  ReadyBy ready = ReadyBy::pin;
  double poll_interval_us = 5;
};

void describe(OnfiPinsParameters& p, ParameterVisitor& v) {
  v.unread_if(p.ready == ReadyBy::pin, {"poll_interval_us"}, "ready is pin");
  v.choice("interface", p.interface, {{"sdr", "asynchronous, WE_n and RE_n"}, {"nv_ddr", "CLK and DQS"}},
           "data interface of the pins");
  v.integer("timing_mode", p.timing_mode, {0, rtl::onfi::timing_modes - 1}, "", "timing mode of that interface");
  v.choice("ready", p.ready, {{"pin", "by R/B_n"}, {"status", "by repeated READ STATUS"}},
           "how the player detects that a die is ready");
  v.real("poll_interval_us", p.poll_interval_us, {1e-3, 1e6}, "us", "time between two reads of the status");
}

// Returns the use of the spare bytes. The parity is padded to an even number of bytes, because NV-DDR transfers pairs
// of bytes and the words of the tag must begin at an even column.
rtl::onfi::SpareUse spare_use(const DieContext& c) {
  const std::uint32_t parity = c.store->keeps_spare() ? c.layout.codewords() * c.layout.parity_bytes : 0;
  return {.parity_bytes = (parity + 1) & ~1u, .tag_words = c.tag_words};
}

// The initial contents of pages, in which the spare bytes contain the tags.
class PagesWithTags final : public nand::InitialPages {
 public:
  PagesWithTags(const Geometry& geometry, const rtl::onfi::SpareUse& spare, std::unique_ptr<nand::PageStore> pages,
                std::unique_ptr<nand::PageTags> tags)
      : geometry_(geometry), spare_(spare), pages_(std::move(pages)), tags_(std::move(tags)) {}

  void read(std::uint64_t row, std::byte* page) const override {
    std::fill_n(page, geometry_.page_bytes + geometry_.spare_bytes, std::byte{0xff});
    pages_->read(row, true, page);
    if (tags_ == nullptr) return;
    std::vector<std::uint64_t> words(spare_.tag_words);
    tags_->read(BlockInDie(static_cast<std::uint32_t>(row / geometry_.pages_per_block)),
                static_cast<std::uint32_t>(row % geometry_.pages_per_block), true, words);
    rtl::onfi::SpareTag tag(spare_.tag_words);
    tag.fill(words);
    std::copy_n(tag.field(), tag.bytes(), page + geometry_.page_bytes + spare_.parity_bytes);
  }

 private:
  const Geometry& geometry_;
  const rtl::onfi::SpareUse spare_;
  const std::unique_ptr<nand::PageStore> pages_;
  const std::unique_ptr<nand::PageTags> tags_;
};

std::unique_ptr<nand::PageStore> store_with_tags(DieContext& c) {
  auto initial = std::make_unique<PagesWithTags>(c.geometry, spare_use(c), std::move(c.store), std::move(c.tags));
  return std::make_unique<nand::PageStore>(c.layout, nand::PageStore::Spare::kept, std::move(initial));
}

rtl::onfi::PlayerSettings settings_of(const OnfiPinsParameters& p, const DieContext& c) {
  return {.timing = {p.interface, static_cast<std::uint8_t>(p.timing_mode)},
          .spare = spare_use(c),
          .poll_status = p.ready == ReadyBy::status,
          .poll_interval = ticks_from_us(p.poll_interval_us)};
}

// The built-in die behind ONFI pins. It requires settings that the pins can carry (config/compatibility.h).
class OnfiPinsDie final : public DieBlock {
 public:
  using Parameters = OnfiPinsParameters;
  OnfiPinsDie(const Parameters& p, DieContext& c)
      : read_levels_(nand::coding_named(c.parameters.nand.coding).states() - 1),
        wires_((c.name + "_wires").c_str()),
        player_((c.name + "_player").c_str(), c.calendar, c.geometry, settings_of(p, c), &c.bus_turns),
        device_((c.name + "_device").c_str(), c.calendar, c.geometry, read_levels_, rtl::onfi::OnViolation::fail),
        die_(c.name.c_str(), c.calendar, c.geometry, c.timing, store_with_tags(c), c.cells) {
    wires_.connect(player_);
    wires_.connect(device_);
    device_.die_socket().bind(die_.socket());
    if (const std::string file = c.waves.path(".vcd", c.name); !file.empty()) record(c, file);
  }

  JobTargetSocket<NandCommand>& socket() override { return player_.socket(); }
  nand::DieModule* inner() override { return &die_; }
  bool carries_bus_time() const override { return true; }
  bool idle() override { return device_.idle(); }

 private:
  void record(const DieContext& c, const std::string& file) {
    recorder_ =
        std::make_unique<rtl::SignalRecorderModule>((c.name + "_pins").c_str(), file, c.waves.begin(), c.waves.end());
    wires_.for_each([this](const auto& wire) { recorder_->add(wire); });
  }

  const std::uint32_t read_levels_;
  rtl::onfi::OnfiWires wires_;
  rtl::onfi::OnfiPlayerModule player_;
  rtl::onfi::OnfiDeviceModule device_;
  nand::DieModule die_;
  std::unique_ptr<rtl::SignalRecorderModule> recorder_;  // records the pins' waves, if configured
};

}  // namespace

void add_onfi_pins_die(DieBlocks& blocks) {
  blocks.add<OnfiPinsDie>("onfi_pins",
                          "the built-in die behind the pins of an ONFI target, with the player that drives them");
}

}  // namespace nandscape
