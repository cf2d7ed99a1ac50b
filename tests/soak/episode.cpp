// SPDX-License-Identifier: Apache-2.0
#include "episode.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include "command_bound.h"
#include "core/error.h"
#include "platform/simulation/simulation.h"
#include "random_policies.h"
#include "sector_model.h"

namespace nandscape::soak {

namespace {

// Thrown when the drive does something that it must never do.
struct Violation : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The FNV-1a hash, computed over words instead of bytes.
class Digest {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3; }
  void add(std::span<const std::byte> data) {
    for (const std::byte b : data) add(static_cast<std::uint64_t>(b));
  }
  void add(const std::string& text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

// With a hold-up time this long, every tiny drive must be able to save its data.
constexpr double longest_hold_up_us = 1e6;
// Maximum number of outstanding commands.
constexpr std::size_t most_commands = 64;
// Number of operations for which a drive restored from a checkpoint runs in parallel with the original drive.
constexpr int operations_side_by_side = 60;

// Returns the statistics with the wall-clock time set to zero, since it differs between equal runs.
Value simulated(Value statistics) {
  Value& simulation = statistics["simulation"];
  simulation["wall_s"] = 0.0;
  return statistics;
}

std::string first_difference(const std::string& a, const std::string& b) {
  const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto line = [](const std::string& text, std::string::const_iterator place) {
    const auto before = std::find(std::make_reverse_iterator(place), text.rend(), '\n').base();
    return std::string(before, std::find(place, text.end(), '\n'));
  };
  return line(a, at) + " and " + line(b, other);
}

// Returns the policy objects that a sequence may name in addition to the registered policies.
VariantObjects random_policies(const std::vector<std::string>& settings) {
  const std::vector<std::shared_ptr<VariantObject>> policies = {std::make_shared<RandomSchedulingObject>(1),
                                                                std::make_shared<RandomSchedulingObject>(1, true),
                                                                std::make_shared<RandomVictimsObject>(),
                                                                std::make_shared<RandomRecoveryObject>(1, false, false),
                                                                std::make_shared<RandomRecoveryObject>(1, true, false),
                                                                std::make_shared<RandomRecoveryObject>(1, false, true),
                                                                std::make_shared<RandomRecoveryObject>(1, true, true)};
  VariantObjects objects;
  for (const std::string& setting : settings) {
    for (const std::shared_ptr<VariantObject>& policy : policies) {
      if (setting.ends_with("=" + policy->name())) objects[setting.substr(0, setting.find('='))] = policy;
    }
  }
  return objects;
}

class Episode {
 public:
  Episode(const Sequence& sequence, Outcome& outcome, bool told)
      : sequence_(sequence), outcome_(outcome), told_(told) {}

  void play() {
    build();
    for (const Operation& operation : sequence_.operations) {
      ++outcome_.operations;
      if (told_) std::printf("%.3f us: %s\n", us_from_ticks(drive_->now()), text_of(operation).c_str());
      play(operation);
      harvest();
      if (twin_ && --side_by_side_ == 0) drop_twin();
    }
    wait();
    if (twin_) drop_twin();
    read_all();
    check_statistics();
    outcome_.digest = digest_.value();
  }

 private:
  struct Command {
    Kind kind;
    CommandHandle handle;
    CommandHandle twin;
    std::uint64_t first = 0;
    SectorModel::Moment moment = 0;  // read and flush: time of its submission in the model
    std::uint64_t change = 0;        // write and trim: its number in the model
    bool protected_before = false;   // whether the drive had refused a write before this command was submitted
    std::uint64_t pages = 0;         // pages that the drive must read or write for the command
    // pages of earlier commands that the drive had finished when this command was submitted
    std::uint64_t pages_ended = 0;
  };

  void build() {
    std::vector<Override> overrides;
    for (const std::string& setting : base_settings()) overrides.push_back(parse_override(setting));
    for (const std::string& setting : sequence_.settings) overrides.push_back(parse_override(setting));
    Configuration configuration = load_configuration("bare", overrides, random_policies(sequence_.settings));
    kept_by_files_ = configuration.objects.empty();
    const controller::ControllerParameters& controller = configuration.parameters.controller;
    const nand::NandGeometryParameters& nand = configuration.parameters.nand.geometry;
    const std::uint32_t unit = controller.mapping.unit_bytes == 0 ? nand.page_bytes : controller.mapping.unit_bytes;
    unit_sectors_ = unit / sector_bytes;
    dies_ = configuration.parameters.channel.count * nand.chips_per_channel * nand.dies_per_chip;
    blocks_ = dies_ * nand.planes_per_die * nand.blocks_per_plane;
    keeps_writes_ = controller.cache.keeps_writes();
    const bool capacitor = controller.power_loss.protection == controller::PowerLossProtection::capacitor;
    const bool backed_up = controller.cache.backup == controller::CacheBackup::capacitor;
    has_capacitor_ = capacitor || (keeps_writes_ && backed_up);
    hold_up_us_ = 1e3 * controller.power_loss.hold_up_ms;
    ideal_ = !cell_model_of(configuration.parameters.simulation)->has_errors();
    const std::uint64_t most_bytes = std::uint64_t{1024} * configuration.parameters.host.nvme.max_transfer_kib;
    bound_.emplace(configuration.parameters);
    drive_ = std::make_unique<Simulation>(std::move(configuration));
    // Like a driver, the test learns the properties of the drive from its Identify data.
    const Value identified = drive_->identify();
    promises_all_ = !*identified.at("volatile_write_cache").boolean();
    durable_on_flash_ = promises_all_ && !keeps_writes_;
    answers_early_ = promises_all_ || capacitor;
    model_.emplace(drive_->capacity_bytes() / sector_bytes, unit_sectors_, most_bytes / sector_bytes);
  }

  void play(const Operation& o) {
    switch (o.kind) {
      case Kind::write:
      case Kind::forced_write:
      case Kind::read:
      case Kind::trim:
      case Kind::flush: return start(o);
      case Kind::wait: return wait();
      case Kind::run: return run(o.a);
      case Kind::reset: return reset();
      case Kind::power_cut: return power_cut(static_cast<double>(o.a));
      case Kind::shut_down: return shut_down(static_cast<double>(o.a));
      case Kind::checkpoint: return checkpoint();
      case Kind::advance: return advance(static_cast<double>(o.a));
      case Kind::fail_programs: return fail_next(o, NandOperation::program);
      case Kind::fail_erases: return fail_next(o, NandOperation::erase);
      case Kind::fail_adjustments: return fail_next(o, NandOperation::adjust_voltage);
      case Kind::fail_block:
        faults_ = true;
        ++failed_blocks_;
        return both([&](Simulation& s) { s.media()->fail_block(BlockId(static_cast<std::uint32_t>(o.a % blocks_))); });
      case Kind::kill_die:
        faults_ = killed_ = true;
        failed_blocks_ += blocks_ / dies_;
        return both([&](Simulation& s) { s.media()->kill_die(DieId(static_cast<std::uint32_t>(o.a % dies_))); });
    }
  }

  void fail_next(const Operation& o, NandOperation what) {
    faults_ = true;
    failed_blocks_ += o.b;
    const DieId die(static_cast<std::uint32_t>(o.a % dies_));
    both([&](Simulation& s) { s.media()->fail_next(die, what, static_cast<std::uint32_t>(o.b)); });
  }

  template <class Do>
  void both(Do&& act) {
    act(*drive_);
    if (twin_) act(*twin_);
  }

  // --- commands

  void start(const Operation& o) {
    if (commands_.size() >= most_commands) wait();
    const std::uint64_t first = o.a % model_->sectors();
    const std::uint64_t count = std::min(std::max<std::uint64_t>(o.b, 1), model_->sectors() - first);
    Command command;
    command.kind = o.kind;
    command.first = first;
    command.protected_before = protected_;
    command.pages = 1 + (o.kind == Kind::flush ? 0 : (count + unit_sectors_ - 1) / unit_sectors_);
    command.pages_ended = pages_ended_;
    pages_given_ += command.pages;
    switch (o.kind) {
      case Kind::read:
        command.moment = model_->start_read();
        both_start(command, [&](Simulation& s) { return s.start_read(first, count * sector_bytes); });
        break;
      case Kind::write:
      case Kind::forced_write: {
        command.change = model_->start_write(first, count);
        const std::vector<std::byte> data = model_->contents(command.change);
        const bool forced = o.kind == Kind::forced_write;
        both_start(command, [&](Simulation& s) { return s.start_write(first, data, forced); });
        break;
      }
      case Kind::trim:
        command.change = model_->start_trim(first, count);
        both_start(command, [&](Simulation& s) { return s.start_trim(first, count); });
        break;
      default:
        command.moment = model_->start_flush();
        both_start(command, [](Simulation& s) { return s.start_flush(); });
    }
    commands_.push_back(std::move(command));
  }

  template <class Start>
  void both_start(Command& command, Start&& start) {
    command.handle = start(*drive_);
    if (twin_) command.twin = start(*twin_);
  }

  // Processes all commands that have ended.
  void harvest() {
    std::erase_if(commands_, [this](Command& command) {
      if (twin_) compare(command);
      if (!command.handle->done()) return false;
      ended(command);
      return true;
    });
  }

  void compare(const Command& command) const {
    if (!command.twin) return;
    const HostCommand& a = *command.handle;
    const HostCommand& b = *command.twin;
    if (a.done() != b.done() || (a.done() && (a.status() != b.status() || a.latency() != b.latency()))) {
      throw Violation("restored: a " + std::string(name_of(command.kind)) +
                      " ends differently on the drive restored from a checkpoint");
    }
    if (a.done() && command.kind == Kind::read && !std::ranges::equal(a.data(), b.data())) {
      throw Violation("restored: a read returns other data on the drive restored from a checkpoint");
    }
  }

  void ended(const Command& command) {
    const HostCommand& handle = *command.handle;
    const RequestStatus status = handle.status();
    if (told_) tell(command);
    digest_.add(static_cast<std::uint64_t>(status));
    digest_.add(handle.latency());
    digest_.add(handle.data());
    outcome_.longest_s = std::max(outcome_.longest_s, s_from_ticks(handle.latency()));
    const Tick longest = bound_->longest(pages_given_ - command.pages_ended, failed_blocks_);
    outcome_.most_of_bound = std::max(outcome_.most_of_bound, s_from_ticks(handle.latency()) / s_from_ticks(longest));
    if (handle.latency() > longest) {
      throw Violation("time: a " + std::string(name_of(command.kind)) + " took " +
                      std::to_string(s_from_ticks(handle.latency())) + " s, but its worst path takes " +
                      std::to_string(s_from_ticks(longest)) + " s");
    }
    // After a reset, the drive continues to work on the pages of aborted commands until it loses power, so these pages
    // do not count as finished.
    if (status != RequestStatus::aborted) pages_ended_ += command.pages;
    ++completed_;
    errors_ += status != RequestStatus::ok;
    check_status(command, status);
    switch (command.kind) {
      case Kind::read:
        ++reads_;
        if (status == RequestStatus::ok) {
          const std::string wrong = model_->check_read(command.moment, command.first, handle.data());
          if (!wrong.empty()) throw Violation(wrong);
        }
        return model_->end_read(command.moment);
      case Kind::flush:
        if (status == RequestStatus::ok) model_->flushed(command.moment);
        return;
      case Kind::trim: return model_->end(command.change, ending(command, status));
      default: ++writes_; return model_->end(command.change, ending(command, status));
    }
  }

  void tell(const Command& command) const {
    const HostCommand& handle = *command.handle;
    std::printf("  %s", std::string(name_of(command.kind)).c_str());
    if (command.kind != Kind::flush) {
      std::printf(" of %llu sectors at %llu", static_cast<unsigned long long>(handle.request().sectors),
                  static_cast<unsigned long long>(command.first));
    }
    if (command.change != 0) std::printf(", number %llu", static_cast<unsigned long long>(command.change));
    std::string answer(nandscape::name_of(handle.status()));
    if (handle.status() != RequestStatus::ok) {
      try {
        drive_->wait(command.handle);
      } catch (const RequestError& error) {
        answer += std::string(" (") + error.what() + ")";
      }
    }
    std::printf(": %s after %.3f us\n", answer.c_str(), us_from_ticks(handle.latency()));
  }

  Ending ending(const Command& command, RequestStatus status) const {
    switch (status) {
      case RequestStatus::ok:
        return durable_on_flash_ || command.kind == Kind::forced_write ? Ending::durable : Ending::answered;
      case RequestStatus::aborted: return Ending::aborted;
      case RequestStatus::write_protected: return command.protected_before ? Ending::without_effect : Ending::open;
      default: return Ending::open;
    }
  }

  void check_status(const Command& command, RequestStatus status) {
    const bool changes =
        command.kind == Kind::write || command.kind == Kind::forced_write || command.kind == Kind::trim;
    const auto refuse = [&](const char* why) {
      throw Violation("status: a " + std::string(name_of(command.kind)) + " ends as " +
                      std::string(nandscape::name_of(status)) + ", " + why);
    };
    switch (status) {
      case RequestStatus::ok:
        if (changes && command.protected_before) {
          refuse("after another was refused because the drive is read-only");
        }
        return;
      case RequestStatus::aborted:
        if (!resetting_) refuse("but there was no reset");
        return;
      case RequestStatus::power_lost:
        if (!cutting_) refuse("but there was no power cut");
        return;
      case RequestStatus::write_protected:
        if (command.kind == Kind::read || !faults_) refuse("but nothing has failed");
        protected_ |= changes;
        return;
      case RequestStatus::write_fault:
        if (command.kind == Kind::read || !faults_) refuse("but nothing has failed");
        return;
      case RequestStatus::unrecovered_read_error:
        if (!may_lose_data()) refuse("but no data have been lost");
        return;
      case RequestStatus::refused: refuse("but it was valid");
    }
  }

  // Returns whether faults or errors of this run may have made data unreadable.
  bool may_lose_data() const {
    if (killed_) return true;
    const Value statistics = drive_->statistics();
    if (!ideal_ && statistics.at("ecc.failed_decodes").number() > 0) return true;
    return lost_ || gave_up_writes();
  }

  // Returns whether completed writes may be lost. There are two reasons. A drive that has become read-only may have no
  // room for a page that must be written again. A cache cannot write a part of a unit back if the rest of the unit is
  // unreadable.
  bool gave_up_writes() const {
    if (faults_ && read_only()) return true;
    const bool reads_fail = faults_ || (!ideal_ && figure("ecc.failed_decodes") > 0);
    return keeps_writes_ && reads_fail && figure("controller.cache.failed_write_backs") > 0;
  }

  // --- time, power and state

  void wait() {
    both([](Simulation& s) { s.wait_all(); });
    harvest();
    if (!commands_.empty()) throw Violation("never ends: a command is outstanding after all should have ended");
  }

  void run(std::uint64_t nanoseconds) {
    both([&](Simulation& s) { s.run_until(s.now() + nanoseconds * nanosecond); });
  }

  void reset() {
    resetting_ = true;
    both([](Simulation& s) { s.reset(); });
    harvest();
    resetting_ = false;
    if (!commands_.empty()) throw Violation("never ends: a command outlives the reset of the controller");
  }

  void power_cut(double hours) {
    cutting_ = true;
    const double before = figure("controller.power_loss.hold_up_us");
    both([](Simulation& s) { s.power_cut(); });
    harvest();
    cutting_ = false;
    if (!commands_.empty()) throw Violation("never ends: a command outlives the power");
    ++cuts_;
    const double held = figure("controller.power_loss.hold_up_us") - before;
    if (told_) std::printf("  held up for %.3f us\n", held);
    const bool drawn_empty = has_capacitor_ && held > hold_up_us_ - 1;
    if (drawn_empty && hold_up_us_ >= longest_hold_up_us) {
      throw Violation("never ends: the drive has not finished saving within " + std::to_string(held) + " us");
    }
    // This must not happen unless programs fail, because saving then takes longer than the drive has planned for.
    if (drawn_empty && promises_all_ && !faults_) {
      throw Violation("promise: completed writes must be durable without flushes, but the capacitor is empty");
    }
    const bool loses = gave_up_writes();
    lost_ |= loses;
    model_->power_cut(promises_all_ && !drawn_empty && !loses);
    if ((promises_all_ && drawn_empty) || (answers_early_ && loses)) model_->forget();
    if (promises_all_ && !faults_ && ideal_ && figure("controller.power_loss.lost_promised_sectors") != 0) {
      throw Violation("promise: the drive counts lost sectors that it had promised to keep");
    }
    power_on(hours);
  }

  void shut_down(double hours) {
    wait();
    try {
      both([](Simulation& s) { s.shut_down(); });
    } catch (const Error& error) {
      return no_room(error, hours);
    }
    ++cuts_;
    came_to_rest();
    power_on(hours);
  }

  // Updates the model when the drive is idle. If the drive has given up writes, their data may be lost, even if it had
  // reported these writes as completed.
  void came_to_rest() {
    if (!gave_up_writes()) return model_->came_to_rest();
    lost_ = true;
    model_->power_cut(false);
    if (answers_early_) model_->forget();
  }

  // Handles the error of a drive that has become read-only and has no room for its remaining data. The data are lost,
  // and the drive is off.
  void no_room(const Error& error, double hours) {
    if (!faults_ || !read_only()) throw error;
    if (told_) std::printf("  %s\n", error.what());
    twin_.reset();
    ++cuts_;
    lost_ = true;
    model_->power_cut(false);
    if (answers_early_) model_->forget();
    power_on(hours);
  }

  void power_on(double hours) {
    pages_ended_ = pages_given_;
    protected_ = false;  // until the drive refuses a write the next time
    both([&](Simulation& s) {
      if (hours > 0) s.advance(hours, 30, false);
      s.power_on();
    });
    same_time();
  }

  void advance(double hours) {
    wait();
    both([&](Simulation& s) { s.advance(hours, 40, true); });
  }

  void checkpoint() {
    wait();
    if (!kept_by_files_) return;
    if (twin_) drop_twin();
    const std::string name = std::string("nandscape_soak_").append(std::to_string(::getpid())) + ".checkpoint";
    const std::string path = std::filesystem::temp_directory_path() / name;
    try {
      drive_->checkpoint(path);
    } catch (const Error& error) {
      return no_room(error, 0);
    }
    twin_ = std::make_unique<Simulation>(Simulation::restore(path));
    std::remove(path.c_str());
    side_by_side_ = operations_side_by_side;
    came_to_rest();
    same_statistics();
  }

  void drop_twin() {
    wait();
    same_time();
    same_statistics();
    twin_.reset();
  }

  void same_time() const {
    if (twin_ && twin_->now() != drive_->now())
      throw Violation("restored: the drive restored from a checkpoint takes a different time");
  }

  void same_statistics() const {
    const std::string a = simulated(drive_->statistics()).to_json();
    const std::string b = simulated(twin_->statistics()).to_json();
    if (a != b) throw Violation("restored: statistics differ after a checkpoint: " + first_difference(a, b));
  }

  // --- at the end

  void read_all() {
    const std::vector<std::uint64_t> touched = model_->touched();
    for (std::size_t k = 0; k < touched.size();) {
      std::size_t end = k + 1;
      while (end < touched.size() && touched[end] == touched[end - 1] + 1 && end - k < 2 * unit_sectors_) ++end;
      start({Kind::read, touched[k], end - k});
      k = end;
    }
    wait();
  }

  bool read_only() const { return figure("controller.read_only") != 0; }
  double figure(const char* path) const { return drive_->statistics().at(path).number(); }

  void check_statistics() {
    const Value statistics = simulated(drive_->statistics());
    const auto is = [&](const char* path, std::uint64_t expected) {
      if (statistics.at(path).number() == static_cast<double>(expected)) return;
      throw Violation("statistics: " + std::string(path) + " is " + std::to_string(statistics.at(path).number()) +
                      ", but the host counts " + std::to_string(expected));
    };
    is("host.all.count", completed_);
    is("host.all.errors", errors_);
    is("controller.power_loss.cuts", cuts_);
    digest_.add(statistics.to_json());
    if (told_) std::printf("%s\n", statistics.to_json().c_str());
  }

  const Sequence& sequence_;
  Outcome& outcome_;
  const bool told_;
  std::unique_ptr<Simulation> drive_;
  std::unique_ptr<Simulation> twin_;  // second drive, restored from a checkpoint of the first
  int side_by_side_ = 0;
  std::optional<SectorModel> model_;
  std::vector<Command> commands_;  // commands that have not ended
  std::optional<CommandBound> bound_;
  std::uint64_t pages_given_ = 0, pages_ended_ = 0;
  std::uint64_t failed_blocks_ = 0;  // each failed program or erase counts as a failed block
  Digest digest_;

  std::uint32_t unit_sectors_ = 1;
  std::uint32_t dies_ = 1;
  std::uint32_t blocks_ = 1;
  bool keeps_writes_ = false;  // the cache stores written data
  bool has_capacitor_ = false;
  bool promises_all_ = false;      // the Identify data promise that all completed writes survive a power cut
  bool durable_on_flash_ = false;  // completed writes have been programmed to flash
  // the drive may report a write as completed and durable while a failing die can still lose its data
  bool answers_early_ = false;
  double hold_up_us_ = 0;
  bool ideal_ = true;
  bool kept_by_files_ = true;  // every policy is selected by name; a checkpoint file cannot contain a policy object

  bool faults_ = false;
  bool killed_ = false;
  bool lost_ = false;       // the drive could not write some data, because it had no room for them
  bool protected_ = false;  // the drive has refused a write because it is read-only
  bool resetting_ = false;
  bool cutting_ = false;
  std::uint64_t completed_ = 0, errors_ = 0, reads_ = 0, writes_ = 0, cuts_ = 0;
};

}  // namespace

const std::vector<std::string>& base_settings() {
  static const std::vector<std::string> settings = {
      "channel.count=2",
      "nand.geometry.chips_per_channel=1",
      "nand.geometry.dies_per_chip=1",
      "nand.geometry.planes_per_die=2",
      "nand.geometry.blocks_per_plane=12",
      "nand.geometry.pages_per_block=12",
      "nand.geometry.page_bytes=4096",
      "nand.geometry.spare_bytes=512",
      "controller.mapping.over_provisioning=1.5",
      "controller.garbage_collection.start_free_blocks=2",
      // The drive is full from the start, so garbage collection starts with the first write.
      "controller.precondition.distribution=steady_state",
      "simulation.data=stored",
      "simulation.request_log=false",
  };
  return settings;
}

Outcome play(const Sequence& sequence, bool told) {
  Outcome outcome;
  try {
    Episode(sequence, outcome, told).play();
  } catch (const ConfigError& error) {
    outcome.refused = true;
    outcome.failure = error.what();
  } catch (const Violation& violation) {
    outcome.failure = violation.what();
  } catch (const std::exception& error) {
    outcome.failure = "exception: " + std::string(error.what());
  }
  if (!outcome.failure.empty() && !outcome.refused) {
    outcome.failure += " (operation " + std::to_string(outcome.operations) + ")";
  }
  return outcome;
}

}  // namespace nandscape::soak
