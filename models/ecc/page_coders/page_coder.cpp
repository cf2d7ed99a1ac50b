// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_coders/page_coder.h"

#include <algorithm>

#include "ecc/page_coders/scrambler.h"

namespace nandscape::ecc {

std::uint32_t PageCoder::up_to_failure(const EccJob& job, std::uint32_t most) {
  const auto first = std::ranges::find_if(job.codeword_errors, [most](std::uint16_t errors) { return errors > most; });
  if (first == job.codeword_errors.end()) return all_codewords;
  return static_cast<std::uint32_t>(first - job.codeword_errors.begin()) + 1;
}

void write_page(PageCoder& coder, EccJob& job) {
  if (job.scrambled) scramble(job.scrambler_seed, job.first_byte, {job.data + job.first_byte, job.bytes});
  coder.encode(job);
}

}  // namespace nandscape::ecc
