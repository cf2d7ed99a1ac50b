// SPDX-License-Identifier: Apache-2.0
// An immutable Python sequence whose items C++ makes when Python takes them. It behaves like a tuple of these items:
// it compares equal to one, has the same hash and repr, and copies and pickles as a tuple.
//
// The items exist only while the Python method that received them runs. A sequence that is kept beyond that becomes a
// true copy, so it never refers to a C++ object that is gone.
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

  // Returns the sequence. It asks `source` for its items until close().
  pybind11::object open(Source& source, std::size_t size);
  // Copies the items if Python still holds the sequence.
  void close() noexcept;

 private:
  KeptObject sequence_;
  bool open_ = false;
};

}  // namespace nandscape::python
