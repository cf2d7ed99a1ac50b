// SPDX-License-Identifier: Apache-2.0
// Plays the kernel's side of the protocols of a guest, without a kernel: shared memory with rings, vhost-user messages,
// and messages to the time controller.
#pragma once

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/guest/stream_socket.h"

namespace nandscape::host::guest {

inline std::pair<Descriptor, Descriptor> socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw std::runtime_error("socketpair");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

inline StreamSocket connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(path, address.sun_path);
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("connect to " + path);
  }
  return {std::move(socket), "guest"};
}

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

// Memory that the guest shares, at a guest-physical address.
class SharedMemory {
 public:
  static constexpr std::uint64_t address = 0x10'0000;
  static constexpr std::uint64_t bytes = 256 * 1024;

  SharedMemory() : file_(::memfd_create("fake-guest", MFD_CLOEXEC)) {
    if (::ftruncate(file_.get(), bytes) != 0) throw std::runtime_error("ftruncate");
    data_ = static_cast<std::byte*>(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0));
  }
  ~SharedMemory() { ::munmap(data_, bytes); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  int file() const { return file_.get(); }
  std::byte* at(std::uint64_t guest) { return data_ + (guest - address); }
  // Takes fresh, zeroed memory, and returns its guest-physical address.
  std::uint64_t take(std::uint64_t size) {
    const std::uint64_t place = address + used_;
    used_ += (size + 63) / 64 * 64;
    return place;
  }

 private:
  Descriptor file_;
  std::byte* data_;
  std::uint64_t used_ = 0;
};

// The driver's side of a split virtqueue.
class DriverRing {
 public:
  static constexpr std::uint32_t entries = 8;
  struct Entry {
    std::uint64_t address;
    std::uint32_t bytes;
    std::uint16_t flags;
    std::uint16_t next;
  };
  static constexpr std::uint16_t chained = 1, device_writes = 2;

  explicit DriverRing(SharedMemory& memory)
      : descriptors(memory.take(entries * 16)),
        available(memory.take(4 + entries * 2)),
        used(memory.take(4 + entries * 8)),
        memory_(memory) {}

  void set(std::uint16_t index, const Entry& entry) {
    std::memcpy(memory_.at(descriptors) + index * 16, &entry, sizeof entry);
  }
  void offer(std::uint16_t head) {
    half(available + 4 + half(available + 2) % entries * 2) = head;
    ++half(available + 2);
  }
  // Offers a buffer with `out` to read and `room` bytes to write. Uses one descriptor or two, from `index` on. Returns
  // the guest-physical address of the part to write.
  std::uint64_t offer(std::uint16_t index, std::span<const std::byte> out, std::uint32_t room) {
    const std::uint64_t first = memory_.take(out.size()), second = memory_.take(room);
    std::ranges::copy(out, memory_.at(first));
    if (out.empty()) {
      set(index, {second, room, device_writes, 0});
    } else if (room == 0) {
      set(index, {first, static_cast<std::uint32_t>(out.size()), 0, 0});
    } else {
      set(index, {first, static_cast<std::uint32_t>(out.size()), chained, static_cast<std::uint16_t>(index + 1)});
      set(static_cast<std::uint16_t>(index + 1), {second, room, device_writes, 0});
    }
    offer(index);
    return second;
  }
  std::uint16_t used_index() { return half(used + 2); }
  std::uint32_t used_bytes(std::uint16_t index) {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, memory_.at(used) + 4 + index % entries * 8 + 4, sizeof bytes);
    return bytes;
  }
  std::uint16_t& half(std::uint64_t address) { return *reinterpret_cast<std::uint16_t*>(memory_.at(address)); }

  const std::uint64_t descriptors, available, used;

 private:
  SharedMemory& memory_;
};

// The driver's side of a vhost-user connection.
class VhostDriver {
 public:
  struct Header {
    std::uint32_t request;
    std::uint32_t flags;
    std::uint32_t bytes;
  };

  explicit VhostDriver(StreamSocket socket) : socket_(std::move(socket)) {}

  void send(std::uint32_t request, std::span<const std::byte> payload, std::span<const int> descriptors = {},
            std::uint32_t flags = 1 | 8) {
    const Header header{request, flags, static_cast<std::uint32_t>(payload.size())};
    socket_.send(bytes_of(header), descriptors);
    socket_.send(payload);
  }
  std::uint64_t answer() {
    struct {
      Header header;
      std::array<std::byte, 8> value;
    } answer{};
    socket_.receive(std::as_writable_bytes(std::span(&answer, 1)));
    std::uint64_t value = 0;
    std::memcpy(&value, answer.value.data(), sizeof value);
    return value;
  }
  template <class T>
  std::uint64_t ask(std::uint32_t request, const T& payload, std::span<const int> descriptors = {}) {
    send(request, bytes_of(payload), descriptors);
    return answer();
  }
  void kick(std::uint32_t queue) { ask(35, std::array<std::uint32_t, 2>{queue, 0}); }

  // Connects as Linux does, with these rings.
  void start(SharedMemory& memory, std::span<DriverRing* const> rings) {
    send(3, {}, {}, 1);  // SET_OWNER, before acknowledgements are agreed on
    send(1, {}, {}, 1);
    answer();
    send(15, {}, {}, 1);
    const std::uint64_t features = answer();
    send(16, bytes_of(features), {}, 1 | 8);
    answer();
    auto [device, own] = socket_pair();
    const int given = device.get();
    ask(21, std::array<std::byte, 0>{}, std::span(&given, 1));
    calls_.emplace_back(std::move(own), "calls");
    const struct {
      std::uint32_t count = 1, padding = 0;
      std::uint64_t guest = SharedMemory::address, bytes = SharedMemory::bytes, user = 0, offset = 0;
    } table;
    const int file = memory.file();
    ask(5, table, std::span(&file, 1));
    for (std::uint32_t k = 0; k < rings.size(); ++k) {
      ask(8, std::array<std::uint32_t, 2>{k, DriverRing::entries});
      ask(10, std::array<std::uint32_t, 2>{k, 0});
      const struct {
        std::uint32_t index, flags;
        std::uint64_t descriptors, used, available, log;
      } addresses{k, 0, rings[k]->descriptors, rings[k]->used, rings[k]->available, ~std::uint64_t{0}};
      ask(9, addresses);
    }
    for (std::uint32_t k = 0; k < rings.size(); ++k) ask(18, std::array<std::uint32_t, 2>{k, 1});
  }
  // Takes an interrupt of the device, and returns its queue. answer_call() must follow.
  std::uint32_t take_call() {
    struct {
      Header header;
      std::array<std::uint32_t, 2> state;
    } call{};
    calls_.front().receive(std::as_writable_bytes(std::span(&call, 1)));
    return call.state[0];
  }
  void answer_call(std::uint64_t value = 0) {
    const Header header{4, 1 | 4, 8};
    calls_.front().send(bytes_of(header));
    calls_.front().send(bytes_of(value));
  }
  StreamSocket& socket() { return socket_; }
  const StreamSocket& calls() const { return calls_.front(); }

 private:
  StreamSocket socket_;
  std::vector<StreamSocket> calls_;
};

// The kernel's side of the time controller.
class GuestClock {
 public:
  struct Message {
    std::uint32_t operation;
    std::uint32_t sequence;
    std::uint64_t time;
  };
  // The page that both share.
  struct Page {
    std::uint32_t version, bytes;
    std::uint64_t free_until, now;
    std::uint16_t running, clients;
    struct alignas(128) Client {
      std::uint32_t capabilities, flags;
      std::uint64_t requested, name;
    };
    alignas(4096) std::array<Client, 2> client;
  };
  enum Operation : std::uint32_t { ack = 0, start = 1, request = 2, wait = 3, get = 4, update = 5, run = 6, tod = 8 };

  explicit GuestClock(StreamSocket socket) : socket_(std::move(socket)) {}
  ~GuestClock() {
    if (page != nullptr) ::munmap(page, sizeof(Page));
  }
  GuestClock(GuestClock&&) = delete;

  void send(std::uint32_t operation, std::uint64_t time = 0) {
    const Message message{operation, ++sequence_, time};
    socket_.send(bytes_of(message));
  }
  Message take() {
    Message message{};
    socket_.receive(std::as_writable_bytes(std::span(&message, 1)), &files);
    return message;
  }
  std::uint64_t ask(std::uint32_t operation, std::uint64_t time = 0) {
    send(operation, time);
    return take().time;
  }
  // Starts as Linux 6.12 does.
  void start_with_page() {
    ask(start);
    page = static_cast<Page*>(::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, files.at(0).get(), 0));
    page->client[1].capabilities = 1;
  }
  void request_time(std::uint64_t time) {
    page->client[1].requested = time;
    page->client[1].flags |= 1;
  }
  // Waits until the controller lets the guest run, and returns the time.
  std::uint64_t wait_for_turn() {
    send(wait);
    return take_turn();
  }
  std::uint64_t take_turn() {
    const Message message = take();
    if (message.operation != run) throw std::runtime_error("not RUN");
    page->client[1].flags = 0;
    return message.time;
  }

  Page* page = nullptr;
  std::vector<Descriptor> files;

 private:
  StreamSocket socket_;
  std::uint32_t sequence_ = 0;
};

}  // namespace nandscape::host::guest
