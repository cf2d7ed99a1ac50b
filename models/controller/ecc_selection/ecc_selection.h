// SPDX-License-Identifier: Apache-2.0
// Which pages are encoded by which of the drive's codes (`ecc.selection`). Which code a page is of stands in its tag
// (page_tag.h): it moves with the page, and outlasts the power. Variants: uniform, by_source, cdber.
//
// A page is encoded before it has its place on flash. Where the choice depends on the place it is made for the one that
// the page is expected to get; a page that gets another one, and whose code may not stand there, is encoded anew. Where
// it goes by what the cells will hold, the two pages of a wordline are gathered before the first of them is encoded
// (writing/wordline_pairs.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "controller/mapping/page_tag.h"
#include "core/registry.h"
#include "protocol/ecc_job.h"

namespace nandscape::controller {

// The scrambler of the engines, for bytes that are looked at before they come there: seed of the page, and its bytes
// from the first one on.
using ScrambleBytes = std::function<void(std::uint64_t seed, std::span<std::byte> bytes)>;

// What is known of a page that is about to be encoded, or to be written.
struct PageToEncode {
  bool background = false;  // it makes room, or keeps data: the host does not wait for it
  bool padding = false;     // it holds nothing
  std::span<const std::uint64_t> tag = {};
  // Its data bytes; empty where none are kept. Before the page is encoded they are plain.
  std::span<const std::byte> data = {};
  bool encoded = false;
  std::optional<std::uint32_t> type = {};  // which page of its wordline it will be, as far as that is known
};

// How a page is written: by which code, and with which map of its states (content/state_mapping.h).
struct PageCoding {
  CodeNumber code = ordinary_code;
  std::uint8_t state_map = 0;
};

class CodeChooser {
 public:
  virtual ~CodeChooser() = default;
  virtual PageCoding coding_for(const PageToEncode& page) = 0;
  // Whether choices go by both pages of a wordline, where these are gathered.
  virtual bool goes_by_wordline() const { return false; }
  // Of the first page of a wordline and the last.
  virtual std::array<PageCoding, 2> codings_for(const PageToEncode& first, const PageToEncode& last) {
    return {coding_for(first), coding_for(last)};
  }
  // Whether pages may be of a state map.
  virtual bool maps_states() const { return false; }
  // Whether choices depend on where pages lie.
  virtual bool goes_by_place() const { return false; }
  // Whether a page that is coded so may stand where it lies now.
  virtual bool may_stand(PageCoding /*coding*/, const PageToEncode& /*page*/) { return true; }
};

// Of the codes from the second on: a page may be of one if in each of its segments less than that share of the cells is
// weak (content/cdber.h), which depends on the page of the wordline that it is.
struct SegmentLimits {
  std::vector<double> lsb;
  std::vector<double> msb;
};

// What data have to bear, and how seldom a page may fail then.
struct DataToKeep {
  double pe_cycles = 15000;
  double days = 365;
  double page_failure = 1e-7;
};

// What a choice may depend on.
struct CodeChoiceContext {
  std::uint32_t codes = 1;  // of the drive
  SegmentLimits limits;     // that follow from the drive's cells, where they are asked for
  bool keeps_data = false;  // the bytes of pages are there
  ScrambleBytes scramble;   // empty where pages are not scrambled
};

class EccSelection {
 public:
  // What the drive has besides its ordinary code, whose number is 0.
  enum class Codes : std::uint8_t {
    ordinary,    // nothing
    background,  // the code of `ecc.background`, whose number is 1
    segments,    // those of `ecc.segments`: code k has 2^k codewords in a page
  };

  virtual ~EccSelection() = default;
  virtual Codes codes() const = 0;
  // Asks for limits that follow from the cells.
  virtual std::optional<DataToKeep> limits_of_cells() const { return std::nullopt; }
  virtual bool maps_states() const { return false; }
  // Null where all pages are of the ordinary code, and tags say nothing of it.
  virtual std::unique_ptr<CodeChooser> make_chooser(const CodeChoiceContext& context) const = 0;
};

using EccSelectionRegistry = Registry<EccSelection>;
const EccSelectionRegistry& ecc_selection_registry();

}  // namespace nandscape::controller
