// SPDX-License-Identifier: Apache-2.0
// Arbitrates a bus that is shared by several targets, each with a separate CE_n. The players of the targets take turns
// in the order of their requests. A turn lasts from the falling edge of a CE_n to its rising edge.
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

  // Requests the bus. Returns true if the player may use it now. Otherwise turn_comes() is called later.
  [[nodiscard]] bool take(Player& player) {
    if (taken_) {
      waiting_.push_back(&player);
      return false;
    }
    taken_ = true;
    return true;
  }
  // Ends a turn. Called by the player that is using the bus. The next player in the queue is notified with
  // turn_comes().
  void give_back() {
    taken_ = !waiting_.empty();
    if (!taken_) return;
    Player& next = *waiting_.front();
    waiting_.pop_front();
    next.turn_comes();
  }
  // Removes a waiting player from the queue.
  void withdraw(Player& player) { std::erase(waiting_, &player); }

 private:
  bool taken_ = false;
  std::deque<Player*> waiting_;
};

}  // namespace nandscape::rtl::onfi
