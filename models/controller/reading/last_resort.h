// SPDX-License-Identifier: Apache-2.0
// What is done for a page that cannot be corrected at any step: it is made from others, and decoded once more.
#pragma once

#include "controller/reading/page_read.h"

namespace nandscape::controller {

// Of one page that is made so.
struct RemadePage {
  bool complete = false;  // what it is made of is decoded, or cannot be had
};

class LastResort {
 public:
  // The page is decoded, or uncorrectable at all steps. Returns whether it goes on here: then the read is decoded once
  // more, with `remade` set, or ended.
  virtual bool goes_on(PageRead& read, Tick now) = 0;
  // The read has ended, and had a `remade`.
  virtual void release(PageRead& read) = 0;

 protected:
  ~LastResort() = default;
};

}  // namespace nandscape::controller
