// SPDX-License-Identifier: Apache-2.0
// The codes that the pages of a drive are encoded by. A page is of one of them, and a job names it by its number in the
// list; the first one is the ordinary code.
//
// Where they differ in their codewords, misread bits are counted as if codewords were as short as the shortest ones,
// and each of these has room for as much parity as any code needs, and for a CRC: longer codewords begin and end with
// such a piece, and have the errors of all of theirs.
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
  std::shared_ptr<const CodeTable> table = nullptr;  // null unless the decoder goes by tables
  std::uint32_t engines = 0;                         // which of the drive's groups of engines is for it
};

// Sets where the codewords of each code lie, and returns how errors are counted. Of one code alone both are its
// page_layout(). Codewords of each are a whole number of the shortest ones. Of the drive's parameters, what all codes
// have in common counts: the decoder and the CRC.
PageLayout join_layouts(std::span<PageCode> codes, const EccParameters& drive, std::uint32_t page_bytes,
                        std::uint32_t spare_bytes);

// As the coders of engines see them.
std::vector<CoderCode> coder_codes(std::span<const PageCode> codes);

}  // namespace nandscape::ecc
