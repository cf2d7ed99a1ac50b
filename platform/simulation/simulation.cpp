// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/simulation.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>

#include "core/archive.h"
#include "core/error.h"
#include "core/interruption.h"
#include "platform/config/configuration_checks.h"
#include "platform/config/restorable.h"
#include "platform/config/yaml_reader.h"
#include "platform/simulation/checkpoint_file.h"
#include "platform/simulation/energy.h"
#include "platform/simulation/object_tree.h"
#include "platform/simulation/ownership.h"
#include "platform/simulation/power_cycle.h"
#include "platform/simulation/request_statistics.h"
#include "platform/simulation/smart_log.h"
#include "platform/simulation/utilisation.h"

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

struct ControllerGroup {
  const FlashDevice& flash;
};

void describe(const ControllerGroup& g, StatisticsVisitor& v) {
  describe(g.flash.ftl().counters(), v);
  if (const FirmwareStage* firmware = g.flash.firmware()) v.group("firmware", firmware->counters(), "its cores");
  if (const DataCache* cache = g.flash.cache()) v.group("cache", cache->counters(), "data of the host in DRAM");
  if (const Dram* dram = g.flash.dram()) v.group("dram", dram->counters(), "the controller's DRAM");
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
constexpr auto turn_interval = std::chrono::milliseconds(10);

// Bounds of what is simulated and of what ages: 64 bits hold twice as many ticks, the cell models a good deal more.
constexpr Tick longest_time = Tick{1} << 63;
constexpr double hours_per_year = 365.25 * 24;
constexpr double longest_hours = 100 * hours_per_year;
constexpr double lowest_temperature_c = -40;
constexpr double highest_temperature_c = 125;

// For messages.
std::string shown(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

std::uint64_t next_identity() {
  static std::atomic<std::uint64_t> latest = 0;
  return ++latest;
}

std::uint64_t whole_sectors(std::size_t bytes) {
  if (bytes % sector_bytes != 0) {
    throw RequestError(std::to_string(bytes) + " bytes are no whole number of sectors of " +
                       std::to_string(sector_bytes) + " bytes");
  }
  return bytes / sector_bytes;
}
// A simulation that begins later has no time left.
constexpr Tick latest_start = never - 24 * 3600 * second;

RequestStatus status_of(nvme::Status status) {
  switch (status) {
    case nvme::Status::success: return RequestStatus::ok;
    case nvme::Status::unrecovered_read_error: return RequestStatus::unrecovered_read_error;
    case nvme::Status::write_fault: return RequestStatus::write_fault;
    case nvme::Status::namespace_write_protected: return RequestStatus::write_protected;
    case nvme::Status::abort_requested: return RequestStatus::aborted;
    case nvme::Status::power_loss: return RequestStatus::power_lost;
    default: return RequestStatus::refused;
  }
}

}  // namespace

void RequestLog::persist(Archive& archive, std::size_t workloads) {
  archive.section("log of requests");
  archive(start, latency, first_lba, sectors, kind, status, workload);
  const auto none_above = [](const auto& values, std::size_t most) {
    return std::ranges::all_of(values, [most](auto value) { return value <= most; });
  };
  for (const std::size_t length :
       {latency.size(), first_lba.size(), sectors.size(), kind.size(), status.size(), workload.size()}) {
    archive.require(length == size(), "the columns are not of one length");
  }
  archive.require(none_above(kind, static_cast<std::size_t>(RequestKind::write_zeroes)), "a kind is none of requests");
  archive.require(none_above(status, static_cast<std::size_t>(RequestStatus::power_lost)),
                  "a status is none of requests");
  archive.require(none_above(workload, workloads), "a workload is one that there is not");
}

class Simulation::Implementation final : private RequestObserver {
 public:
  explicit Implementation(Configuration given) : configuration(std::move(given)) {
    power_.emplace(configuration.parameters, PowerCycle::Begin{});
    name_workloads();
    open_workloads();
    capacity_bytes_ = measure_capacity();
  }

  // Goes on from the state of another simulation.
  Implementation(Configuration given, std::span<const std::byte> state) : configuration(std::move(given)) {
    name_workloads();
    load(state);
    capacity_bytes_ = measure_capacity();
  }

  // What is under way ends as if the power went.
  ~Implementation() { fail_outstanding(RequestStatus::power_lost); }

  std::uint64_t capacity_bytes() const { return capacity_bytes_; }

  bool run(const ProgressCallback& progress) {
    if (workloads_ran_)
      throw RequestError("the configured workloads have been run; make another Simulation to repeat them");
    bring_up();
    workloads_ran_ = true;
    workloads_started_ = true;
    driver().start_workloads();
    return drive(never, progress);
  }
  void run_until(Tick limit) {
    if (limit > longest_time) {
      throw RequestError("simulated time ends at " + shown(s_from_ticks(longest_time)) +
                         " s (2^63 ps, 106 days), not at " + shown(s_from_ticks(limit)) +
                         " s; advance() lets years pass");
    }
    bring_up();
    drive(std::max(limit, now()));
  }

  // Throws RequestError past the capacity.
  void check_range(const HostRequest& request) const {
    const std::uint64_t capacity = capacity_bytes() / sector_bytes;
    if (request.sectors == 0) throw RequestError("a request of no sectors: it has at least one");
    if (request.sectors > capacity || request.first.value > capacity - request.sectors) {
      throw RequestError("sectors " + std::to_string(request.first.value) + " to " +
                         std::to_string(request.first.value + request.sectors) +
                         " (exclusive) are not all within the capacity of " + std::to_string(capacity) + " sectors");
    }
  }

  // `data` is as long as the request, or empty where it moves none.
  CommandHandle start_read(std::uint64_t lba, std::uint64_t bytes) {
    const HostRequest request{RequestKind::read, Lba(lba), whole_sectors(bytes)};
    check_range(request);
    return start(request, std::vector<std::byte>(bytes));
  }
  CommandHandle start_write(std::uint64_t lba, std::vector<std::byte> data, bool force_unit_access) {
    const HostRequest request{RequestKind::write, Lba(lba), whole_sectors(data.size()), 0, force_unit_access};
    check_range(request);
    return start(request, std::move(data));
  }
  CommandHandle start_trim(std::uint64_t lba, std::uint64_t sectors) {
    const HostRequest request{RequestKind::trim, Lba(lba), sectors};
    check_range(request);
    return start(request);
  }
  CommandHandle start_flush() { return start({RequestKind::flush, Lba(0), 0}); }

  CommandHandle start(const HostRequest& request, std::vector<std::byte> data = {}) {
    bring_up();
    auto command = std::make_shared<HostCommand>(request, std::move(data));
    command->simulation_ = identity_;
    command->start_ = now();
    outstanding_.push_back(command);
    const bool moves_data = configuration.parameters.simulation.data != DataFidelity::none && !command->data_.empty();
    driver().submit(request, moves_data ? command->data_.data() : nullptr,
                    [this, command](nvme::Status status, Tick at) { end(command, status_of(status), at); });
    return command;
  }

  Tick wait(const CommandHandle& command) {
    if (command == nullptr || command->simulation_ != identity_) {
      throw RequestError("the command belongs to another simulation; wait for it there");
    }
    if (!command->done()) drive(never, {}, command.get());
    if (!command->done()) fail_outstanding(RequestStatus::write_fault);
    if (command->status() != RequestStatus::ok) {
      throw RequestError(text_of(*command), std::string(name_of(command->status())));
    }
    return command->latency();
  }

  void wait_all() {
    while (!outstanding_.empty()) {
      const CommandHandle last = outstanding_.back();
      drive(never, {}, last.get());
      if (!last->done()) fail_outstanding(RequestStatus::write_fault);
    }
  }

  Value smart_log() {
    bring_up();
    const auto log = std::make_shared<std::optional<nvme::SmartLog>>();
    // The answer may come when nobody waits for it any more.
    driver().get_log_page(
        nvme::LogPage::smart, sizeof(nvme::SmartLog),
        [this, asked = std::weak_ptr(log)](const nvme::CompletionEntry&, std::span<const std::byte> data) {
          const auto answer = asked.lock();
          if (answer == nullptr) return;
          std::memcpy(&answer->emplace(), data.data(), sizeof(nvme::SmartLog));
          arrived(answer.get());
        });
    drive_until([&] { return log->has_value(); }, log.get(), "an admin command was never completed");
    return value_of(**log);
  }

  void reset() {
    bring_up();
    coming_up_ = true;
    driver().reset([this] { arrived(&coming_up_); });
    bring_up();
  }

  // --- power, age, state

  // What interrupts the hold-up ends it: the drive is off then, as with a smaller capacitor.
  void power_cut() {
    drive_with_power();
    driver().power_lost();
    fail_outstanding(RequestStatus::power_lost);
    power_->machine().host().nvme().host_lost();
    PowerLossCounters& counters = flash().ftl().power_loss();
    ++counters.cuts;
    ++counters.unsafe_shutdowns;
    const Tick begin = now();
    std::exception_ptr interrupted;
    try {
      if (has_capacitor()) hold_up(ticks_from_us(1e3 * power_loss().hold_up_ms));
    } catch (const Interrupted&) {
      interrupted = std::current_exception();
    }
    counters.hold_up += now() - begin;
    switch_off();
    if (interrupted) std::rethrow_exception(interrupted);
  }

  // Interrupted, it ends as a power cut.
  void shut_down() {
    drive_with_power();
    must_be_idle("the drive is shut down");
    try {
      if (driver().ready()) {
        driver().shut_down();
        drive(never);
      }
      settle(!flash().ftl().writes_checkpoints());
      flash().ftl().write_checkpoint(now());
      drive(never);
    } catch (const Interrupted&) {
      power_cut();
      throw;
    }
    ++flash().ftl().power_loss().cuts;
    switch_off();
  }

  // Fails or is interrupted as if it had not begun.
  void power_on() {
    if (power_) throw RequestError("the drive has power already");
    power_.emplace(configuration.parameters, PowerCycle::Begin{off_.now, off_.events_run, StartUp::from_flash});
    try {
      const KernelContext::Scope scope(power_->context());
      add_workloads();
      Archive archive(off_.state);
      persist_lasting(archive);
      archive.finish();
      for (const Shelf& shelf : off_.shelf) flash().advance(shelf.hours, shelf.temperature_c);
      recover();
      bring_up();
    } catch (const ArchiveError& error) {
      stay_off();
      throw InputError({"checkpoint of the mapping", 0}, error.what());
    } catch (...) {
      stay_off();
      throw;
    }
    off_ = {};
  }

  void stay_off() {
    power_.reset();
    coming_up_ = false;
  }

  bool has_power() const { return power_.has_value(); }

  void advance(double hours, double temperature_c, bool powered) {
    if (!(hours >= 0)) throw RequestError("time does not pass backwards");
    if (!(hours <= longest_hours)) {
      throw RequestError("at most 100 years pass at a time, not " + shown(hours / hours_per_year));
    }
    if (!(temperature_c >= lowest_temperature_c && temperature_c <= highest_temperature_c)) {
      throw RequestError("flash ages at " + shown(lowest_temperature_c) + " to " + shown(highest_temperature_c) +
                         " degrees Celsius, not at " + shown(temperature_c));
    }
    if (!power_) {
      if (powered) drive_with_power();
      off_.shelf.push_back({hours, temperature_c});
      return;
    }
    must_be_idle("time passes");
    drive(never);
    const ControllerParameters& controller = configuration.parameters.controller;
    const bool refreshes = powered && controller.refresh.policy.name != "none";
    const double longest = refreshes ? controller.refresh.check_hours : hours;
    const double factor = arrhenius_factor(configuration.parameters.nand.cells.retention, temperature_c);
    for (double left = hours; left > 0; left -= longest) {
      const double step = std::min(left, longest);
      flash().advance(step, temperature_c);
      if (!powered) continue;
      flash().ftl().advance(step * factor, now());
      drive(never);
    }
  }

  void checkpoint(const std::string& path) {
    drive_with_power();
    must_be_idle("a checkpoint is made");
    settle();
    Archive archive;
    persist(archive);
    const std::vector<std::byte> state = archive.take();
    save_checkpoint_file(path, configuration.to_yaml(), state);
    const Interruptible to_the_end([] { return true; });  // the drive that was is gone as soon as this begins
    load(state);
  }

  FlashDevice& drive_with_power() {
    if (!power_) throw RequestError("the drive has no power; power_on() gives it back");
    return flash();
  }

  Value statistics() const {
    if (!power_) return off_.statistics;
    const Machine& machine = power_->machine();
    const FlashDevice& flash = machine.flash();
    const HostGroup host{host_statistics_, {names_, workload_statistics_}, machine.host()};
    const ChannelGroup channel{flash.channel_busy_fraction(now())};
    const SimulationGroup simulation{now(), wall_s_, power_->calendar().events_run()};
    StatisticsSnapshot snapshot;
    snapshot.group("host", host, "what the host saw");
    snapshot.group("controller", ControllerGroup{flash}, "flash translation, and the stages before it");
    snapshot.group("nand", flash.nand_counters(), "all dies together");
    snapshot.group("ecc", flash.ecc_counters(), "all engines together");
    snapshot.group("channel", channel, "the buses to the dies");
    snapshot.group("utilisation", utilisation_of(configuration.parameters, machine, now()),
                   "share of the time in which each kind of resource was in use");
    snapshot.group("energy", energy_of(configuration.parameters, machine), "what was taken from the supply");
    snapshot.group("simulation", simulation, "the run itself");
    return snapshot.result();
  }

  Value hierarchy() const {
    if (!power_) throw RequestError("the drive has no power; power_on() gives it back");
    return object_tree(power_->context());
  }

  Tick now() const { return power_ ? power_->calendar().now() : off_.now; }
  const RequestLog& requests() const { return log_; }
  bool workloads_under_way() const { return workloads_started_ && !driver().workloads_done(); }

  // None without power.
  const KernelContext* context() const { return power_ ? &power_->context() : nullptr; }

  const Configuration configuration;
  Ownership ownership;

 private:
  // What a drive without power is.
  struct Shelf {
    double hours;
    double temperature_c;
  };
  struct Off {
    Tick now = 0;
    std::uint64_t events_run = 0;
    std::vector<std::byte> state;  // that lasts
    Value statistics;              // as of the end of the power
    std::vector<Shelf> shelf;
  };

  Driver& driver() { return power_->machine().host().driver(); }
  const Driver& driver() const { return power_->machine().host().driver(); }
  FlashDevice& flash() { return power_->machine().flash(); }
  const PowerLossParameters& power_loss() const { return configuration.parameters.controller.power_loss; }

  std::uint64_t measure_capacity() {
    const Ftl& ftl = flash().ftl();
    return ftl.logical_pages() * ftl.page_bytes();
  }

  void name_workloads() {
    names_ = workload_names(configuration.parameters.host.workload, "host.workload");
    workload_statistics_.resize(names_.size());
  }

  // From their beginning.
  void open_workloads() {
    const std::vector<WorkloadParameters>& workloads = configuration.parameters.host.workload;
    sources_.clear();
    workloads_ran_ = false;
    expected_ = host_statistics_.completed();
    for (std::size_t k = 0; k < workloads.size(); ++k) {
      const std::string path = workloads.size() == 1 ? "host.workload" : "host.workload." + std::to_string(k);
      sources_.push_back(make_source(workloads[k], path));
      expected_ += sources_.back()->expected_requests();
    }
    add_workloads();
  }

  // The driver asks for a queue for each workload when it brings the controller up.
  void add_workloads() {
    const std::vector<WorkloadParameters>& workloads = configuration.parameters.host.workload;
    for (std::size_t k = 0; k < workloads.size(); ++k) {
      driver().add_workload(
          *sources_[k],
          {is_open_loop(workloads[k]) ? IssueMode::open_loop : IssueMode::closed_loop, workloads[k].queue_depth},
          *this);
    }
  }

  void must_be_idle(const char* before) {
    if (outstanding_.empty() && !workloads_under_way()) return;
    throw RequestError(std::string("commands or workloads are under way; they must end before ") + before);
  }

  bool has_capacitor() const {
    const CacheParameters& cache = configuration.parameters.controller.cache;
    return power_loss().protection == PowerLossProtection::capacitor ||
           (cache.keeps_writes() && cache.backup == CacheBackup::capacitor);
  }

  // The drive runs on its capacitor, until all that it has answered for is in the cells.
  void hold_up(Tick longest) {
    const Tick begin = now();
    for (;;) {
      bool saved = false;
      flash().save(now(), [this, &saved] {
        saved = true;
        power_->calendar().stop();
      });
      // What needs no time has been done within save().
      if (!saved) drive(begin + longest);
      if (!saved || flash().ftl().all_durable()) return;
      // Room for what had to be written has been made; moves beyond that would go on filling latches.
      flash().ftl().halt_collection();
    }
  }

  // Runs all work to its end, so that nothing is left anywhere but in the cells and in what persist() knows. A drive
  // that has begun to save does nothing else any more: it saves to the end, or is off, as after a power cut.
  // With `saves` it saves in any case.
  void settle(bool saves = false) {
    constexpr int most_rounds = 1000;  // what is moved may leave wordlines incomplete once more
    const auto at_rest = [this] { return flash().settled() && flash().media_idle(); };
    drive(never);
    if (at_rest() && !saves) return;
    flash().write_back(now());
    drive(never);
    const Interruptible to_the_end([] { return true; });
    for (int round = 0; round < most_rounds; ++round) {
      if (at_rest() && !saves) return;
      saves = false;
      flash().save(now(), [] {});
      drive(never);
    }
    const std::string waiting = flash().ftl().waiting();
    power_cut();
    throw Error("the drive finds no room for the work that it has left, and is off, as after a power cut; " + waiting);
  }

  void switch_off() {
    flash().power_cut(now());
    ++flash().ftl().power_loss().power_cycles;
    Archive archive;
    persist_lasting(archive);
    off_ = {now(), power_->calendar().events_run(), archive.take(), statistics(), {}};
    power_.reset();
    workloads_started_ = false;
    coming_up_ = false;
  }

  void recover() {
    Ftl& ftl = flash().ftl();
    const Tick begin = now();
    ftl.recover(begin, [this] { power_->calendar().stop(); });
    drive(never);
    if (ftl.recovering()) throw std::logic_error("the recovery of the drive was never completed");
    ftl.power_loss().recovery += now() - begin;
  }

  // What the drive keeps without power, and what its parts have counted.
  void persist_lasting(Archive& archive) {
    flash().persist_media(archive, now());
    flash().persist_counters(archive);
    power_->machine().host().persist(archive, now());
  }

  // Writes or reads back everything. Reading, a machine is made that goes on at the time of the state.
  void persist(Archive& archive) {
    archive.section("simulation");
    PowerCycle::Begin begin;
    if (!archive.loading()) begin = {now(), power_->calendar().events_run(), power_->start_up()};
    archive.number(begin.now, latest_start, "the simulated time");
    archive(begin.events_run);
    archive.enumeration(begin.start_up, StartUp::from_flash, "the start of the drive");
    archive(host_statistics_);
    log_.persist(archive, names_.size());
    std::string names;
    for (const std::string& name : names_) names += name + "\n";
    archive.variant(names, [this](Archive& statistics) {
      statistics.table(workload_statistics_, names_.size(), "workloads",
                       [&](RequestStatistics& of) { statistics(of); });
    });
    if (archive.loading()) {
      power_.reset();
      power_.emplace(configuration.parameters, begin);
      workloads_started_ = false;
      coming_up_ = false;
    }
    persist_lasting(archive);
    flash().persist_controller(archive);
  }

  void load(std::span<const std::byte> state) {
    Archive archive(state);
    persist(archive);
    archive.finish();
    open_workloads();
  }

  std::unique_ptr<WorkloadSource> make_source(const WorkloadParameters& workload, const std::string& path) {
    try {
      return make_workload(workload, measure_capacity() / sector_bytes, configuration.parameters.simulation.seed, path);
    } catch (const ConfigError& error) {
      throw ConfigError(source_of(configuration.given, error.path()), error.path(), error.complaint());
    }
  }

  // The driver makes the controller ready before the first command, as after every power-up.
  void bring_up() {
    drive_with_power();
    if (driver().ready()) return;
    // An interrupted call may have left it on its way.
    if (!std::exchange(coming_up_, true)) driver().start([this] { arrived(&coming_up_); });
    drive_until([this] { return driver().ready(); }, &coming_up_, "the NVMe controller did not become ready");
    coming_up_ = false;
  }

  // Runs events until `done`, when `awaited` has arrived.
  template <class Done>
  void drive_until(Done done, const void* awaited, const char* complaint) {
    if (!done()) drive(never, {}, awaited);
    if (!done()) throw std::logic_error(complaint + ("\n" + flash().ftl().waiting()));
  }

  void arrived(const void* what) {
    if (awaited_ == what) power_->calendar().stop();
  }

  // Runs events up to `limit`, or until none is left or what is awaited has arrived. False when the callback ended it.
  bool drive(Tick limit, const ProgressCallback& progress = {}, const void* awaited = nullptr) {
    const auto report = [&] {
      const Progress now_at = {host_statistics_.completed(), expected_, now()};
      bool wanted = true;
      const Ownership::Callback callback(ownership);
      KernelContext::outside([&] { wanted = progress(now_at); });
      return wanted;
    };
    bool wanted = true;
    CalendarModule::Watch watch;
    if (progress) {
      watch = [&, reported = Clock::now()]() mutable {
        const Clock::time_point wall = Clock::now();
        if (wall - reported < progress_interval) return true;
        reported = wall;
        return wanted = report();
      };
    }
    awaited_ = awaited;
    drive_while(limit, std::move(watch));
    if (progress && wanted) report();
    return wanted;
  }

  // Likewise, or until the watch ends it. Throws Interrupted once it is not wanted any more.
  void drive_while(Tick limit, CalendarModule::Watch watch) {
    const KernelContext::Scope scope(power_->context());
    const Clock::time_point begin = Clock::now();
    Clock::duration elsewhere{};  // the turns of other simulations
    bool interrupted = false;
    CalendarModule& kernel = power_->machine().calendar();
    kernel.set_watch([&, turn_began = begin]() mutable {
      if (!still_wanted()) {
        interrupted = true;
        return false;
      }
      if (const Clock::time_point wall = Clock::now(); wall - turn_began > turn_interval) {
        KernelContext::give_way();
        turn_began = Clock::now();
        elsewhere += turn_began - wall;
      }
      return !watch || watch();
    });
    kernel.run(limit);
    // Nothing goes on that could complete what is open.
    while (!interrupted && commands_open() && power_->calendar().empty() && flash().end_stall(now())) kernel.run(limit);
    kernel.set_watch({});
    awaited_ = nullptr;
    wall_s_ += std::chrono::duration<double>(Clock::now() - begin - elsewhere).count();
    kernel.rethrow();
    if (interrupted) throw Interrupted();
  }

  void completed(std::size_t workload, const HostRequest& request, Tick start, Tick now, nvme::Status status) override {
    record(workload, request, start, now, status_of(status));
  }

  bool commands_open() { return !outstanding_.empty() || workloads_under_way(); }

  std::string text_of(const HostCommand& command) const {
    const std::string text = nandscape::text_of(command.status());
    const std::string report = power_ ? power_->machine().flash().ftl().stall_report() : "";
    const bool due_to_it =
        command.status() == RequestStatus::write_fault || command.status() == RequestStatus::write_protected;
    return report.empty() || !due_to_it ? text : text + ": " + report;
  }

  void end(const CommandHandle& command, RequestStatus status, Tick now) {
    if (command->done()) return;  // it was failed before
    if (command->request_.kind == RequestKind::write) command->data_ = {};
    command->status_ = status;
    command->latency_ = now - command->start_;
    command->done_.store(true, std::memory_order_release);
    std::erase(outstanding_, command);
    record(names_.size(), command->request_, command->start_, now, status);
    arrived(command.get());
  }

  // For the end of everything that could still complete them.
  void fail_outstanding(RequestStatus status) {
    while (!outstanding_.empty()) end(CommandHandle(outstanding_.front()), status, now());
  }

  // `workload` is one past the last for single commands.
  void record(std::size_t workload, const HostRequest& request, Tick start, Tick now, RequestStatus status) {
    const std::vector<WorkloadParameters>& workloads = configuration.parameters.host.workload;
    const bool open_loop = workload < workloads.size() && is_open_loop(workloads[workload]);
    host_statistics_.record(request, start, now, status, open_loop);
    if (workload < workload_statistics_.size() && workload_statistics_.size() > 1) {
      workload_statistics_[workload].record(request, start, now, status, open_loop);
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

  std::optional<PowerCycle> power_;  // none: the drive is without power
  Off off_;
  std::uint64_t capacity_bytes_ = 0;
  std::vector<std::unique_ptr<WorkloadSource>> sources_;
  std::vector<std::string> names_;
  bool workloads_ran_ = false;
  bool workloads_started_ = false;  // since the power came
  bool coming_up_ = false;          // the driver has begun to make the controller ready
  std::uint64_t expected_ = 0;
  const std::uint64_t identity_ = next_identity();
  std::vector<CommandHandle> outstanding_;  // single commands, in the order of their start
  const void* awaited_ = nullptr;           // by the call that is under way; its arrival stops the calendar

  RequestStatistics host_statistics_;
  std::vector<RequestStatistics> workload_statistics_;
  RequestLog log_;
  double wall_s_ = 0;
};

// A simulation that another thread or its own call still needs is destroyed after that.
template <class... Arguments>
std::shared_ptr<Simulation::Implementation> Simulation::make(Arguments&&... arguments) {
  const KernelLock lock;
  return {new Implementation(std::forward<Arguments>(arguments)...),
          [](Implementation* simulation) { KernelLock::when_free([simulation] { delete simulation; }); }};
}

// A call that moves time or changes the simulation.
template <class Body>
auto Simulation::call(Body body) {
  const std::shared_ptr<Implementation> simulation = implementation_;
  const Ownership::Call call(simulation->ownership);
  const KernelLock lock;
  std::optional<KernelContext::Scope> scope;
  if (const KernelContext* context = simulation->context()) scope.emplace(*context);
  return body(*simulation);
}

template <class Body>
auto Simulation::reading(Body body) const {
  const Ownership::Reading reading(implementation_->ownership);
  return body(std::as_const(*implementation_));
}

Simulation::Simulation(Configuration configuration) : implementation_(make(std::move(configuration))) {}
Simulation::Simulation(std::shared_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Configuration& Simulation::configuration() const { return implementation_->configuration; }
std::uint64_t Simulation::capacity_bytes() const { return implementation_->capacity_bytes(); }
Tick Simulation::now() const {
  return reading([](const Implementation& s) { return s.now(); });
}
bool Simulation::has_power() const {
  return reading([](const Implementation& s) { return s.has_power(); });
}
bool Simulation::workloads_under_way() const {
  return reading([](const Implementation& s) { return s.workloads_under_way(); });
}
Value Simulation::statistics() const {
  return reading([](const Implementation& s) { return s.statistics(); });
}
RequestLog Simulation::requests() const {
  return reading([](const Implementation& s) { return s.requests(); });
}
Value Simulation::hierarchy() const {
  return reading([](const Implementation& s) { return s.hierarchy(); });
}

bool Simulation::run(const ProgressCallback& progress) {
  return call([&](Implementation& s) { return s.run(progress); });
}
void Simulation::run_until(Tick limit) {
  call([&](Implementation& s) { s.run_until(limit); });
}

CommandHandle Simulation::start_read(std::uint64_t lba, std::uint64_t bytes) {
  return call([&](Implementation& s) { return s.start_read(lba, bytes); });
}
CommandHandle Simulation::start_write(std::uint64_t lba, std::vector<std::byte> data, bool force_unit_access) {
  return call([&](Implementation& s) { return s.start_write(lba, std::move(data), force_unit_access); });
}
CommandHandle Simulation::start_trim(std::uint64_t lba, std::uint64_t sectors) {
  return call([&](Implementation& s) { return s.start_trim(lba, sectors); });
}
CommandHandle Simulation::start_flush() {
  return call([](Implementation& s) { return s.start_flush(); });
}

Tick Simulation::wait(const CommandHandle& command) {
  return call([&](Implementation& s) { return s.wait(command); });
}
void Simulation::wait_all() {
  call([](Implementation& s) { s.wait_all(); });
}

Tick Simulation::read(std::uint64_t lba, std::span<std::byte> data) {
  return call([&](Implementation& s) {
    const CommandHandle command = s.start_read(lba, data.size());
    const Tick latency = s.wait(command);
    std::ranges::copy(command->data(), data.begin());
    return latency;
  });
}
Tick Simulation::write(std::uint64_t lba, std::span<const std::byte> data, bool force_unit_access) {
  return call([&](Implementation& s) {
    return s.wait(s.start_write(lba, {data.begin(), data.end()}, force_unit_access));
  });
}
Tick Simulation::trim(std::uint64_t lba, std::uint64_t sectors) {
  return call([&](Implementation& s) { return s.wait(s.start_trim(lba, sectors)); });
}
Tick Simulation::flush() {
  return call([](Implementation& s) { return s.wait(s.start_flush()); });
}

Value Simulation::smart_log() {
  return call([](Implementation& s) { return s.smart_log(); });
}
void Simulation::reset() {
  call([](Implementation& s) { s.reset(); });
}

void Simulation::power_cut() {
  call([](Implementation& s) { s.power_cut(); });
}
void Simulation::shut_down() {
  call([](Implementation& s) { s.shut_down(); });
}
void Simulation::power_on() {
  call([](Implementation& s) { s.power_on(); });
}
void Simulation::advance(double hours, double temperature_c, bool powered) {
  call([&](Implementation& s) { s.advance(hours, temperature_c, powered); });
}
void Simulation::checkpoint(const std::string& path) {
  call([&](Implementation& s) { s.checkpoint(path); });
}

Simulation Simulation::restore(const std::string& path, const std::vector<Override>& overrides) {
  const CheckpointFile file = load_checkpoint_file(path);
  const Value tree = read_yaml(file.configuration, {path, 1});
  Configuration configuration = resolve_configuration(tree, overrides);
  check_restorable(resolve_configuration(tree).resolved, configuration.resolved, configuration.given);
  return restore(std::move(configuration), file.state, path);
}

Simulation Simulation::restore(Configuration configuration, std::span<const std::byte> state,
                               const std::string& where) {
  try {
    return Simulation(make(std::move(configuration), state));
  } catch (const ArchiveError& error) {
    throw InputError({where, 0}, error.what());
  }
}

void Simulation::fail_next(std::uint32_t die, NandOperation operation, std::uint32_t count) {
  call([&](Implementation& s) { s.drive_with_power().fail_next(DieId(die), operation, count); });
}
void Simulation::fail_block(std::uint32_t block) {
  call([&](Implementation& s) { s.drive_with_power().fail_block(BlockId(block)); });
}
void Simulation::kill_die(std::uint32_t die) {
  call([&](Implementation& s) { s.drive_with_power().kill(DieId(die)); });
}

}  // namespace nandscape
