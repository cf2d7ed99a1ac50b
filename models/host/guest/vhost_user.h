// SPDX-License-Identifier: Apache-2.0
// The device's side of a vhost-user connection [QEMU, docs/interop/vhost-user.rst], as far as user-mode Linux uses it:
// in-band notifications, an acknowledgement of each message, and a channel for the device's own requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>

#include "host/guest/guest_memory.h"
#include "host/guest/stream_socket.h"
#include "host/guest/virtqueue.h"

namespace nandscape::host::guest {

class VhostUser {
 public:
  // Called when the guest has put buffers into a queue. The guest waits until it returns.
  using Kicked = std::function<void(std::uint32_t queue)>;
  // Called to wait until a descriptor is readable; other connections are served meanwhile.
  using AwaitReadable = std::function<void(int descriptor)>;

  VhostUser(StreamSocket socket, std::uint32_t queues, Kicked kicked);

  int descriptor() const { return socket_.descriptor(); }
  const std::string& name() const { return socket_.name(); }
  const GuestMemory& memory() const { return memory_; }
  Virtqueue& queue(std::uint32_t index) { return queues_[index]; }

  // Receives one message and answers it. Throws GuestError for a message that the protocol does not allow.
  void serve();
  // Interrupts the guest for a queue, and returns when the guest has taken note.
  void call(std::uint32_t queue, const AwaitReadable& await);

 private:
  struct Message;

  [[noreturn]] void refuse(const Message& message, const std::string& what) const;
  std::optional<std::uint64_t> handle(Message& message);
  void set_memory(Message& message);
  Virtqueue& queue_of(const Message& message, std::uint32_t index);

  StreamSocket socket_;
  std::optional<StreamSocket> requests_;
  GuestMemory memory_;
  std::deque<Virtqueue> queues_;
  Kicked kicked_;
};

}  // namespace nandscape::host::guest
