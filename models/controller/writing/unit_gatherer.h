// SPDX-License-Identifier: Apache-2.0
// Who lets new units wait for others that are to be written with them in a way of their own.
#pragma once

#include "controller/writing/unit_write.h"

namespace nandscape::controller {

class UnitGatherer {
 public:
  class Client {
   public:
    // The unit goes to flash as any other.
    virtual void write_alone(UnitWrite& unit, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  virtual ~UnitGatherer() = default;
  virtual void take(UnitWrite& unit, Tick now) = 0;
  // Nothing waits any longer.
  virtual void release(Tick now) = 0;
};

}  // namespace nandscape::controller
