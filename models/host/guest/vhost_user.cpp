// SPDX-License-Identifier: Apache-2.0
#include "host/guest/vhost_user.h"

#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "host/guest/guest_error.h"

namespace nandscape::host::guest {

namespace {

enum Request : std::uint32_t {
  get_features = 1,
  set_features = 2,
  set_owner = 3,
  set_mem_table = 5,
  set_vring_num = 8,
  set_vring_addr = 9,
  set_vring_base = 10,
  get_protocol_features = 15,
  set_protocol_features = 16,
  set_vring_enable = 18,
  set_slave_req_fd = 21,
  vring_kick = 35,
};
constexpr std::uint32_t slave_vring_call = 4;

constexpr std::uint32_t version = 1, version_mask = 3, is_reply = 1u << 2, needs_reply = 1u << 3;  // flags

constexpr std::uint64_t virtio_version_1 = std::uint64_t{1} << 32;
constexpr std::uint64_t has_protocol_features = std::uint64_t{1} << 30;
constexpr std::uint64_t reply_ack = 1u << 3, slave_requests = 1u << 5, inband_notifications = 1u << 14;
constexpr std::uint64_t offered_features = virtio_version_1 | has_protocol_features;
constexpr std::uint64_t offered_protocol_features = reply_ack | slave_requests | inband_notifications;

constexpr std::uint32_t most_regions = 8;
constexpr std::uint32_t longest_payload = 512;

struct Header {
  std::uint32_t request;
  std::uint32_t flags;
  std::uint32_t bytes;
};
struct VringState {
  std::uint32_t index;
  std::uint32_t number;
};
struct VringAddresses {
  std::uint32_t index;
  std::uint32_t flags;
  std::uint64_t descriptors, used, available, log;
};
struct MemoryRegion {
  std::uint64_t guest, bytes, user, offset;
};
struct Answer {
  Header header;
  std::array<std::byte, 8> value;
};

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

Answer make_answer(std::uint32_t request, std::uint64_t value) {
  Answer answer{{request, version | is_reply, sizeof value}, {}};
  std::memcpy(answer.value.data(), &value, sizeof value);
  return answer;
}

}  // namespace

struct VhostUser::Message {
  Header header{};
  std::vector<std::byte> payload;
  std::vector<Descriptor> descriptors;
};

VhostUser::VhostUser(StreamSocket socket, std::uint32_t queues, Kicked kicked)
    : socket_(std::move(socket)), kicked_(std::move(kicked)) {
  for (std::uint32_t k = 0; k < queues; ++k) {
    queues_.emplace_back(memory_, socket_.name() + " queue " + std::to_string(k));
  }
}

void VhostUser::refuse(const Message& message, const std::string& what) const {
  throw GuestError("vhost-user request " + std::to_string(message.header.request) + " on the " + socket_.name() +
                   " connection: " + what);
}

void VhostUser::serve() {
  Message message;
  socket_.receive(std::as_writable_bytes(std::span(&message.header, 1)), &message.descriptors);
  if ((message.header.flags & version_mask) != version) {
    refuse(message, "version " + std::to_string(message.header.flags & version_mask) + " instead of 1");
  }
  if (message.header.bytes > longest_payload) {
    refuse(message, std::to_string(message.header.bytes) + " bytes, but no message has more than " +
                        std::to_string(longest_payload));
  }
  message.payload.resize(message.header.bytes);
  socket_.receive(message.payload, &message.descriptors);
  const std::optional<std::uint64_t> value = handle(message);
  if (value || (message.header.flags & needs_reply) != 0) {
    socket_.send(bytes_of(make_answer(message.header.request, value.value_or(0))));
  }
}

Virtqueue& VhostUser::queue_of(const Message& message, std::uint32_t index) {
  if (index < queues_.size()) return queues_[index];
  refuse(message, "queue " + std::to_string(index) + ", but there are " + std::to_string(queues_.size()));
}

std::optional<std::uint64_t> VhostUser::handle(Message& message) {
  const auto payload = [&]<class T>(T value) {
    if (message.payload.size() != sizeof value) {
      refuse(message,
             std::to_string(message.payload.size()) + " bytes of payload instead of " + std::to_string(sizeof value));
    }
    std::memcpy(&value, message.payload.data(), sizeof value);
    return value;
  };
  switch (message.header.request) {
    case get_features: return offered_features;
    case get_protocol_features: return offered_protocol_features;
    case set_owner: return std::nullopt;
    case set_features:
      if ((payload(std::uint64_t{}) & ~offered_features) != 0) refuse(message, "features that were not offered");
      return std::nullopt;
    case set_protocol_features:
      // All of them, because a notification outside the socket would be outside simulated time.
      if (payload(std::uint64_t{}) != offered_protocol_features) {
        refuse(message, "the kernel must take in-band notifications, acknowledgements and device requests");
      }
      return std::nullopt;
    case set_slave_req_fd:
      if (message.descriptors.size() != 1) refuse(message, "takes one descriptor");
      requests_.emplace(std::move(message.descriptors.front()), socket_.name() + " request");
      return std::nullopt;
    case set_mem_table: set_memory(message); return std::nullopt;
    case set_vring_num: {
      const auto state = payload(VringState{});
      queue_of(message, state.index).set_size(state.number);
      return std::nullopt;
    }
    case set_vring_base: {
      const auto state = payload(VringState{});
      queue_of(message, state.index).set_next(state.number);
      return std::nullopt;
    }
    case set_vring_addr: {
      const auto addresses = payload(VringAddresses{});
      queue_of(message, addresses.index).set_addresses({addresses.descriptors, addresses.used, addresses.available});
      return std::nullopt;
    }
    case set_vring_enable: {
      const auto state = payload(VringState{});
      queue_of(message, state.index).enable(state.number != 0);
      return std::nullopt;
    }
    case vring_kick: {
      const auto state = payload(VringState{});
      if (!queue_of(message, state.index).enabled()) {
        refuse(message, "queue " + std::to_string(state.index) + " is not enabled");
      }
      kicked_(state.index);
      return std::nullopt;
    }
    default: refuse(message, "not a request of user-mode Linux");
  }
}

void VhostUser::set_memory(Message& message) {
  struct {
    std::uint32_t count;
    std::uint32_t padding;
  } header{};
  if (message.payload.size() < sizeof header) refuse(message, "the memory table has no header");
  std::memcpy(&header, message.payload.data(), sizeof header);
  if (header.count == 0 || header.count > most_regions) {
    refuse(message, "1 to 8 regions of memory, not " + std::to_string(header.count));
  }
  // Linux sends room for two regions and tells how many it uses.
  if (message.payload.size() < sizeof header + header.count * sizeof(MemoryRegion)) {
    refuse(message, "the memory table ends before its last region");
  }
  if (message.descriptors.size() != header.count) refuse(message, "takes one descriptor for each region of memory");
  std::vector<GuestMemory::Region> regions;
  for (std::uint32_t k = 0; k < header.count; ++k) {
    MemoryRegion region;
    std::memcpy(&region, message.payload.data() + sizeof header + k * sizeof region, sizeof region);
    regions.push_back({region.guest, region.bytes, region.offset});
  }
  for (Virtqueue& queue : queues_) queue.forget_addresses();
  memory_.map(regions, message.descriptors);
}

void VhostUser::call(std::uint32_t queue, const AwaitReadable& await) {
  if (!requests_) throw GuestError("an interrupt on the " + socket_.name() + " connection before its request channel");
  const struct {
    Header header;
    VringState state;
  } message{{slave_vring_call, version | needs_reply, sizeof(VringState)}, {queue, 0}};
  requests_->send(bytes_of(message));
  queues_[queue].called();
  await(requests_->descriptor());
  Answer answer;
  requests_->receive(std::as_writable_bytes(std::span(&answer, 1)));
  const Header& header = answer.header;
  if (header.request != slave_vring_call || header.flags != (version | is_reply) || header.bytes != 8) {
    throw GuestError("the kernel answered an interrupt on the " + socket_.name() + " connection with request " +
                     std::to_string(header.request) + ", flags " + std::to_string(header.flags));
  }
  if (answer.value != std::array<std::byte, 8>{}) {
    throw GuestError("the kernel knows no queue " + std::to_string(queue) + " on the " + socket_.name() +
                     " connection");
  }
}

}  // namespace nandscape::host::guest
