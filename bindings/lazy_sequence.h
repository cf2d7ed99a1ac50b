// SPDX-License-Identifier: Apache-2.0
// An immutable Python sequence whose items C++ makes when Python takes them. It stands for a tuple: it equals one, has
// its hash and its repr, and copies and pickles as one.
//
// The items exist only during a call of Python code. A sequence that Python keeps beyond the call becomes a true copy,
// so it never refers to a C++ object that is gone.
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
