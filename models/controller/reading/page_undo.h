// SPDX-License-Identifier: Apache-2.0
// Restores the written content of a decoded page.
#pragma once

#include "controller/reading/page_read.h"

namespace nandscape::controller {

class PageUndo {
 public:
  // Returns whether it takes over the read: then it calls PageReader::end() when the page's content is restored, or
  // known to be uncorrectable.
  virtual bool goes_on(PageRead& read, Tick now) = 0;

 protected:
  ~PageUndo() = default;
};

}  // namespace nandscape::controller
