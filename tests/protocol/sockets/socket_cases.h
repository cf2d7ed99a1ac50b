// SPDX-License-Identifier: Apache-2.0
// The cases that the tests of all sockets have in common, and a bench that gives each case its own SystemC kernel.
#pragma once

#include <vector>

#include "catch.h"
#include "foreign_initiator.h"
#include "foreign_target.h"
#include "kernel.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"

namespace nandscape {

using Passages = std::vector<Passage>;

inline Tick any_quantum() { return GENERATE(Tick{0}, microsecond, millisecond); }

struct TargetCase {
  Answer answer;
  Process process;
};
inline std::vector<TargetCase> target_cases() {
  std::vector<TargetCase> cases = {{Answer::response_returned, Process::method}, {Answer::completed, Process::method}};
  for (const Process process : {Process::method, Process::thread, Process::waiting}) {
    for (const Answer answer : {Answer::calls, Answer::announced_calls, Answer::end_returned, Answer::response_only}) {
      cases.push_back({answer, process});
    }
  }
  return cases;
}
// Returns whether the target accepts several jobs at a time. Other targets occupy the link or their only thread until
// the response, so jobs are executed one at a time. This includes targets with announced responses.
inline bool takes_several(const TargetCase& target) {
  return (target.answer == Answer::calls || target.answer == Answer::end_returned) &&
         target.process != Process::waiting;
}
// Returns the times expected with `target`, given the times with the built-in target. If the target does not send
// END_REQ, the request ends when the response begins.
inline Passages expected(Passages built_in, const TargetCase& target) {
  if (tells_end_of_request(target.answer)) return built_in;
  for (Passage& passage : built_in) passage.request_ended = passage.response_began;
  return built_in;
}

template <class Job>
using InitiatorCase = typename ForeignInitiator<Job>::Case;
// Returns all cases of an initiator. Initiators that run ahead of SystemC are included only if the pause between two
// jobs is long enough.
template <class Job>
std::vector<InitiatorCase<Job>> initiator_cases(Tick pause) {
  std::vector<InitiatorCase<Job>> cases;
  for (const Tick ahead : {Tick{0}, 40 * microsecond}) {
    if (ahead > pause) continue;
    for (const End end :
         {End::completed, End::completed_later, End::returned, End::returned_later, End::called, End::announced_call}) {
      for (const bool method : {false, true}) cases.push_back({end, method, ahead, pause});
    }
    cases.push_back({End::blocking, false, ahead, pause});
  }
  return cases;
}
// Returns the times that an initiator can observe. With b_transport, it observes only the end of the job.
inline Passages expected(Passages built_in, End end) {
  if (end != End::blocking) return built_in;
  for (Passage& passage : built_in) passage.request_ended = passage.response_began = never;
  return built_in;
}

// A calendar that is driven by SystemC. Construct the blocks after it.
struct Bench {
  // Set `foreign` if a block has processes that call without a delay. The calendar then must not run ahead of SystemC.
  Bench(Tick quantum, bool foreign) : driver("calendar", calendar, quantum) {
    if (foreign) driver.limit_lookahead(0);
  }
  void run() { sc_core::sc_start(to_sc_time(20 * millisecond)); }

  Kernel kernel;
  Calendar calendar;
  CalendarModule driver;
};

// A link between two sockets with a protocol checker. When the link is destroyed, no transaction may be outstanding.
template <class Job>
class Link {
 public:
  template <class Initiator, class Target>
  Link(Initiator& initiator, Target& target) {
    initiator.bind(checker_.target);
    checker_.initiator.bind(target);
  }
  ~Link() { CHECK(checker_.outstanding_histories() == ""); }

 private:
  ProtocolChecker<JobProtocol<Job>> checker_{sc_core::sc_gen_unique_name("checker")};
};

}  // namespace nandscape
