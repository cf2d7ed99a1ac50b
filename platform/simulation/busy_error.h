// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.h"

namespace nandscape {

// A simulation was called while another call of it is under way, or after a fork that left it in the middle of one. It
// has not been touched.
class BusyError : public Error {
 public:
  using Error::Error;
};

}  // namespace nandscape
