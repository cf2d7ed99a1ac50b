// SPDX-License-Identifier: Apache-2.0
#include "nand/plane_reads.h"

#include <algorithm>
namespace nandscape::nand {

Tick PlaneReads::begin(NandCommand& read, Tick duration, Tick now) {
  const Tick end = now + duration;
  planes_[read.plane] = {&read, end, false};
  ++reads_;
  const Tick from = std::max(now, any_works_until_);
  any_works_until_ = std::max(any_works_until_, end);
  return any_works_until_ - from;
}

NandCommand* PlaneReads::take_ended(Tick now) {
  for (Plane& plane : planes_) {
    if (plane.read == nullptr || plane.ended || plane.end > now) continue;
    plane.ended = true;
    waiting_.push_back(plane.read);
    return plane.read;
  }
  return nullptr;
}

void PlaneReads::release() {
  planes_[waiting_.front()->plane] = {};
  waiting_.erase(waiting_.begin());
  --reads_;
}

std::vector<NandCommand*> PlaneReads::reads() const {
  std::vector<NandCommand*> reads;
  for (const Plane& plane : planes_) {
    if (plane.read != nullptr) reads.push_back(plane.read);
  }
  return reads;
}

void PlaneReads::drop() {
  for (Plane& plane : planes_) plane = {};
  reads_ = 0;
  waiting_.clear();
  any_works_until_ = 0;
}

}  // namespace nandscape::nand
