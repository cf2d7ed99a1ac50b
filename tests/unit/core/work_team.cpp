// SPDX-License-Identifier: Apache-2.0
#include "core/work_team.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.h"
#include "core/random.h"

namespace nandscape {
namespace {

std::uint64_t sum_of(const std::vector<std::uint64_t>& values) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum += value;
  return sum;
}

// Computes a value for each index, on a team.
std::vector<std::uint64_t> values_of(WorkTeam& team, std::size_t count, std::uint64_t seed) {
  std::vector<std::uint64_t> values(count);
  team.for_each(count, [&](std::size_t index, std::size_t) { values[index] = mix64(seed + index); });
  return values;
}

// Waits for a condition that a piece of another thread fulfils.
template <class Condition>
void wait_until(const Condition& holds) {
  while (!holds()) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

// Gives each worker a piece that waits until all pieces have begun, and returns the numbers of the workers.
std::set<std::size_t> workers_at_once(WorkTeam& team) {
  std::atomic<std::size_t> begun = 0;
  std::vector<std::size_t> worker_of(team.workers());
  team.for_each(team.workers(), [&](std::size_t index, std::size_t worker) {
    worker_of[index] = worker;
    ++begun;
    wait_until([&] { return begun == team.workers(); });
  });
  return {worker_of.begin(), worker_of.end()};
}

}  // namespace

TEST_CASE("teams of several threads call each index once, with workers that exist") {
  for (const std::size_t workers : {1, 2, 3, 5, 16}) {
    WorkTeam team(workers);
    CHECK(team.workers() == workers);
    for (const std::size_t count : {0, 1, 2, 3, 7, 1000}) {
      CAPTURE(workers, count);
      std::vector<int> calls(count);
      std::vector<std::size_t> worker_of(count);
      team.for_each(count, [&](std::size_t index, std::size_t worker) {
        ++calls[index];
        worker_of[index] = worker;
      });
      CHECK(calls == std::vector<int>(count, 1));
      for (const std::size_t worker : worker_of) CHECK(worker < std::min(workers, count));
    }
  }
}

TEST_CASE("a team without other threads calls in the calling thread") {
  WorkTeam team;
  std::vector<std::size_t> order;
  team.for_each(4, [&](std::size_t index, std::size_t worker) {
    order.push_back(index);
    CHECK(worker == 0);
  });
  CHECK(order == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK_THROWS_AS(WorkTeam(0), std::invalid_argument);
}

TEST_CASE("the workers of a team of threads work at the same time") {
  WorkTeam team(4);
  CHECK(workers_at_once(team) == std::set<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("many calls of a team of threads give the results of one thread") {
  WorkTeam alone;
  for (const std::size_t workers : {2, 3, 5}) {
    WorkTeam team(workers);
    for (std::uint64_t call = 0; call < 3000; ++call) {
      const std::size_t count = mix64(call) % 20;
      REQUIRE(values_of(team, count, call) == values_of(alone, count, call));
      // Long pauses let the threads block, and short ones do not.
      if (call % 300 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
}

TEST_CASE("several threads can use a team in turn") {
  WorkTeam team(3);
  WorkTeam alone;
  for (std::uint64_t k = 0; k < 20; ++k) {
    std::thread([&] { CHECK(values_of(team, 50, k) == values_of(alone, 50, k)); }).join();
  }
}

TEST_CASE("the exception of the lowest index leaves a call, for each number of threads") {
  for (const std::size_t workers : {1, 2, 3, 5}) {
    WorkTeam team(workers);
    for (int repetition = 0; repetition < 200; ++repetition) {
      std::atomic<std::size_t> calls = 0;
      std::string raised;
      try {
        team.for_each(10'000, [&](std::size_t index, std::size_t) {
          ++calls;
          if (index % 10 == 7) throw std::runtime_error("piece " + std::to_string(index));
        });
      } catch (const std::runtime_error& error) {
        raised = error.what();
      }
      REQUIRE(raised == "piece 7");
      // All indices up to 7 are called, and then at most the calls that had begun.
      REQUIRE(calls >= 8);
      REQUIRE(calls < 10'000);
    }
    CHECK(sum_of(values_of(team, 3, 1)) == mix64(1) + mix64(2) + mix64(3));
  }
}

TEST_CASE("a thread that is held up in a piece leaves the others to the team") {
  WorkTeam team(2);
  std::vector<std::atomic<bool>> begun(9);
  team.for_each(begun.size(), [&](std::size_t index, std::size_t) {
    begun[index] = true;
    if (index == 0) wait_until([&] { return begun[1].load(); });
    if (index == 1) wait_until([&] { return begun.back().load(); });
  });
  CHECK(begun.back());
}

TEST_CASE("a forked process creates workers of its own for a team of its parent") {
  WorkTeam team(3);
  CHECK(workers_at_once(team).size() == 3);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    const bool complete = workers_at_once(team).size() == 3;
    team.~WorkTeam();
    _exit(complete ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(workers_at_once(team).size() == 3);
}

TEST_CASE("a forked process can end a team of its parent") {
  auto team = std::make_unique<WorkTeam>(3);
  CHECK(workers_at_once(*team).size() == 3);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    team.reset();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

}  // namespace nandscape
