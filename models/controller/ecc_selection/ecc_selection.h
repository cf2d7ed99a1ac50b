// SPDX-License-Identifier: Apache-2.0
// Selects the code of each page among the drive's codes (`ecc.selection`). The tag of a page (page_tag.h) names its
// code, which therefore moves with the page and survives a power loss.
//
// A page is encoded before it has its place on flash. If the choice depends on the place, it is made for the expected
// place. A page that gets another place, where its code is not allowed, is encoded again. If the choice depends on the
// content of the cells, both pages of a wordline are gathered before the first is encoded (writing/page_encoding.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "controller/content/segment_table.h"
#include "controller/mapping/page_tag.h"
#include "core/registry.h"
#include "protocol/ecc_job.h"

namespace nandscape::controller {

// Scrambles bytes as the engines would, before the bytes reach an engine. Takes the seed of the page, and its bytes
// from the first byte onward.
using ScrambleBytes = std::function<void(std::uint64_t seed, std::span<std::byte> bytes)>;

// A page that is about to be encoded or written.
struct PageToEncode {
  bool background = false;  // written by collection or refresh: the host does not wait for it
  bool padding = false;     // the page holds no data
  std::span<const std::uint64_t> tag = {};
  // The data bytes, plain until the page is encoded; empty when the simulation keeps none.
  std::span<const std::byte> data = {};
  bool encoded = false;
  std::optional<std::uint32_t> type = {};  // its page number within the wordline, if known
};

// The coding of a page: its code, and the map of its states (content/state_mapping.h).
struct PageCoding {
  CodeNumber code = ordinary_code;
  std::uint8_t state_map = 0;
};

class CodeChooser {
 public:
  virtual ~CodeChooser() = default;
  virtual PageCoding coding_for(const PageToEncode& page) = 0;
  // Whether choices depend on both pages of a wordline. If so, the caller gathers both and calls codings_for().
  virtual bool goes_by_wordline() const { return false; }
  // Returns the codings of the first and of the last page of a wordline.
  virtual std::array<PageCoding, 2> codings_for(const PageToEncode& first, const PageToEncode& last) {
    return {coding_for(first), coding_for(last)};
  }
  // Whether pages may have a state map other than the identity.
  virtual bool maps_states() const { return false; }
  // Whether choices depend on the place of a page on flash.
  virtual bool goes_by_place() const { return false; }
  // Whether a page with that coding is allowed at its current place.
  [[nodiscard]] virtual bool may_stand(PageCoding /*coding*/, const PageToEncode& /*page*/) { return true; }
};

// The required endurance and retention of data, and the accepted probability that a page fails at their end.
struct DataToKeep {
  double pe_cycles = 15000;
  double days = 365;
  double page_failure = 1e-7;
};

// Facts about the drive on which a choice may depend.
struct CodeChoiceContext {
  std::uint32_t codes = 1;  // number of the drive's codes
  SegmentLimits limits;     // derived from the drive's cells, if the selection asks for them
  bool keeps_data = false;  // the simulation keeps the bytes of pages
  ScrambleBytes scramble;   // empty when pages are not scrambled
};

class EccSelection {
 public:
  // The codes of the drive besides its ordinary code, which is number 0.
  enum class Codes : std::uint8_t {
    ordinary,    // none
    background,  // the code of `ecc.background`, number 1
    segments,    // the codes of `ecc.segments`: code k has 2^k codewords in a page
  };

  virtual ~EccSelection() = default;
  virtual Codes codes() const = 0;
  // Returns the requirements for deriving limits from the cells, or nothing if the limits are given.
  virtual std::optional<DataToKeep> limits_of_cells() const { return std::nullopt; }
  virtual bool maps_states() const { return false; }
  // Returns null if all pages use the ordinary code; tags then name no code.
  virtual std::unique_ptr<CodeChooser> make_chooser(const CodeChoiceContext& context) const = 0;
};

using EccSelectionRegistry = Registry<EccSelection>;
EccSelectionRegistry& ecc_selection_registry();

}  // namespace nandscape::controller
