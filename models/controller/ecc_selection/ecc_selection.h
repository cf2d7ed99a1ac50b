// SPDX-License-Identifier: Apache-2.0
// Selects a code for each page from the codes of the drive (`ecc.selection`). The number of the code is stored in the
// tag of the page (page_tag.h), so it moves with the page and survives a loss of power.
//
// A page is encoded before its location on flash has been chosen. If the choice of the code depends on the location, it
// is made for the expected location. The page is encoded again if it is then written to another location at which its
// code is not allowed. If the choice depends on the content of the cells, both pages of a wordline are gathered before
// the first is encoded (writing/page_encoding.h).
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

// Scrambles the bytes of a page as an ECC engine does. It is used by policies that need to know the stored bytes before
// the page is encoded. Its arguments are the seed of the page, and the bytes of the page from the first byte onward.
using ScrambleBytes = std::function<void(std::uint64_t seed, std::span<std::byte> bytes)>;

// A page that is about to be encoded or written.
struct PageToEncode {
  bool background = false;  // written by garbage collection or refresh, so that the host does not wait for it
  bool padding = false;     // the page holds no data
  std::span<const std::uint64_t> tag = {};
  // The data of the page, before scrambling unless `encoded` is set. Empty if the simulation keeps no data.
  std::span<const std::byte> data = {};
  bool encoded = false;
  std::optional<std::uint32_t> type = {};  // number of the page in its wordline, if known
};

// The coding of a page: its code, and the number of the map of its cell states (content/state_mapping.h).
struct PageCoding {
  CodeNumber code = ordinary_code;
  std::uint8_t state_map = 0;
};

class CodeChooser {
 public:
  virtual ~CodeChooser() = default;
  virtual PageCoding coding_for(const PageToEncode& page) = 0;
  // Returns whether the choice depends on both pages of a wordline. If so, the caller waits until it has both pages and
  // then calls codings_for().
  virtual bool goes_by_wordline() const { return false; }
  // Returns the codings of the first and of the last page of a wordline.
  virtual std::array<PageCoding, 2> codings_for(const PageToEncode& first, const PageToEncode& last) {
    return {coding_for(first), coding_for(last)};
  }
  // Returns whether a page may have a state map other than the identity.
  virtual bool maps_states() const { return false; }
  // Returns whether the choice depends on the location of the page on flash.
  virtual bool goes_by_place() const { return false; }
  // Returns whether the page may be written with that coding to the location that it now has.
  [[nodiscard]] virtual bool may_stand(PageCoding /*coding*/, const PageToEncode& /*page*/) { return true; }
};

// The requirements on stored data. After `pe_cycles` program/erase cycles and `days` of retention, a page may fail with
// a probability of at most `page_failure`.
struct DataToKeep {
  double pe_cycles = 15000;
  double days = 365;
  double page_failure = 1e-7;
};

// Facts about the drive on which the choice of codes may depend.
struct CodeChoiceContext {
  std::uint32_t codes = 1;  // number of codes that the drive has
  SegmentLimits limits;     // derived from the cells of the drive; only if limits_of_cells() returns a value
  bool keeps_data = false;  // whether the simulation keeps the bytes of pages
  ScrambleBytes scramble;   // empty if pages are not scrambled
};

class EccSelection {
 public:
  // Which codes the drive has in addition to its ordinary code, whose number is 0.
  enum class Codes : std::uint8_t {
    ordinary,    // no other code
    background,  // also the code of `ecc.background`, which has number 1
    segments,    // also the codes of `ecc.segments`; the code with number k has 2^k codewords in a page
  };

  virtual ~EccSelection() = default;
  virtual Codes codes() const = 0;
  // Returns the requirements from which limits are derived from the cells. Returns nothing if the limits are given in
  // the configuration or not used.
  virtual std::optional<DataToKeep> limits_of_cells() const { return std::nullopt; }
  virtual bool maps_states() const { return false; }
  // Returns null if all pages use the ordinary code. The tags of pages then contain no code number.
  virtual std::unique_ptr<CodeChooser> make_chooser(const CodeChoiceContext& context) const = 0;
};

using EccSelectionRegistry = Registry<EccSelection>;
EccSelectionRegistry& ecc_selection_registry();

}  // namespace nandscape::controller
