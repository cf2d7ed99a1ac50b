// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/power_cycles.h"

#include "core/error.h"

namespace nandscape {

namespace {

// The latest time at which a simulation may begin. A simulation that begins later would have too little time left
// before the largest tick.
constexpr Tick latest_start = never - 24 * 3600 * second;

std::unique_ptr<Timeline> timeline_of(const TimelineParameters& parameters) {
  return parameters.file.empty() ? nullptr : std::make_unique<Timeline>(parameters);
}

}  // namespace

PowerCycle::PowerCycle(const PlatformParameters& parameters, const Begin& begin, Timeline* timeline)
    : start_up_(begin.start_up), calendar_(begin.now, begin.events_run) {
  const KernelContext::Scope scope(context_);
  machine_.emplace(parameters, calendar_, begin.start_up, timeline);
  if (!machine_->events_use_kernel()) machine_->calendar().set_surroundings(KernelContext::outside);
}

PowerCycle::~PowerCycle() {
  const KernelContext::Scope scope(context_);
  if (machine_) machine_->calendar().kill_processes();
  machine_.reset();
}

PowerCycles::PowerCycles(const PlatformParameters& parameters)
    : parameters_(parameters), timeline_(timeline_of(parameters.simulation.timeline)) {}

void PowerCycles::require_power() const {
  if (!on()) throw RequestError("the drive has no power; power_on() gives it back");
}

host::Driver& PowerCycles::driver() const {
  if (host::Driver* const driver = machine().host().driver()) return *driver;
  const bool for_guest = machine().host().pci_port() != nullptr;
  throw RequestError("the host is of kind " + parameters_.simulation.blocks.host.kind.name +
                     " (simulation.blocks.host), which takes no commands from here: " +
                     (for_guest ? "it is for a Linux guest (nandscape guest, or Guest in Python)"
                                : "see HostBlock::driver() in platform/blocks/host_block.h"));
}

// --- power

void PowerCycles::begin(const PowerCycle::Begin& begin) {
  cycle_.reset();
  cycle_.emplace(parameters_, begin, timeline_.get());
  capacity_bytes_ = drive().capacity_bytes();
}

void PowerCycles::begin_from_flash() {
  begin({off_.now, off_.events_run, controller::StartUp::from_flash});
  const KernelContext::Scope scope(context());
  Archive archive(off_.state);
  persist_lasting(archive);
  archive.finish();
  for (const Shelf& shelf : off_.shelf) drive().age(shelf.hours, shelf.temperature_c);
}

void PowerCycles::switch_off() {
  Archive archive;
  persist_lasting(archive);
  off_ = {now(), events_run(), archive.take(), {}};
  cycle_.reset();
}

// --- state

PowerCycle::Begin PowerCycles::persist_begin(Archive& archive) const {
  PowerCycle::Begin begin;
  if (!archive.loading()) begin = {now(), events_run(), cycle_->start_up()};
  archive.number(begin.now, latest_start, "the simulated time");
  archive(begin.events_run);
  archive.enumeration(begin.start_up, controller::StartUp::from_flash, "the start of the drive");
  return begin;
}

void PowerCycles::persist(Archive& archive) {
  persist_lasting(archive);
  drive().persist_settled(archive);
  machine().host().front_end().persist_settled(archive, now());
}

void PowerCycles::persist_lasting(Archive& archive) {
  drive().persist_lasting(archive, now());
  machine().host().persist(archive, now());
  machine().power().persist(archive);
}

// --- timeline

void PowerCycles::mark(const char* what) {
  if (timeline_ != nullptr) timeline_->mark(now(), what);
}

void PowerCycles::finish_timeline() {
  if (timeline_ != nullptr) timeline_->finish();
}

}  // namespace nandscape
