// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/measurement.h"

#include <algorithm>
#include <utility>

#include "platform/wiring/drive_energy.h"

namespace nandscape {

namespace {

struct LinkGroup {
  const HostModule& host;
};

void describe(const LinkGroup& g, StatisticsVisitor& v) { v.group("link", g.host.link().counters(), "PCI Express"); }

struct HostGroup {
  RequestGroup requests;
  LinkGroup link;
};

void describe(const HostGroup& g, StatisticsVisitor& v) {
  describe(g.requests, v);
  describe(g.link, v);
}

struct SimulationGroup {
  Tick now;
  double wall_s;
  std::uint64_t events;
};

void describe(const SimulationGroup& g, StatisticsVisitor& v) {
  v.level("simulated_s", s_from_ticks(g.now), "s", "simulated time since the beginning");
  v.level("wall_s", g.wall_s, "s", "wall-clock time of the simulation");
  v.level("events", g.events, "events of the calendar in that time");
}

// Statistics of the measured window itself.
struct WindowGroup {
  Tick begin;
  Tick end;
  const Steadiness& steadiness;
};

void describe(const WindowGroup& g, StatisticsVisitor& v) {
  const Spread spread = g.steadiness.spread.value_or(Spread{});
  v.level("begin_s", s_from_ticks(g.begin), "s", "simulated time at which the measured window begins");
  v.level("end_s", s_from_ticks(g.end), "s", "simulated time at which the window ends");
  v.level("drive_writes", g.steadiness.drive_writes, "", "data that the host wrote in the window, over the capacity");
  v.level("steady", std::uint64_t{g.steadiness.steady()},
          "1 when simulation.steady.figure passes SNIA's test over the last five rounds, and no cache or pool of free "
          "blocks fills or empties over the window");
  v.level("transient", std::uint64_t{g.steadiness.transient()},
          "1 when figures depend on the length of the window: such a pool fills or empties, or the figure drifts");
  v.level("range", spread.range, "",
          "over the last five rounds: maximum less minimum of the figure, over the mean; 0 when the rounds have "
          "too few requests");
  v.level("slope", spread.slope, "", "rise of the line fitted to the last five rounds, over the mean");
}

// A group of statistics about the background work of the drive after the measured window.
struct AfterwardsGroup {
  double duration_s;
  double energy_j;
};

void describe(const AfterwardsGroup& g, StatisticsVisitor& v) {
  v.level("duration_s", g.duration_s, "s", "from the end of the window until the drive is idle, or now");
  v.level("energy_j", g.energy_j, "j", "energy that the drive took in this time");
}

BusyTimes busy_times(const Machine& machine) {
  const host::PcieLinkCounters& link = machine.host().link().counters();
  BusyTimes times;
  times.add("link", "PCI Express, the busier direction",
            {{"upstream", link.upstream_busy}, {"downstream", link.downstream_busy}});
  machine.host().front_end().add_busy_times(times);
  machine.drive().add_busy_times(times);
  return times;
}

// The power from the supply: its mean, the figures of the sampled windows, and the power states.
struct PowerGroup {
  double joules;
  Tick time;
  const PowerMonitor& monitor;
  const FrontEndBlock& front_end;
};

void describe(const PowerGroup& g, StatisticsVisitor& v) {
  v.ratio("mean_w", g.joules, s_from_ticks(g.time), "w", "energy taken from the supply, over the time");
  v.level("peak_w", g.monitor.peak_w(), "w",
          "highest mean over a controller.power.window_ms since the beginning; 0 if windows are not measured");
  g.front_end.describe_power_states(v, g.time);
}

struct TemperatureGroup {
  const PowerMonitor& monitor;
};

void describe(const TemperatureGroup& g, StatisticsVisitor& v) {
  const PowerMonitor::Temperatures now = g.monitor.now_c();
  const PowerMonitor::Temperatures highest = g.monitor.highest_c();
  v.level("flash_c", now.flash, "c", "temperature of the flash");
  v.level("flash_max_c", highest.flash, "c", "its highest sample since the beginning");
  v.level("case_c", now.housing, "c",
          "temperature of the case; that of the flash unless nand.condition.temperature is self_heated");
  v.level("case_max_c", highest.housing, "c", "its highest sample since the beginning");
}

// Reports the statistics of the drive, of the energy that it has used, and of its power and its heat.
void describe(const Machine& machine, const PlatformParameters& p, Tick now, StatisticsVisitor& v) {
  machine.drive().describe(v, now);
  const EnergyAccount energy = energy_of(machine.drive(), machine.host(), p, now);
  v.group("energy", energy, "energy taken from the supply");
  v.group("power", PowerGroup{energy.total(), now, machine.power(), machine.host().front_end()},
          "power taken from the supply");
  v.group("temperature", TemperatureGroup{machine.power()}, "temperatures of the drive");
}

constexpr const char* busy_meaning =
    "share of the measured window in which the busiest resource of each kind was in use";
constexpr const char* each_busy_meaning = "share of the measured window in which each resource was in use";

template <class Group>
void add(Value& figures, const char* name, const Group& group) {
  StatisticsSnapshot snapshot;
  snapshot.group(name, group, "");
  figures[name] = *snapshot.result().find(name);
}

}  // namespace

Measurement::Measurement(const PlatformParameters& parameters, PowerCycles& cycles)
    : parameters_(parameters),
      cycles_(cycles),
      recorder_(parameters.host.workload, parameters.simulation.request_log, parameters.simulation.breakdown),
      steady_state_(parameters.simulation.steady) {}

// --- the window

void Measurement::begin(RunEnd end) {
  ends_when_steady_ = end == RunEnd::steady;
  workloads_began_ = cycles_.now();
  Moment begin = moment();
  const WarmupParameters& warmup = parameters_.simulation.warmup;
  if (warmup.steady || ends_when_steady_) steady_state_.check(figures(nullptr, begin));
  warming_ = warmup.any() || ends_when_steady_;
  rounds_.start(begin);
  window_.begin(std::move(begin));
}

void Measurement::workloads_ended() {
  rounds_.stop();
  if (!window_.ending()) window_.end(moment());
}

bool Measurement::warmed_up(Tick now) const {
  const WarmupParameters& p = parameters_.simulation.warmup;
  const RequestTotals& all = recorder_.totals();
  const RequestTotals& before = rounds_.boundaries().front().requests;
  const auto bytes = static_cast<double>(all.bytes() - before.bytes());
  const auto written = static_cast<double>(all.bytes_written() - before.bytes_written());
  return now - workloads_began_ >= ticks_from_ms(p.time_ms) && all.completed() - before.completed() >= p.requests &&
         bytes >= p.data_mib * (1 << 20) && written >= p.drive_writes * static_cast<double>(cycles_.capacity_bytes());
}

void Measurement::look_at_window(Tick now) {
  const bool until_steady = parameters_.simulation.warmup.steady || ends_when_steady_;
  if (now >= rounds_.next()) {
    rounds_.add(moment());
    if (warming_ && until_steady && warmed_up(now)) {
      const Moment* const begin = steady_state_.find(rounds_, recorder_.names());
      if (begin == nullptr) return;
      warming_ = false;
      window_.begin(*begin);
      if (!ends_when_steady_) return;
      rounds_.stop();
      window_.end(rounds_.boundaries().back());
      cycles_.driver().stop_workloads();
    }
  }
  if (warming_ && !until_steady && warmed_up(now)) {
    warming_ = false;
    window_.begin(moment());
  }
}

bool Measurement::rate_is_given() const {
  const std::vector<host::WorkloadParameters>& workloads = parameters_.host.workload;
  return std::any_of(workloads.begin(), workloads.end(), [](const auto& workload) { return is_open_loop(workload); });
}

// --- statistics

Moment Measurement::moment() const {
  if (!cycles_.on()) return last_;
  const Machine& machine = std::as_const(cycles_).machine();
  Moment now_at{cycles_.now(), recorder_.totals(), {}, busy_times(machine), {}};
  now_at.drive.group("host", LinkGroup{machine.host()}, "");
  describe(machine, parameters_, now_at.at, now_at.drive);
  machine.drive().add_stocks(now_at.stocks);
  return now_at;
}

Value Measurement::figures(const Moment* begin, const Moment& end) const {
  Value figures = figures_between(begin, end, recorder_.names());
  const BusyShares shares = busy_shares(begin, end);
  add(figures, "utilisation", BusiestUnits{shares});
  if (parameters_.simulation.breakdown) add(figures, "busy", AllUnits{shares});
  return figures;
}

Value Measurement::statistics(Window window) const {
  const Moment now_at = moment();
  const std::optional<Moment>& begin = window_.beginning();
  const std::optional<Moment>& end = window_.ending();
  Value told;
  switch (window) {
    case Window::measured: told = figures(begin ? &*begin : nullptr, end ? *end : now_at); break;
    case Window::afterwards: told = figures(end ? &*end : &now_at, now_at); break;
    case Window::all: told = figures(nullptr, now_at); break;
  }
  if (window == Window::measured) {
    add(told, "window", WindowGroup{begin ? begin->at : 0, end ? end->at : now_at.at, steadiness()});
    const Moment& last = end ? *end : now_at;
    const double energy_j = figures_between(&last, now_at, recorder_.names()).at("energy.total_j").number();
    add(told, "afterwards", AfterwardsGroup{s_from_ticks(now_at.at - last.at), energy_j});
  }
  add(told, "simulation", SimulationGroup{now_at.at, wall_s_, cycles_.events_run()});
  return told;
}

Steadiness Measurement::steadiness() const {
  if (!window_.beginning()) return {};
  const Moment end = window_.ending() ? *window_.ending() : moment();
  Steadiness said = steady_state_.judge(rounds_, *window_.beginning(), end, recorder_.names(),
                                        static_cast<double>(cycles_.capacity_bytes()), rate_is_given());
  said.warming = warming_;
  return said;
}

Value Measurement::statistics_reference() const {
  cycles_.require_power();
  const Machine& machine = std::as_const(cycles_).machine();
  const Moment now_at = moment();
  const BusyShares shares = busy_shares(nullptr, now_at);
  StatisticsReference reference;
  const HostGroup host{{now_at.requests, recorder_.names()}, {machine.host()}};
  reference.group("host", host, "requests as seen by the host");
  describe(machine, parameters_, now_at.at, reference);
  reference.group("utilisation", BusiestUnits{shares}, busy_meaning);
  if (parameters_.simulation.breakdown) reference.group("busy", AllUnits{shares}, each_busy_meaning);
  reference.group("window", WindowGroup{0, 0, Steadiness{}},
                  "the measured window of these statistics, and whether it is steady");
  reference.group("afterwards", AfterwardsGroup{}, "background work of the drive after the measured window");
  reference.group("simulation", SimulationGroup{}, "the run itself");
  return reference.result();
}

}  // namespace nandscape
