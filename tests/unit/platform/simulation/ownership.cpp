// SPDX-License-Identifier: Apache-2.0
// Tests that only one call at a time can use a simulation, and that a simulation is destroyed only when this is safe.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "catch.h"
#include "platform/simulation/busy_error.h"
#include "unit/platform/drives.h"

namespace nandscape {
namespace {

// A run that is long enough for the simulation to call its progress callback a few times.
const std::vector<std::string> long_run = {"host.workload.requests=100000000", "simulation.request_log=false"};

// Runs the simulation until its progress callback has called `inside` once.
void run_with(Simulation& simulation, const std::function<void()>& inside) {
  bool called = false;
  simulation.run([&](const Progress&) {
    inside();
    called = true;
    return false;
  });
  REQUIRE(called);
}

// Runs the simulation in another thread as long as this object exists.
class Elsewhere {
 public:
  explicit Elsewhere(Simulation& simulation)
      : thread_([this, &simulation] {
          simulation.run([this](const Progress&) {
            begun_ = true;
            begun_.notify_all();
            return !ended_;
          });
        }) {
    begun_.wait(false);
  }
  ~Elsewhere() {
    ended_ = true;
    thread_.join();
  }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

 private:
  std::atomic<bool> begun_ = false;
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

// Forks a child process that calls `child`, and returns the exit status of the child process.
int status_of_child(const std::function<void()>& child) {
  const pid_t id = fork();
  if (id == 0) {
    int status = 1;
    try {
      alarm(20);  // ends the child if it hangs
      child();
      status = 0;
    } catch (const BusyError&) {
      status = 2;
    } catch (...) {
    }
    _exit(status);
  }
  int status = 0;
  waitpid(id, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void check_all_busy(Simulation& simulation) {
  std::vector<std::byte> page(16384);
  CHECK_THROWS_AS(simulation.run(), BusyError);
  CHECK_THROWS_AS(simulation.run_until(second), BusyError);
  CHECK_THROWS_AS(simulation.start_read(0, 512), BusyError);
  CHECK_THROWS_AS(simulation.start_write(0, page), BusyError);
  CHECK_THROWS_AS(simulation.start_trim(0, 1), BusyError);
  CHECK_THROWS_AS(simulation.start_flush(), BusyError);
  CHECK_THROWS_AS(simulation.wait(nullptr), BusyError);
  CHECK_THROWS_AS(simulation.wait_all(), BusyError);
  CHECK_THROWS_AS(simulation.read(0, page), BusyError);
  CHECK_THROWS_AS(simulation.write(0, page), BusyError);
  CHECK_THROWS_AS(simulation.trim(0, 1), BusyError);
  CHECK_THROWS_AS(simulation.flush(), BusyError);
  CHECK_THROWS_AS(simulation.smart_log(), BusyError);
  CHECK_THROWS_AS(simulation.reset(), BusyError);
  CHECK_THROWS_AS(simulation.power_cut(), BusyError);
  CHECK_THROWS_AS(simulation.shut_down(), BusyError);
  CHECK_THROWS_AS(simulation.power_on(), BusyError);
  CHECK_THROWS_AS(simulation.advance(1, 30, true), BusyError);
  CHECK_THROWS_AS(simulation.checkpoint("nowhere"), BusyError);
  CHECK_THROWS_AS(simulation.media()->fail_next(DieId(0), NandOperation::erase, 1), BusyError);
  CHECK_THROWS_AS(simulation.media()->fail_block(BlockId(0)), BusyError);
  CHECK_THROWS_AS(simulation.media()->kill_die(DieId(0)), BusyError);
}

TEST_CASE("a progress callback may inspect its simulation, but not change it") {
  Simulation simulation(small_drive(long_run));
  run_with(simulation, [&] {
    check_all_busy(simulation);
    CHECK(simulation.statistics().at("simulation.events").number() > 0);
    CHECK(simulation.requests().size() == 0);
    CHECK(simulation.now() > 0);
    CHECK(simulation.has_power());
    CHECK(simulation.workloads_under_way());
    CHECK_FALSE(simulation.hierarchy().list_items()->empty());
    CHECK(simulation.capacity_bytes() > 0);
  });
  simulation.power_cut();
  simulation.power_on();
  simulation.write(0, page_of(1));
}

TEST_CASE("access to the media counts as a call until it ends") {
  Simulation simulation(small_drive());
  {
    const MediaAccess media = simulation.media();
    CHECK(media->programmed_wordlines(BlockId(0)) > 0);
    CHECK_THROWS_AS(simulation.flush(), BusyError);
  }
  simulation.power_cut();
  CHECK_THROWS_AS(simulation.media(), RequestError);
  simulation.power_on();
  simulation.media()->fail_block(BlockId(0));
}

TEST_CASE("another thread is refused during a call") {
  Simulation simulation(small_drive(long_run));
  {
    const Elsewhere running(simulation);
    check_all_busy(simulation);
    CHECK_THROWS_AS(simulation.statistics(), BusyError);
    CHECK_THROWS_AS(simulation.requests(), BusyError);
    CHECK_THROWS_AS(simulation.now(), BusyError);
    CHECK_THROWS_AS(simulation.has_power(), BusyError);
    CHECK_THROWS_AS(simulation.workloads_under_way(), BusyError);
    CHECK_THROWS_AS(simulation.hierarchy(), BusyError);
    CHECK(simulation.capacity_bytes() > 0);
    CHECK(simulation.configuration().parameters.channel.count == 2);
  }
  CHECK(simulation.now() > 0);
}

TEST_CASE("concurrent readers wait for each other") {
  const Simulation simulation(small_drive());
  std::atomic<int> read = 0;
  const auto reader = [&] {
    for (int k = 0; k < 50; ++k) read += simulation.statistics().at("simulation.events").number() == 0 ? 1 : 0;
  };
  std::thread other(reader);
  reader();
  other.join();
  CHECK(read == 100);
}

TEST_CASE("a command can be polled while another thread runs it") {
  Simulation simulation(small_drive({"simulation.data=stored"}));
  const CommandHandle write = simulation.start_write(0, page_of(1));
  std::thread other([&] { simulation.wait(write); });
  while (!write->done()) std::this_thread::yield();
  CHECK(write->status() == RequestStatus::ok);
  CHECK(write->latency() > 0);
  other.join();
}

TEST_CASE("a progress callback may use other simulations, and wait for threads that use them") {
  Simulation outer(small_drive(long_run));
  Simulation inner(small_drive({"simulation.data=stored"}));
  Simulation third(small_drive({"simulation.data=stored"}));
  run_with(outer, [&] {
    inner.run();
    inner.write(0, page_of(3));
    Simulation(small_drive()).run();
    std::thread([&] { third.write(0, page_of(4)); }).join();
  });
  std::vector<std::byte> page(16384);
  inner.read(0, page);
  CHECK(page == page_of(3));
  third.read(0, page);
  CHECK(page == page_of(4));
  outer.run_until(outer.now() + millisecond);
}

TEST_CASE("a drive is simulated while another one runs in other threads") {
  Simulation simulation(small_drive(long_run));
  const Elsewhere running(simulation);
  Simulation other(small_drive());
  CHECK(other.run());
  CHECK(other.requests().size() == 3000);
}

TEST_CASE("destroying a simulation while another one runs does not disturb the other") {
  Simulation simulation(small_drive(long_run));
  auto other = std::make_unique<Simulation>(small_drive());
  other->start_write(0, page_of(1));
  SECTION("in its callback") {
    run_with(simulation, [&] { other.reset(); });
  }
  SECTION("from another thread") {
    const Elsewhere running(simulation);
    other.reset();
    other = std::make_unique<Simulation>(small_drive());
    other->run();
    other.reset();
  }
  simulation.run_until(simulation.now() + millisecond);
}

TEST_CASE("a simulation destroyed in its own callback lives until the call ends") {
  auto simulation = std::make_unique<Simulation>(small_drive(long_run));
  Simulation& itself = *simulation;
  bool destroyed = false;
  CHECK_FALSE(itself.run([&](const Progress&) {
    simulation.reset();
    destroyed = true;
    return false;
  }));
  CHECK(destroyed);
}

TEST_CASE("a child forked while nothing runs can continue the simulation") {
  Simulation simulation(small_drive({"simulation.data=stored"}));
  simulation.write(0, page_of(7));
  CHECK(status_of_child([&] {
          std::vector<std::byte> page(16384);
          simulation.read(0, page);
          if (page != page_of(7)) throw std::runtime_error("other data");
          Simulation(small_drive()).run();
        }) == 0);
}

TEST_CASE("a child forked by a progress callback may inspect its simulation and use others") {
  Simulation simulation(small_drive(long_run));
  run_with(simulation, [&] {
    CHECK(status_of_child([&] {
            simulation.statistics();
            Simulation(small_drive()).run();
          }) == 0);
  });
}

TEST_CASE("a child forked while another thread simulates gets an error") {
  Simulation simulation(small_drive(long_run));
  Simulation idle(small_drive());
  const Elsewhere running(simulation);
  CHECK(status_of_child([&] { simulation.now(); }) == 2);
  CHECK(status_of_child([&] { simulation.run_until(second); }) == 2);
  // The SystemC kernel is free if the other thread was in its callback at the time of the fork.
  const int status = status_of_child([&] { idle.run(); });
  CHECK((status == 0 || status == 2));
  CHECK(status_of_child([&] { idle.statistics(); }) == 0);
  CHECK(status_of_child([&] { const Simulation gone = std::move(idle); }) == 0);
}

}  // namespace
}  // namespace nandscape
