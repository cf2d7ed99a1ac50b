// SPDX-License-Identifier: Apache-2.0
// Unix stream sockets that carry messages and file descriptors.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nandscape::host::guest {

// An open file descriptor, which is closed at the end.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }

  explicit operator bool() const { return number_ >= 0; }
  int get() const { return number_; }

 private:
  void close();

  int number_ = -1;
};

class StreamSocket {
 public:
  // `name` names the connection in messages.
  StreamSocket(Descriptor descriptor, std::string name) : descriptor_(std::move(descriptor)), name_(std::move(name)) {}

  int descriptor() const { return descriptor_.get(); }
  const std::string& name() const { return name_; }

  // Sends all bytes, and the descriptors with the first of them. Throws GuestGone if the peer has closed the
  // connection.
  void send(std::span<const std::byte> bytes, std::span<const int> descriptors = {});
  // Receives exactly that many bytes, and adds the descriptors that arrive with them to `descriptors`; without such a
  // list they are closed. Throws GuestGone if the peer has closed the connection, and GuestError if a message has
  // begun and its rest does not arrive.
  void receive(std::span<std::byte> into, std::vector<Descriptor>* descriptors = nullptr);

 private:
  Descriptor descriptor_;
  std::string name_;
};

// Listens at a path, which must not exist. The path is removed at the end.
class Listener {
 public:
  Listener(std::string path, std::string name);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int descriptor() const { return descriptor_.get(); }
  // Takes one waiting connection.
  StreamSocket accept();

 private:
  Descriptor descriptor_;
  std::string path_;
  std::string name_;
};

}  // namespace nandscape::host::guest
