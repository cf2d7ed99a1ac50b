// SPDX-License-Identifier: Apache-2.0
// Arbitrates a bus shared by targets with a CE_n each: their players take turns, in the order of their requests. A turn
// lasts from the fall of a CE_n to its rise.
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

  // Requests the bus. Returns whether the player gets it now; if not, turn_comes() follows.
  [[nodiscard]] bool take(Player& player) {
    if (taken_) {
      waiting_.push_back(&player);
      return false;
    }
    taken_ = true;
    return true;
  }
  // Called by the player whose turn it is, to end the turn.
  void give_back() {
    taken_ = !waiting_.empty();
    if (!taken_) return;
    Player& next = *waiting_.front();
    waiting_.pop_front();
    next.turn_comes();
  }
  // Removes a player from the queue.
  void withdraw(Player& player) { std::erase(waiting_, &player); }

 private:
  bool taken_ = false;
  std::deque<Player*> waiting_;
};

}  // namespace nandscape::rtl::onfi
