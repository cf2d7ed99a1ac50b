// SPDX-License-Identifier: Apache-2.0
#include "sandbox.h"

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace nandscape::soak {

namespace {

// The results that the child process writes to the pipe, followed by the description of the failure.
struct Report {
  bool refused;
  std::uint64_t operations;
  std::uint64_t digest;
  double longest_s;
  double most_of_bound;
};
static_assert(std::is_trivially_copyable_v<Report>);

void write_all(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(file, data, size);
    if (written <= 0) ::_exit(1);
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

std::string read_all(int file) {
  std::string text;
  char part[4096];
  for (ssize_t size = 0; (size = ::read(file, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(size));
  return text;
}

}  // namespace

Outcome play_apart(const Sequence& sequence, unsigned longest_s) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    ::close(ends[0]);
    // The limit is in processor time, so that the load from other processes does not matter.
    const itimerval limit{{0, 0}, {static_cast<time_t>(longest_s), 0}};
    ::setitimer(ITIMER_PROF, &limit, nullptr);
    const Outcome outcome = play(sequence);
    const Report report{outcome.refused, outcome.operations, outcome.digest, outcome.longest_s, outcome.most_of_bound};
    write_all(ends[1], reinterpret_cast<const char*>(&report), sizeof report);
    write_all(ends[1], outcome.failure.data(), outcome.failure.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  const std::string told = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  Outcome outcome;
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    outcome.failure = signal == SIGPROF ? "hang: longer than " + std::to_string(longest_s) + " s of processor time"
                                        : "crash: signal " + std::to_string(signal);
    return outcome;
  }
  Report report;
  if (WEXITSTATUS(status) != 0 || told.size() < sizeof report) {
    outcome.failure = "crash: exit status " + std::to_string(WEXITSTATUS(status));
    return outcome;
  }
  std::memcpy(&report, told.data(), sizeof report);
  outcome.refused = report.refused;
  outcome.operations = report.operations;
  outcome.digest = report.digest;
  outcome.longest_s = report.longest_s;
  outcome.most_of_bound = report.most_of_bound;
  outcome.failure = told.substr(sizeof report);
  return outcome;
}

}  // namespace nandscape::soak
