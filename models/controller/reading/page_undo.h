// SPDX-License-Identifier: Apache-2.0
// What has to be done with a page that is decoded before it holds what was written.
#pragma once

#include "controller/reading/page_read.h"

namespace nandscape::controller {

class PageUndo {
 public:
  // Returns whether it goes on here: then PageReader::end() is called when the page is as it was written, or known to
  // be uncorrectable.
  virtual bool goes_on(PageRead& read, Tick now) = 0;

 protected:
  ~PageUndo() = default;
};

}  // namespace nandscape::controller
