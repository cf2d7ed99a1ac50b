// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/arbiter.h"

#include <algorithm>
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

void Arbiter::add(std::uint16_t queue) {
  SubmissionQueue& sq = queues_.submission[queue];
  if (sq.waits_for_turn) return;
  sq.waits_for_turn = true;
  ++waiting_queues_;
  waiting_[list_of(queue)].push(queue);
}

void Arbiter::remove(std::uint16_t queue) {
  if (!std::exchange(queues_.submission[queue].waits_for_turn, false)) return;
  --waiting_queues_;
  for (Waiting& w : waiting_) {
    for (std::size_t left = w.size(); left != 0; --left) {
      const std::uint16_t id = w.front();
      w.pop();
      if (id != queue) w.push(id);
    }
  }
}

void Arbiter::clear() {
  for (Waiting& w : waiting_) w.clear();
  waiting_queues_ = 0;
  for (SubmissionQueue& sq : queues_.submission) sq.waits_for_turn = false;
}

Arbiter::Turn Arbiter::next(std::uint32_t limit) {
  constexpr auto urgent = static_cast<std::size_t>(PriorityClass::urgent);
  if (!waiting_[first_list].empty()) return serve(first_list, limit);
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
    credits_ = weights_;  // no class with commands has credits left, so the next round begins
  }
  return {};
}

Arbiter::Turn Arbiter::serve(std::size_t list, std::uint32_t limit) {
  Waiting& queue_ids = waiting_[list];
  const std::uint16_t id = queue_ids.front();
  queue_ids.pop();
  --waiting_queues_;
  SubmissionQueue& sq = queues_.submission[id];
  sq.waits_for_turn = false;
  const std::uint32_t commands = std::min({limit, burst_, sq.backlog(), sq.size - sq.asked});
  if (commands < sq.backlog()) add(id);
  return {id, commands};
}

}  // namespace nandscape::host
