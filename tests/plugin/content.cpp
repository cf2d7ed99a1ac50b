// SPDX-License-Identifier: Apache-2.0
// A test plug-in whose content engine uses the exact error rates of all states, as the built-in engine does with
// `controller.content.bound: exact` [Sha, equations 4 and 5]. With the option `slow`, it selects the first step for
// every page.
#include <bit>
#include <cstring>
#include <vector>

#include "protocol/plugin/plugin.h"

using namespace nandscape::plugin;

namespace {

class ExactBound final : public ContentEngine {
 public:
  explicit ExactBound(const ContentRequest& request)
      : steps_(request.steps.begin(), request.steps.end()),
        correctable_ber_(request.correctable_ber),
        slow_(std::strcmp(request.options, "slow") == 0) {}

  StateCounts count(std::span<const std::byte> lsb, std::span<const std::byte> msb) override {
    StateCounts counts;
    for (std::size_t k = 0; k < lsb.size(); ++k) {
      const auto l = std::to_integer<unsigned>(lsb[k]);
      const auto m = std::to_integer<unsigned>(msb[k]);
      counts.s11 += static_cast<std::uint32_t>(std::popcount(m & l));
      counts.s10 += static_cast<std::uint32_t>(std::popcount(m & ~l));
      counts.s01 += static_cast<std::uint32_t>(std::popcount(~m & l));
      counts.s00 += 8 - static_cast<std::uint32_t>(std::popcount(m | l));
    }
    return counts;
  }

  std::uint32_t step(PairedPage page, const StateCounts& states) override {
    auto step = slow_ ? 0 : static_cast<std::uint32_t>(steps_.size() - 1);
    while (step > 0 && error_rate(page, steps_[step], states) > correctable_ber_) --step;
    return step;
  }

 private:
  static double error_rate(PairedPage page, const WriteStep& step, const StateCounts& n) {
    const StateShares& low = step.read_lower;
    const StateShares& high = step.read_higher;
    double errors = n.s10 * high.s10 + n.s01 * low.s01;
    if (page == PairedPage::lsb) {
      errors += n.s11 * high.s11 + n.s10 * low.s10 + n.s01 * high.s01 + n.s00 * low.s00;
    }
    const double cells = 0.0 + n.s11 + n.s10 + n.s01 + n.s00;
    return cells > 0 ? errors / cells : 0;
  }

  const std::vector<WriteStep> steps_;
  const double correctable_ber_;
  const bool slow_;
};

class ContentPlugin final : public Plugin {
 public:
  ContentEngine* make_content_engine(const ContentRequest& request, std::span<char>) override {
    return new ExactBound(request);
  }
};

}  // namespace

NANDSCAPE_PLUGIN(ContentPlugin)
