// SPDX-License-Identifier: Apache-2.0
#include "platform/initial_pages.h"

#include <cstring>
#include <utility>

namespace nandscape {

FilledPages::FilledPages(const InitialFill& fill, Ppn first, const DataPath& path, std::unique_ptr<PageCoder> coder)
    : fill_(fill),
      first_(first),
      layout_(path.layout),
      page_bytes_(path.buffer_bytes()),
      scrambled_(path.scramble),
      coder_(std::move(coder)) {}

void FilledPages::read(std::uint64_t row, std::byte* page) const {
  // Pages that were invalid from the start held something, too; nobody asks what.
  const Lpn lpn = fill_.lpn_at(Ppn(first_.value + row));
  EccJob job;
  job.kind = EccKind::encode;
  job.bytes = layout_.page_bytes;
  job.scrambled = scrambled_;
  job.scrambler_seed = lpn.value;
  job.data = page;
  std::memset(page, 0, page_bytes_);
  write_page(*coder_, job);
}

}  // namespace nandscape
