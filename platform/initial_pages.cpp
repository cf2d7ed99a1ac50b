// SPDX-License-Identifier: Apache-2.0
#include "platform/initial_pages.h"

#include <cstring>
#include <utility>

#include "ecc/scrambler.h"

namespace nandscape {

FilledPages::FilledPages(const InitialFill& fill, Ppn first, const PageLayout& layout, bool scrambled,
                         std::unique_ptr<PageCoder> coder)
    : fill_(fill), first_(first), layout_(layout), scrambled_(scrambled), coder_(std::move(coder)) {}

void FilledPages::read(std::uint64_t row, std::byte* page) const {
  // Pages that were invalid from the start held something, too; nobody asks what.
  const Lpn lpn = fill_.lpn_at(Ppn(first_.value + row));
  EccJob job;
  job.kind = EccKind::encode;
  job.bytes = layout_.page_bytes;
  job.data = page;
  std::memset(page, 0, layout_.page_bytes);
  if (scrambled_) scramble(lpn.value, 0, {page, layout_.page_bytes});
  coder_->encode(job);
}

}  // namespace nandscape
