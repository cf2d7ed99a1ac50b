// SPDX-License-Identifier: Apache-2.0
// A virtio console with one port [Virtual I/O Device 1.2, 5.3]: lines of text to the guest and from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "host/guest/vhost_user.h"

namespace nandscape::host::guest {

class Console {
 public:
  static constexpr std::uint32_t queues = 2;

  // `connection` is null until the guest has connected.
  void connect(VhostUser* connection) { connection_ = connection; }
  void kicked(std::uint32_t queue);

  // Sends a line to the guest, which takes it when it next waits.
  void send(const std::string& line);
  // Takes the next line that the guest has sent, without its end.
  std::optional<std::string> take_line();
  bool has_line() const { return !lines_.empty(); }

  // Whether there is something that the guest can be interrupted for. deliver() does so; the guest must wait then.
  bool wants_delivery() const { return !input_.empty() && !for_input_.empty(); }
  void deliver(const VhostUser::AwaitReadable& await);

 private:
  VhostUser* connection_ = nullptr;
  std::string input_;  // not delivered yet
  std::deque<Virtqueue::Buffer> for_input_;
  std::string line_;  // the beginning of the guest's next line
  std::deque<std::string> lines_;
};

}  // namespace nandscape::host::guest
