// SPDX-License-Identifier: Apache-2.0
// Targets that hang on one bus, each with a CE_n of its own: their players take turns, in the order in which they ask.
// A turn lasts from the fall of one CE_n until the rise of it.
#pragma once

#include <algorithm>
#include <deque>

namespace nandscape::rtl::onfi {

class BusTurns {
 public:
  class Player {
   public:
    virtual void turn_comes() = 0;

   protected:
    ~Player() = default;
  };

  // Returns whether the bus is the player's now; else turn_comes() says when.
  bool take(Player& player) {
    if (taken_) {
      waiting_.push_back(&player);
      return false;
    }
    taken_ = true;
    return true;
  }
  // By the player whose turn it is.
  void give_back() {
    taken_ = !waiting_.empty();
    if (!taken_) return;
    Player& next = *waiting_.front();
    waiting_.pop_front();
    next.turn_comes();
  }
  // The player does not wait any more.
  void withdraw(Player& player) { std::erase(waiting_, &player); }

 private:
  bool taken_ = false;
  std::deque<Player*> waiting_;
};

}  // namespace nandscape::rtl::onfi
