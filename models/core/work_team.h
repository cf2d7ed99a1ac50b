// SPDX-License-Identifier: Apache-2.0
// A team of threads that divide the pieces of one call among themselves:
//
//   WorkTeam team(4);
//   team.for_each(codewords, [&](std::size_t k, std::size_t worker) { outcomes[k] = codecs[worker]->decode(...); });
//
// for_each() returns when all pieces are done. Between calls the threads wait: they look for work for some tens of
// microseconds, and then they block. Results do not depend on the number of workers if no piece reads data that another
// piece writes. So each piece stores its result in a place of its own, the caller adds the results up in the order of
// the indices, and random numbers are functions of the index.
//
// A team of one worker has no threads and takes no locks. Other teams create their threads at their first call. Threads
// do not survive a fork, so a child process creates new ones at its first call.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace nandscape {

class WorkTeam {
 public:
  // `workers` includes the thread that calls for_each(). It is at least 1.
  explicit WorkTeam(std::size_t workers = 1);
  ~WorkTeam();
  WorkTeam(const WorkTeam&) = delete;
  WorkTeam& operator=(const WorkTeam&) = delete;

  std::size_t workers() const { return workers_; }

  // Calls work(index, worker) for each index below `count`, which is below 2^32. The workers begin the indices in
  // ascending order and work at the same time. The calling thread is worker 0. Each `worker` is below both `count` and
  // workers(), and makes one call at a time, so it can use scratch memory of its own.
  //
  // If a call throws, no further calls begin, and the exception with the lowest index is rethrown here. It is the same
  // exception for every number of workers. Throws Error if the threads cannot be created. A team executes
  // one for_each() at a time; `work` must not call it.
  template <class Work>
  void for_each(std::size_t count, Work&& work) {
    if (workers_ == 1 || count <= 1) {
      for (std::size_t index = 0; index < count; ++index) work(index, std::size_t{0});
      return;
    }
    const auto call = [](void* context, std::size_t index, std::size_t worker) {
      (*static_cast<std::remove_reference_t<Work>*>(context))(index, worker);
    };
    divide(count, {call, const_cast<void*>(static_cast<const void*>(std::addressof(work)))});
  }

 private:
  struct Task {
    void (*call)(void* context, std::size_t index, std::size_t worker) = nullptr;
    void* context = nullptr;
  };
  class Threads;

  void divide(std::size_t count, Task task);
  void leave_threads_of_parent();

  const std::size_t workers_;
  std::unique_ptr<Threads> threads_;  // null until the first call that divides work
};

}  // namespace nandscape
