// SPDX-License-Identifier: Apache-2.0
// The commands of an operation of a die, in the order in which they arrived. A plane has one of them, or several that
// sense different subpages, so there is room for the largest operation. Most operations have one command, which lies in
// this object and not in the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "protocol/nand_command.h"

namespace nandscape::nand {

class OperationCommands {
 public:
  explicit OperationCommands(std::uint32_t planes)
      : table_(std::make_unique<NandCommand*[]>(std::size_t{planes} * subpages_per_page)),
        capacity_(planes * subpages_per_page) {}

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  std::size_t size() const { return size_; }
  NandCommand& operator[](std::size_t k) const { return *begin()[k]; }
  NandCommand& front() const { return *first_; }
  NandCommand& back() const { return *begin()[size_ - 1]; }
  NandCommand* const* begin() const { return size_ > 1 ? table_.get() : &first_; }
  NandCommand* const* end() const { return begin() + size_; }
  operator std::span<NandCommand* const>() const { return {begin(), size_}; }

  void push_back(NandCommand& command) {
    if (size_ == 0) {
      first_ = &command;
    } else {
      table_[0] = first_;
      table_[size_] = &command;
    }
    ++size_;
  }
  void clear() { size_ = 0; }

 private:
  std::unique_ptr<NandCommand*[]> table_;  // all commands, if there are several
  NandCommand* first_ = nullptr;
  std::uint32_t capacity_;
  std::uint32_t size_ = 0;
};

}  // namespace nandscape::nand
