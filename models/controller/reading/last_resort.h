// SPDX-License-Identifier: Apache-2.0
// The last resort for a page that no step can correct: it is rebuilt from other pages, and decoded again.
#pragma once

#include "controller/reading/page_read.h"

namespace nandscape::controller {

// A page being rebuilt.
struct RemadePage {
  bool complete = false;  // all source pages are decoded or unavailable
};

class LastResort {
 public:
  // Called when the page is decoded, or uncorrectable at all steps. Returns whether the last resort takes over the
  // read: then it is decoded again with `remade` set, or ended.
  virtual bool goes_on(PageRead& read, Tick now) = 0;
  // Called at the end of a read that has `remade` set.
  virtual void release(PageRead& read) = 0;

 protected:
  ~LastResort() = default;
};

}  // namespace nandscape::controller
