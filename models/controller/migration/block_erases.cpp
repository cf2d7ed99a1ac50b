// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/block_erases.h"

#include <algorithm>
#include <ostream>
#include <utility>

namespace nandscape::controller {

void BlockErases::erase(Superblock block, Tick now) {
  if (!power_.programmed_is_durable() && journal_.pending()) {
    waiting_.push_back(block);
    journal_.write(now);
    return;
  }
  send(block, now);
}

void BlockErases::send_waiting(Tick now) {
  for (const Superblock block : std::exchange(waiting_, {})) send(block, now);
}

void BlockErases::send(Superblock block, Tick now) {
  Tick at = now;
  if (firmware_ != nullptr) {
    for (std::uint32_t member = 0; member < io_.layout().members(); ++member) {
      at = std::max(at, firmware_->charge(FirmwareWork::erase, now));
    }
  }
  if (at == now) {
    start(block.value);
  } else {
    calendar_.schedule<&BlockErases::start>(at, *this, std::uint64_t{block.value});
  }
}

// The erases of all members are enqueued before the first one is sent, so that a die erases its planes together.
void BlockErases::start(std::uint64_t number) {
  const Superblock block{static_cast<std::uint32_t>(number)};
  const FlashLayout& layout = io_.layout();
  const Tick now = calendar_.now();
  if (layout.members() > 1) {
    superblocks_.start(block, layout.members());
    io_.hold();
  }
  for (std::uint32_t member = 0; member < layout.members(); ++member) {
    MemberErase& erase = erases_.acquire();
    erase.block = block;
    FlashIo::set_address(erase, layout.find(block, 0, member));
    erase.command.operation = NandOperation::erase;
    io_.enqueue(erase, now);
  }
  if (layout.members() > 1) io_.send_held(now);
}

void BlockErases::ended(MemberErase& erase, Tick now) {
  const Superblock block = erase.block;
  bool erased = erase.command.status == NandStatus::pass;
  failed_ += !erased;
  erases_.release(erase);
  if (io_.layout().members() > 1) {
    if (!superblocks_.ended(block, erased)) return;
    erased = superblocks_.take(block);
  }
  for (EraseListener* const listener : listeners_) listener->block_erased(block, erased, now);
}

void BlockErases::list_waiting(std::ostream& out) const {
  if (!waiting_.empty()) out << waiting_.size() << " erases wait for the journal of trims\n";
}

}  // namespace nandscape::controller
