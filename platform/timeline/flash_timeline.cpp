// SPDX-License-Identifier: Apache-2.0
#include "platform/timeline/flash_timeline.h"

#include <algorithm>
#include <utility>

#include "platform/timeline/timeline_monitor.h"

namespace nandscape {

namespace {

const char* name_of(const NandCommand& command) {
  const bool background = command.background;
  switch (command.operation) {
    case NandOperation::read:
      if (command.retry_step != 0) return background ? "background read retry" : "read retry";
      return background ? "background read" : "read";
    case NandOperation::program: return background ? "background program" : "program";
    case NandOperation::erase: return "erase";
    case NandOperation::suspend: return "suspend";
    case NandOperation::resume: return "resume";
    case NandOperation::reset: return "reset";
    case NandOperation::set_feature: return "set feature";
    case NandOperation::get_feature: return "get feature";
    case NandOperation::read_parameter_page: return "read parameter page";
    case NandOperation::copyback_read: return "copyback read";
    case NandOperation::copyback_program: return "copyback program";
    case NandOperation::adjust_voltage: return "adjust voltage";
  }
  return "";
}

bool moves_data_out(const NandCommand& command) { return command.bytes != 0 && !programs(command.operation); }

void note_address(TimelineSpan& span, const NandCommand& command) {
  span.note("die", command.die.value);
  span.note("plane", command.plane.value);
  span.note("block", command.block.value);
  span.note("page", command.page);
}

std::uint64_t request_of(const NandCommand& command) { return command.background ? 0 : command.request; }

// Watches the bus of one channel. The bus carries one transfer at a time, and is never free while a request waits. The
// cycles of a request therefore begin when it has arrived and the previous transfer has ended.
class BusWatcher {
 public:
  BusWatcher(Timeline& timeline, TimelineRow& row) : timeline_(timeline), row_(row) {}

  void request_begins(const NandCommand& command, Tick at) {
    requesting_ = &command;
    requested_ = at;
  }
  void request_ends(const NandCommand& command, Tick at) {
    requesting_ = nullptr;
    const bool data_in = programs(command.operation) && command.bytes != 0;
    show(data_in ? "data in" : "command", std::max(requested_, free_from_), command, at);
  }
  void response_begins(const NandCommand& command, Tick at) {
    if (requesting_ == &command) request_ends(command, at);
    response_began_ = at;
  }
  void response_ends(const NandCommand& command, Tick at) {
    show(moves_data_out(command) ? "data out" : "status", response_began_, command, at);
  }

 private:
  void show(const char* name, Tick begin, const NandCommand& command, Tick at) {
    free_from_ = at;
    if (begin >= at) return;
    TimelineSpan span{.name = name, .begin = begin, .end = at, .request = request_of(command)};
    note_address(span, command);
    timeline_.show(row_, span);
  }

  Timeline& timeline_;
  TimelineRow& row_;
  const NandCommand* requesting_ = nullptr;
  Tick requested_ = 0;
  Tick response_began_ = 0;
  Tick free_from_ = 0;
};

// Watches one die. A command begins when its cycles on the bus have ended, and ends when the die has put out its data.
class DieWatcher {
 public:
  DieWatcher(Timeline& timeline, TimelineRow& row) : timeline_(timeline), row_(row) {}

  void request_begins(const NandCommand& command, Tick at) { open_.push_back({&command, at, at}); }
  void request_ends(const NandCommand&, Tick) {}
  void response_begins(const NandCommand& command, Tick at) {
    const auto found = find(command);
    if (found == open_.end()) return;
    found->ready = at;
    if (completed_in_the_call(command)) response_ends(command, at);
  }
  void response_ends(const NandCommand& command, Tick at) {
    const auto found = find(command);
    if (found == open_.end()) return;
    TimelineSpan span{.name = name_of(command), .begin = found->begin, .end = at, .request = request_of(command)};
    note_address(span, command);
    if (command.retry_step != 0) span.note("retry step", command.retry_step);
    span.part("array", found->ready);
    open_.erase(found);
    timeline_.show(row_, span);
  }

 private:
  struct Open {
    const NandCommand* command;
    Tick begin;
    Tick ready;
  };

  std::vector<Open>::iterator find(const NandCommand& command) {
    return std::find_if(open_.begin(), open_.end(), [&](const Open& open) { return open.command == &command; });
  }

  Timeline& timeline_;
  TimelineRow& row_;
  std::vector<Open> open_;
};

// Watches one ECC engine. A job ends when its response begins.
class EngineWatcher {
 public:
  EngineWatcher(Timeline& timeline, TimelineRow& row) : timeline_(timeline), row_(row) {}

  void request_begins(const EccJob& job, Tick at) { open_.push_back({&job, at}); }
  void request_ends(const EccJob&, Tick) {}
  void response_begins(const EccJob& job, Tick at) {
    const auto found = std::find_if(open_.begin(), open_.end(), [&](const Open& open) { return open.job == &job; });
    if (found == open_.end()) return;
    const bool decodes = job.kind == EccKind::decode;
    TimelineSpan span{.name = decodes ? (job.uncorrectable ? "failed decode" : "decode") : "encode",
                      .begin = found->begin,
                      .end = at};
    span.note("bytes", job.bytes);
    if (decodes) span.note("corrected bits", job.corrected_bits);
    open_.erase(found);
    timeline_.show(row_, span);
  }
  // A job that is completed within the call has no separate BEGIN_RESP, so it is recorded here.
  void response_ends(const EccJob& job, Tick at) { response_begins(job, at); }

 private:
  struct Open {
    const EccJob* job;
    Tick begin;
  };

  Timeline& timeline_;
  TimelineRow& row_;
  std::vector<Open> open_;
};

}  // namespace

template <class Job, class Watcher>
JobTargetSocket<Job>& FlashTimeline::watch(JobTargetSocket<Job>& socket, const std::string& name, Watcher watcher) {
  auto monitor = std::make_unique<TimelineMonitor<Job, Watcher>>(("timeline_" + name).c_str(), std::move(watcher));
  monitor->initiator.bind(socket);
  JobTargetSocket<Job>& watched = monitor->target;
  monitors_.push_back(std::move(monitor));
  return watched;
}

JobTargetSocket<NandCommand>& FlashTimeline::channel(JobTargetSocket<NandCommand>& socket, const std::string& name) {
  if (timeline_ == nullptr) return socket;
  return watch(socket, name, BusWatcher(*timeline_, timeline_->row("channels", name)));
}

JobTargetSocket<NandCommand>& FlashTimeline::die(JobTargetSocket<NandCommand>& socket, const std::string& name) {
  if (timeline_ == nullptr) return socket;
  return watch(socket, name, DieWatcher(*timeline_, timeline_->row("dies", name)));
}

JobTargetSocket<EccJob>& FlashTimeline::engine(JobTargetSocket<EccJob>& socket, const std::string& name,
                                               const std::string& side) {
  if (timeline_ == nullptr) return socket;
  return watch(socket, side + "_" + name, EngineWatcher(*timeline_, timeline_->row("ECC engines", name)));
}

}  // namespace nandscape
