// SPDX-License-Identifier: Apache-2.0
// The codes that protect the pages of a drive. Each page uses one code. A job refers to the code by its index in the
// list; the code with index 0 is the ordinary code of the group `ecc`.
//
// If the codewords of the codes differ in length, misread bits are counted in pieces as long as the shortest codeword.
// Each piece has room for the largest parity that any code needs, and for a CRC. A longer codeword consists of a whole
// number of pieces, and its number of errors is the sum over its pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ecc/measurement/code_table.h"
#include "ecc/page_coders/decoder_model.h"
#include "ecc/parameters.h"
#include "protocol/page_layout.h"

namespace nandscape::ecc {

struct PageCode {
  CodeParameters parameters;
  PageLayout layout = {};
  std::shared_ptr<const CodeTable> table = nullptr;  // null unless the decoder uses tables
  std::uint32_t engines = 0;                         // index of the drive's group of ECC engines that serves this code
  std::uint32_t soft_engines = 0;                    // index of the group that decodes soft reads of this code
};

// Sets the `layout` of each code and returns the layout in which misread bits are counted. If there is only one code,
// both are equal to page_layout() of this code. The codeword length of each code must be a multiple of the shortest
// codeword length. `drive` supplies only the decoder and the CRC, which all codes share.
PageLayout join_layouts(std::span<PageCode> codes, const EccParameters& drive, std::uint32_t page_bytes,
                        std::uint32_t spare_bytes);

// Converts the codes to the form that the page coders of the ECC engines need.
std::vector<CoderCode> coder_codes(std::span<const PageCode> codes);

}  // namespace nandscape::ecc
