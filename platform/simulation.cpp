// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/error.h"
#include "platform/configuration_checks.h"
#include "platform/kernel_context.h"
#include "platform/machine.h"
#include "platform/object_tree.h"
#include "platform/request_statistics.h"

namespace nandscape {

namespace {

struct WorkloadGroup {
  const std::vector<std::string>& names;
  const std::vector<RequestStatistics>& statistics;
};

void describe(const WorkloadGroup& g, StatisticsVisitor& v) {
  for (std::size_t k = 0; k < g.names.size(); ++k) v.group(g.names[k], g.statistics[k], "requests of this workload");
}

struct HostGroup {
  const RequestStatistics& requests;
  WorkloadGroup workloads;
  const HostModule& host;
};

void describe(const HostGroup& g, StatisticsVisitor& v) {
  describe(g.requests, v);
  if (g.workloads.names.size() > 1) v.group("workloads", g.workloads, "each workload by its name");
  v.group("link", g.host.link().counters(), "PCI Express");
}

struct ChannelGroup {
  double busy_fraction;
};

void describe(const ChannelGroup& g, StatisticsVisitor& v) {
  v.real("busy_fraction", g.busy_fraction, "",
         "share of the time in which the buses were in use, mean over the channels");
}

struct SimulationGroup {
  Tick now;
  double wall_s;
  std::uint64_t events;
};

void describe(const SimulationGroup& g, StatisticsVisitor& v) {
  v.real("simulated_s", s_from_ticks(g.now), "s", "simulated time");
  v.real("wall_s", g.wall_s, "s", "time spent simulating");
  v.count("events", g.events, "events of the calendar");
}

using Clock = std::chrono::steady_clock;
constexpr auto progress_interval = std::chrono::milliseconds(100);

RequestStatus status_of(nvme::Status status) {
  switch (status) {
    case nvme::Status::success: return RequestStatus::ok;
    case nvme::Status::unrecovered_read_error: return RequestStatus::unrecovered_read_error;
    case nvme::Status::write_fault: return RequestStatus::write_fault;
    default: return RequestStatus::refused;
  }
}

const char* text_of(RequestStatus status) {
  switch (status) {
    case RequestStatus::ok: return "ok";
    case RequestStatus::unrecovered_read_error: return "the data could not be read back (unrecovered read error)";
    case RequestStatus::write_fault: return "the data could not be written (write fault)";
    case RequestStatus::refused: return "the drive refused the command";
  }
  return "";
}

}  // namespace

class Simulation::Implementation final : private RequestObserver {
 public:
  explicit Implementation(Configuration given) : configuration(std::move(given)) {
    const KernelContext::Scope scope(context_);
    machine_.emplace(configuration.parameters, calendar_);
    names_ = workload_names(configuration.parameters.host.workload, "host.workload");
    workload_statistics_.resize(names_.size());
    add_workloads();
  }

  ~Implementation() {
    const KernelContext::Scope scope(context_);
    machine_.reset();
  }

  std::uint64_t capacity_bytes() const {
    const Controller& controller = machine_->flash().controller();
    return controller.logical_pages() * controller.page_bytes();
  }

  bool run(const ProgressCallback& progress) {
    if (workloads_ran_)
      throw RequestError("the configured workloads have been run; make another Simulation to repeat them");
    workloads_ran_ = true;
    bring_up();
    machine_->host().driver().start_workloads();
    return drive(never, progress);
  }
  void run_until(Tick limit) {
    bring_up();
    drive(std::max(limit, calendar_.now()), {});
  }

  Tick submit(const HostRequest& request, std::byte* data) {
    if (data != nullptr && configuration.parameters.simulation.data == DataFidelity::none) data = nullptr;
    const std::uint64_t capacity = capacity_bytes() / sector_bytes;
    if (request.kind != RequestKind::flush &&
        (request.sectors == 0 || request.sectors > capacity || request.first.value > capacity - request.sectors)) {
      throw RequestError("sectors " + std::to_string(request.first.value) + " to " +
                         std::to_string(request.first.value + request.sectors) +
                         " (exclusive) are not all within the capacity of " + std::to_string(capacity) + " sectors");
    }
    bring_up();
    const Tick start = calendar_.now();
    std::optional<Tick> end;
    RequestStatus status = RequestStatus::ok;
    machine_->host().driver().submit(request, data, [&](nvme::Status result, Tick now) {
      status = status_of(result);
      end = now;
      record(names_.size(), request, start, now, status);
      calendar_.stop();
    });
    drive(never, {});
    if (!end) throw std::logic_error("a command was never completed");
    if (status != RequestStatus::ok) throw RequestError(text_of(status));
    return *end - start;
  }

  Value statistics() const {
    const FlashDevice& flash = machine_->flash();
    const HostGroup host{host_statistics_, {names_, workload_statistics_}, machine_->host()};
    const ChannelGroup channel{flash.channel_busy_fraction(calendar_.now())};
    const SimulationGroup simulation{calendar_.now(), wall_s_, calendar_.events_run()};
    StatisticsSnapshot snapshot;
    snapshot.group("host", host, "what the host saw");
    snapshot.group("controller", flash.controller().counters(), "flash translation");
    snapshot.group("nand", flash.nand_counters(), "all dies together");
    snapshot.group("ecc", flash.ecc_counters(), "all engines together");
    snapshot.group("channel", channel, "the buses to the dies");
    snapshot.group("simulation", simulation, "the run itself");
    return snapshot.result();
  }

  Value hierarchy() const {
    const KernelContext::Scope scope(context_);
    return object_tree();
  }

  Tick now() const { return calendar_.now(); }
  const RequestLog& requests() const { return log_; }

  const Configuration configuration;

 private:
  // The driver asks for a queue for each workload when it brings the controller up.
  void add_workloads() {
    const std::vector<WorkloadParameters>& workloads = configuration.parameters.host.workload;
    for (std::size_t k = 0; k < workloads.size(); ++k) {
      const std::string path = workloads.size() == 1 ? "host.workload" : "host.workload." + std::to_string(k);
      sources_.push_back(make_source(workloads[k], path));
      machine_->host().driver().add_workload(
          *sources_.back(),
          {is_open_loop(workloads[k]) ? IssueMode::open_loop : IssueMode::closed_loop, workloads[k].queue_depth},
          *this);
      expected_ += sources_.back()->expected_requests();
    }
  }

  std::unique_ptr<WorkloadSource> make_source(const WorkloadParameters& workload, const std::string& path) const {
    try {
      return make_workload(workload, capacity_bytes() / sector_bytes, configuration.parameters.simulation.seed, path);
    } catch (const ConfigError& error) {
      throw ConfigError(source_of(configuration.given, error.path()), error.path(), error.complaint());
    }
  }

  // The driver makes the controller ready before the first command, as after every power-up.
  void bring_up() {
    Driver& driver = machine_->host().driver();
    if (driver.ready()) return;
    driver.start();
    drive(never, {});
    if (!driver.ready()) throw std::logic_error("the NVMe controller did not become ready");
  }

  // Runs events up to `limit`, or until none is left or one stops the calendar. False when the callback ended it.
  bool drive(Tick limit, const ProgressCallback& progress) {
    const KernelContext::Scope scope(context_);
    const Clock::time_point begin = Clock::now();
    bool wanted = true;
    CalendarModule& kernel = machine_->calendar();
    if (progress) {
      kernel.set_watch([&, reported = begin]() mutable {
        const Clock::time_point wall = Clock::now();
        if (wall - reported < progress_interval) return true;
        reported = wall;
        wanted = progress({host_statistics_.completed(), expected_, calendar_.now()});
        return wanted;
      });
    }
    kernel.run(limit);
    kernel.set_watch({});
    wall_s_ += std::chrono::duration<double>(Clock::now() - begin).count();
    if (progress && wanted) progress({host_statistics_.completed(), expected_, calendar_.now()});
    kernel.rethrow();
    return wanted;
  }

  void completed(std::size_t workload, const HostRequest& request, Tick start, Tick now, nvme::Status status) override {
    record(workload, request, start, now, status_of(status));
  }

  // `workload` is one past the last for single commands.
  void record(std::size_t workload, const HostRequest& request, Tick start, Tick now, RequestStatus status) {
    const bool failed = status != RequestStatus::ok;
    host_statistics_.record(request, start, now, failed);
    if (workload < workload_statistics_.size() && workload_statistics_.size() > 1) {
      workload_statistics_[workload].record(request, start, now, failed);
    }
    if (!configuration.parameters.simulation.request_log) return;
    log_.start.push_back(start);
    log_.latency.push_back(now - start);
    log_.first_lba.push_back(request.first.value);
    log_.sectors.push_back(static_cast<std::uint32_t>(request.sectors));
    log_.kind.push_back(static_cast<std::uint8_t>(request.kind));
    log_.status.push_back(static_cast<std::uint8_t>(status));
    log_.workload.push_back(static_cast<std::uint16_t>(workload));
  }

  KernelContext context_;
  Calendar calendar_;
  std::optional<Machine> machine_;
  std::vector<std::unique_ptr<WorkloadSource>> sources_;
  std::vector<std::string> names_;
  bool workloads_ran_ = false;
  std::uint64_t expected_ = 0;

  RequestStatistics host_statistics_;
  std::vector<RequestStatistics> workload_statistics_;
  RequestLog log_;
  double wall_s_ = 0;
};

Simulation::Simulation(Configuration configuration)
    : implementation_(std::make_unique<Implementation>(std::move(configuration))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Configuration& Simulation::configuration() const { return implementation_->configuration; }
std::uint64_t Simulation::capacity_bytes() const { return implementation_->capacity_bytes(); }
Tick Simulation::now() const { return implementation_->now(); }
bool Simulation::run(const ProgressCallback& progress) { return implementation_->run(progress); }
void Simulation::run_until(Tick limit) { implementation_->run_until(limit); }

namespace {

std::uint64_t whole_sectors(std::size_t bytes) {
  if (bytes % sector_bytes != 0) {
    throw RequestError(std::to_string(bytes) + " bytes are no whole number of sectors of " +
                       std::to_string(sector_bytes) + " bytes");
  }
  return bytes / sector_bytes;
}

}  // namespace

Tick Simulation::read(std::uint64_t lba, std::span<std::byte> data) {
  return implementation_->submit({RequestKind::read, Lba(lba), whole_sectors(data.size())}, data.data());
}

Tick Simulation::write(std::uint64_t lba, std::span<const std::byte> data) {
  // The driver hands buffers of both directions on as one type; it only reads those of writes.
  return implementation_->submit({RequestKind::write, Lba(lba), whole_sectors(data.size())},
                                 const_cast<std::byte*>(data.data()));
}

Tick Simulation::trim(std::uint64_t lba, std::uint64_t sectors) {
  return implementation_->submit({RequestKind::trim, Lba(lba), sectors}, nullptr);
}

Tick Simulation::flush() { return implementation_->submit({RequestKind::flush, Lba(0), 0}, nullptr); }

Value Simulation::statistics() const { return implementation_->statistics(); }
const RequestLog& Simulation::requests() const { return implementation_->requests(); }
Value Simulation::hierarchy() const { return implementation_->hierarchy(); }

}  // namespace nandscape
