// SPDX-License-Identifier: Apache-2.0
// The cases that the tests of all sockets run, and the kernel for each.
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
// Whether a target takes several jobs at a time. Other targets, including targets with announced responses, occupy the
// link or their only thread until the response, so their jobs come one after another.
inline bool takes_several(const TargetCase& target) {
  return (target.answer == Answer::calls || target.answer == Answer::end_returned) &&
         target.process != Process::waiting;
}
// Returns the passages expected at `target`, given the passages at the built-in target, which sends END_REQ.
inline Passages expected(Passages built_in, const TargetCase& target) {
  if (tells_end_of_request(target.answer)) return built_in;
  for (Passage& passage : built_in) passage.request_ended = passage.response_began;
  return built_in;
}

template <class Job>
using InitiatorCase = typename ForeignInitiator<Job>::Case;
// Includes initiators ahead of SystemC, unless the time between two jobs is too short.
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
// An initiator that calls b_transport knows only the end of its job.
inline Passages expected(Passages built_in, End end) {
  if (end != End::blocking) return built_in;
  for (Passage& passage : built_in) passage.request_ended = passage.response_began = never;
  return built_in;
}

// A calendar driven by SystemC. Blocks are constructed after it.
struct Bench {
  // `foreign`: a partner has processes that call without a delay.
  Bench(Tick quantum, bool foreign) : driver("calendar", calendar, quantum) {
    if (foreign) driver.limit_lookahead(0);
  }
  void run() { sc_core::sc_start(to_sc_time(20 * millisecond)); }

  Kernel kernel;
  Calendar calendar;
  CalendarModule driver;
};

// A checked link between two sockets. At its end no transaction may be outstanding.
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
