// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/page_coder.h"

#include "ecc/page_coders/scrambler.h"

namespace nandscape::ecc {

void write_page(PageCoder& coder, EccJob& job) {
  if (job.scrambled) scramble(job.scrambler_seed, job.first_byte, {job.data + job.first_byte, job.bytes});
  coder.encode(job);
}

}  // namespace nandscape::ecc
