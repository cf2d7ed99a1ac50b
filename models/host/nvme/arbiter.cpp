// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/arbiter.h"

#include <limits>
#include <utility>

namespace nandscape::host {
namespace {

constexpr std::array weighted_classes = {PriorityClass::high, PriorityClass::medium, PriorityClass::low};

}  // namespace

void Arbiter::configure(bool weighted, std::uint32_t feature) {
  weighted_ = weighted;
  const std::uint32_t exponent = feature & 7;
  burst_ = exponent == 7 ? std::numeric_limits<std::uint32_t>::max() : 1u << exponent;
  weights_ = {(feature >> 24 & 0xff) + 1, (feature >> 16 & 0xff) + 1,
              (feature >> 8 & 0xff) + 1};  // fields count from 0
  credits_ = weights_;
}

void Arbiter::remove(SubmissionQueue& queue) {
  if (!std::exchange(queue.waits_for_turn, false)) return;
  --waiting_queues_;
  Waiting& waiting = waiting_[list_of(queue)];
  Waiting others;
  while (!waiting.empty()) {
    SubmissionQueue& other = waiting.pop();
    if (&other != &queue) others.push(other);
  }
  waiting = others;
}

void Arbiter::clear() {
  waiting_ = {};
  waiting_queues_ = 0;
  for (SubmissionQueue& queue : queues_.submission) queue.waits_for_turn = false;
}

Arbiter::Turn Arbiter::next_of_classes(std::uint32_t limit) {
  constexpr auto urgent = static_cast<std::size_t>(PriorityClass::urgent);
  if (!waiting_[urgent].empty()) return serve(urgent, limit);

  for (int round = 0; round < 2; ++round) {
    bool any = false;
    for (std::size_t k = 0; k < weighted_classes.size(); ++k) {
      const auto list = static_cast<std::size_t>(weighted_classes[k]);
      if (waiting_[list].empty()) continue;
      any = true;
      if (credits_[k] == 0) continue;
      const Turn turn = serve(list, std::min(limit, credits_[k]));
      credits_[k] -= turn.commands;
      return turn;
    }
    if (!any) break;
    credits_ = weights_;  // the classes that have commands have used up their credits, so the next round begins
  }
  return {};
}

}  // namespace nandscape::host
