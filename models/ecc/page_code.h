// SPDX-License-Identifier: Apache-2.0
// The codes of a drive's pages. Each page uses one code, and a job names it by its number in the list; the first code
// is the ordinary one.
//
// If the codewords of the codes differ in length, misread bits are counted in pieces as long as the shortest codewords.
// Each piece has room for as much parity as any code needs, and for a CRC. A longer codeword begins and ends with a
// piece, and its errors are the sum over its pieces.
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
  std::uint32_t engines = 0;                         // index of the drive's group of engines for this code
};

// Sets the layout of each code and returns the layout in which errors are counted; for a single code, both are its
// page_layout(). The codeword length of each code must be a multiple of the shortest one. `drive` gives only the
// decoder and the CRC, which all codes share.
PageLayout join_layouts(std::span<PageCode> codes, const EccParameters& drive, std::uint32_t page_bytes,
                        std::uint32_t spare_bytes);

// The codes in the form that the page coders of engines take.
std::vector<CoderCode> coder_codes(std::span<const PageCode> codes);

}  // namespace nandscape::ecc
