// SPDX-License-Identifier: Apache-2.0
#include "ecc/page_code.h"

#include <algorithm>

#include "ecc/codes/codec.h"

namespace nandscape::ecc {

PageLayout join_layouts(std::span<PageCode> codes, const EccParameters& drive, std::uint32_t page_bytes,
                        std::uint32_t spare_bytes) {
  std::uint32_t shortest = page_bytes;
  for (const PageCode& code : codes) shortest = std::min(shortest, code.parameters.codeword_bytes);
  if (!decoder_of(drive)->has_code()) {
    for (PageCode& code : codes) {
      code.layout = PageLayout::sharing_spare(page_bytes, spare_bytes, code.parameters.codeword_bytes);
    }
    return PageLayout::sharing_spare(page_bytes, spare_bytes, shortest);
  }
  // The parity bytes and the total number of bits of a piece. A piece is as long as the shortest codeword.
  std::uint32_t parity_bytes = 0;
  std::uint32_t bits = 0;
  for (PageCode& code : codes) {
    const std::unique_ptr<Codec> codec = make_codec(code_of(code.parameters));
    const std::uint32_t pieces = code.parameters.codeword_bytes / shortest;
    parity_bytes = std::max(parity_bytes, (codec->parity_bytes() + pieces - 1) / pieces);
    bits = std::max(bits, (codec->codeword_bits() + pieces - 1) / pieces);
    code.layout = {page_bytes, spare_bytes, code.parameters.codeword_bytes, 0, codec->codeword_bits()};
  }
  // If there are several codes, errors are counted in the whole parity area, because each code uses a different number
  // of parity bits. The bits of the CRC are not counted.
  if (codes.size() > 1) bits = 8 * (shortest + parity_bytes);
  const std::uint32_t room = parity_bytes + crc_bits_of(drive) / 8;
  for (PageCode& code : codes) code.layout.parity_bytes = code.layout.codeword_bytes / shortest * room;
  return {page_bytes, spare_bytes, shortest, room, bits};
}

std::vector<CoderCode> coder_codes(std::span<const PageCode> codes) {
  std::vector<CoderCode> of_coders;
  for (const PageCode& code : codes) {
    of_coders.push_back({code_of(code.parameters), correctable_bits(code.parameters), code.layout, code.table});
  }
  return of_coders;
}

}  // namespace nandscape::ecc
