// SPDX-License-Identifier: Apache-2.0
#include "host/guest/stream_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "host/guest/guest_error.h"

namespace nandscape::host::guest {

namespace {

constexpr std::size_t most_descriptors = 8;  // in one message; vhost-user allows eight regions of memory
constexpr int rest_of_message_ms = 10'000;   // wall time; a peer sends a message at once

std::string reason() { return std::strerror(errno); }

bool closed_by_peer() { return errno == EPIPE || errno == ECONNRESET; }

// The control data of a message with descriptors.
struct Control {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(most_descriptors * sizeof(int))> bytes{};
};

}  // namespace

void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
}

void StreamSocket::send(std::span<const std::byte> bytes, std::span<const int> descriptors) {
  Control control;
  while (!bytes.empty()) {
    iovec part{const_cast<std::byte*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (!descriptors.empty()) {
      message.msg_control = control.bytes.data();
      message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
      cmsghdr* const header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
      std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
    }
    const ssize_t sent = ::sendmsg(descriptor_.get(), &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && closed_by_peer()) throw GuestGone("the kernel has closed the " + name_ + " connection");
    if (sent < 0) throw GuestError("cannot send on the " + name_ + " connection: " + reason());
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
    descriptors = {};
  }
}

void StreamSocket::receive(std::span<std::byte> into, std::vector<Descriptor>* descriptors) {
  bool begun = false;
  while (!into.empty()) {
    Control control;
    iovec part{into.data(), into.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    const ssize_t received = ::recvmsg(descriptor_.get(), &message, MSG_CMSG_CLOEXEC | (begun ? MSG_DONTWAIT : 0));
    if (received < 0 && errno == EINTR) continue;
    if (received < 0 && errno == EAGAIN) {
      pollfd readable{descriptor_.get(), POLLIN, 0};
      const int ready = ::poll(&readable, 1, rest_of_message_ms);
      if (ready == 0) throw GuestError("a message on the " + name_ + " connection ends in the middle");
      continue;
    }
    if (received < 0 && !closed_by_peer()) {
      throw GuestError("cannot receive on the " + name_ + " connection: " + reason());
    }
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
      const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (std::size_t k = 0; k < count; ++k) {
        int number = -1;
        std::memcpy(&number, CMSG_DATA(header) + k * sizeof(int), sizeof number);
        Descriptor descriptor(number);
        if (descriptors != nullptr) descriptors->push_back(std::move(descriptor));
      }
    }
    if (received <= 0) {
      if (begun) throw GuestError("a message on the " + name_ + " connection ends in the middle");
      throw GuestGone("the kernel has closed the " + name_ + " connection");
    }
    begun = true;
    into = into.subspan(static_cast<std::size_t>(received));
  }
}

Listener::Listener(std::string path, std::string name) : path_(std::move(path)), name_(std::move(name)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path_.size() >= sizeof address.sun_path) {
    throw GuestError("the path of a socket has at most " + std::to_string(sizeof address.sun_path - 1) +
                     " bytes: " + path_);
  }
  std::ranges::copy(path_, address.sun_path);
  descriptor_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!descriptor_ || ::bind(descriptor_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(descriptor_.get(), 1) != 0) {
    throw GuestError("cannot listen at " + path_ + ": " + reason());
  }
}

Listener::~Listener() { ::unlink(path_.c_str()); }

StreamSocket Listener::accept() {
  for (;;) {
    Descriptor connection(::accept4(descriptor_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (connection) return {std::move(connection), name_};
    if (errno != EINTR) throw GuestError("cannot accept the " + name_ + " connection: " + reason());
  }
}

}  // namespace nandscape::host::guest
