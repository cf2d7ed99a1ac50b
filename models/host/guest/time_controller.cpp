// SPDX-License-Identifier: Apache-2.0
#include "host/guest/time_controller.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>

#include "host/guest/guest_error.h"

namespace nandscape::host::guest {

namespace {

enum Operation : std::uint32_t {
  ack = 0,
  start = 1,
  request = 2,
  wait = 3,
  get = 4,
  update = 5,
  run_at = 6,
  get_time_of_day = 8,
  broadcast = 9,
};

struct Message {
  std::uint32_t operation;
  std::uint32_t sequence;
  std::uint64_t time;
};

// A client of the shared page. The guest is client 1, and this program is client 0.
struct alignas(128) Client {
  std::uint32_t capabilities;
  std::uint32_t flags;
  std::uint64_t requested;
  std::uint64_t name;
};
constexpr std::uint32_t shares_time = 1;   // capability
constexpr std::uint32_t wants_to_run = 1;  // flag
constexpr std::uint16_t drive = 0, linux_guest = 1, clients = 2;
constexpr std::uint32_t page_version = 2;

}  // namespace

struct TimeController::Page {
  std::uint32_t version;
  std::uint32_t bytes;
  std::uint64_t free_until;
  std::uint64_t now;
  std::uint16_t running;
  std::uint16_t count;
  alignas(4096) std::array<Client, clients> client;
};

TimeController::TimeController(StreamSocket socket, Nanoseconds time_of_day)
    : socket_(std::move(socket)), time_of_day_(time_of_day) {
  file_ = Descriptor(::memfd_create("nandscape-guest-time", MFD_CLOEXEC));
  log_ = Descriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!file_ || !log_ || ::ftruncate(file_.get(), sizeof(Page)) != 0) {
    throw GuestError(std::string("cannot make the page of the time controller: ") + std::strerror(errno));
  }
  void* const memory = ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (memory == MAP_FAILED) throw GuestError(std::string("cannot map the page of time: ") + std::strerror(errno));
  page_ = new (memory) Page{page_version, sizeof(Page), 0, 0, linux_guest, clients, {}};
  // The guest then puts requests into the page also while the drive has the turn.
  page_->client[drive].capabilities = shares_time;
}

TimeController::~TimeController() {
  if (page_ != nullptr) ::munmap(page_, sizeof(Page));
}

bool TimeController::shares_page() const {
  return (std::atomic_ref(page_->client[linux_guest].capabilities).load() & shares_time) != 0;
}

void TimeController::answer(std::uint32_t sequence, std::uint64_t time, bool with_page) {
  const Message message{ack, sequence, time};
  const std::array<int, 2> descriptors{file_.get(), log_.get()};
  socket_.send(std::as_bytes(std::span(&message, 1)),
               with_page ? std::span<const int>(descriptors) : std::span<const int>());
}

void TimeController::serve() {
  Message message;
  socket_.receive(std::as_writable_bytes(std::span(&message, 1)));
  if (message.operation == start) {
    if (started_) throw GuestError("the kernel starts its clock a second time");
    started_ = true;
    return answer(message.sequence, linux_guest, true);
  }
  if (!started_) throw GuestError("time message " + std::to_string(message.operation) + " before the clock's start");
  switch (message.operation) {
    case ack:
      if (!run_unacknowledged_) throw GuestError("an acknowledgement of time that answers nothing");
      run_unacknowledged_ = false;
      return;
    case request: requested_ = message.time; break;
    case wait:
      if (waits_) throw GuestError("the kernel waits for time twice");
      waits_ = true;
      if (shares_page()) return;
      break;
    case get: return answer(message.sequence, now());
    case update:
      if (message.time < now_) {
        throw GuestError("time goes back from " + std::to_string(now_) + " ns to " + std::to_string(message.time) +
                         " ns");
      }
      now_ = message.time;
      break;
    case get_time_of_day: return answer(message.sequence, time_of_day_);
    case broadcast: break;
    default: throw GuestError("time message " + std::to_string(message.operation) + " is not known");
  }
  answer(message.sequence, 0);
}

Nanoseconds TimeController::now() const {
  return shares_page() ? std::atomic_ref(page_->now).load(std::memory_order_acquire) : now_;
}

Nanoseconds TimeController::requested() const {
  Nanoseconds time = requested_;
  if (shares_page()) {
    Client& guest = page_->client[linux_guest];
    if ((std::atomic_ref(guest.flags).load(std::memory_order_acquire) & wants_to_run) != 0) {
      time = std::min(time, std::atomic_ref(guest.requested).load(std::memory_order_acquire));
    }
  }
  return time;
}

void TimeController::set_now(Nanoseconds now) {
  now_ = now;
  if (!shares_page()) return;
  std::atomic_ref(page_->running).store(drive, std::memory_order_release);
  std::atomic_ref(page_->now).store(now, std::memory_order_release);
}

void TimeController::run(Nanoseconds free_until) {
  waits_ = false;
  requested_ = no_time;
  if (shares_page()) {
    std::atomic_ref(page_->free_until).store(free_until, std::memory_order_release);
    std::atomic_ref(page_->running).store(linux_guest, std::memory_order_release);
  } else {
    run_unacknowledged_ = true;
  }
  const Message message{run_at, ++sequence_, now_};
  socket_.send(std::as_bytes(std::span(&message, 1)));
}

void TimeController::lower_free_until(Nanoseconds free_until) {
  std::atomic_ref<std::uint64_t> given(page_->free_until);
  if (free_until < given.load(std::memory_order_acquire)) given.store(free_until, std::memory_order_release);
}

}  // namespace nandscape::host::guest
