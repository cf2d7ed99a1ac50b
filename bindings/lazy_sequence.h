// SPDX-License-Identifier: Apache-2.0
// An immutable Python sequence whose items C++ creates when Python accesses them. It behaves like a tuple of these
// items: it compares equal to one, has the same hash and repr, and copies and pickles as a tuple.
//
// The items exist only while the Python method that received them runs. If Python keeps the sequence longer, it becomes
// a copy, so it never refers to a C++ object that no longer exists.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>

#include "kept_object.h"

namespace nandscape::python {

class LazySequence {
 public:
  class Source {
   public:
    virtual pybind11::object item(std::size_t n) = 0;

   protected:
    ~Source() = default;
  };

  // Returns the sequence, which gets its items from `source` until close() is called.
  pybind11::object open(Source& source, std::size_t size);
  // Copies the items if Python still holds the sequence.
  void close() noexcept;

 private:
  KeptObject sequence_;
  bool open_ = false;
};

}  // namespace nandscape::python
