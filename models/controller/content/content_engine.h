// SPDX-License-Identifier: Apache-2.0
// Chooses the ISPP step of a page from the number of cells of its wordline in each state. A content engine uses either
// the equations of content-dependent bit error rates [Sha] or a plug-in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "controller/content/cell_states.h"
#include "controller/content/content_profile.h"
#include "controller/content/wordline_speed_table.h"
#include "core/parameters.h"

namespace nandscape::controller {

// Configuration group `controller.content`: ISPP steps chosen by the content of pages [Sha].
enum class FasterPages { both, lsb, msb };
enum class StepRule { wordline, page };
enum class ContentBound { relaxed, exact };

struct ContentParameters {
  ContentKind profile = ContentKind::mixed;
  double page_spread = ContentSpread().of_pages;
  FasterPages faster_pages = FasterPages::both;
  StepRule step_rule = StepRule::wordline;
  ContentBound bound = ContentBound::relaxed;
  bool state_mapping = false;
  std::vector<double> steps_mv = {380, 460, 540, 600, 680};  // Table II of [Sha]
  double kept_kilocycles = 15;                               // [Sha, section V-A]
  double kept_months = 12;                                   // [Sha, section V-A]
  double page_failure = 1e-7;
  std::string plugin;  // path of a library that replaces `bound`; empty if unused
  std::string plugin_options;
};
void describe(ContentParameters& p, ParameterVisitor& v);

class ContentEngine {
 public:
  virtual ~ContentEngine() = default;

  // Returns the number of cells of a wordline in each state. The arguments are the bytes of its two pages, which have
  // equal size.
  virtual StateCounts count(std::span<const std::byte> lsb, std::span<const std::byte> msb) = 0;
  // Returns the largest step with which the page will stay correctable. The result is an index into the table of write
  // speeds.
  virtual std::uint32_t step(PairedPage page, const StateCounts& states) = 0;
};

// The facts that the controller needs to choose steps by content: the parameters, the table of write speeds and the
// engine.
struct ContentFacts {
  ContentParameters parameters;
  std::shared_ptr<const WordlineSpeedTable> speeds;  // null until it has been computed
  // Chooses the step for two-bit cells in natural binary coding. Null for all other codings, for which `speeds` chooses
  // it.
  std::shared_ptr<ContentEngine> engine;
  std::uint32_t cells = 0;   // number of cells of a wordline
  bool keeps_bytes = false;  // whether the simulation keeps the bytes of pages
};

}  // namespace nandscape::controller
