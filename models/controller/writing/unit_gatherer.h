// SPDX-License-Identifier: Apache-2.0
// Holds new units until others have come that are written together with them in a special way.
#pragma once

#include "controller/writing/unit_write.h"

namespace nandscape::controller {

class UnitGatherer {
 public:
  class Client {
   public:
    // Writes the unit like any other.
    virtual void write_alone(UnitWrite& unit, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  virtual ~UnitGatherer() = default;
  virtual void take(UnitWrite& unit, Tick now) = 0;
  // Gives up waiting: every held unit is written.
  virtual void release(Tick now) = 0;
};

}  // namespace nandscape::controller
