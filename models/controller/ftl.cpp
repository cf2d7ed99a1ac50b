// SPDX-License-Identifier: Apache-2.0
#include "controller/ftl.h"

#include <initializer_list>
#include <stdexcept>

#include "controller/mapping_memory/dram_mapping.h"
#include "controller/reading/start_step.h"

namespace nandscape::controller {

Ftl::Ftl(const FtlPlan& plan, FlashScheduler::Port& flash, EccPort& ecc, FlashTimes* times)
    : calendar_(plan.calendar),
      hold_up_(plan.parameters, plan.geometry, plan.facts.page_times),
      power_{.has_capacitor = hold_up_.latches_last()},
      clock_(plan.facts.ages.running()),
      chosen_(plan, clock_),
      mapping_(plan, chosen_, clock_),
      power_control_(plan.parameters.power, plan.facts.power),
      reading_(plan, chosen_, mapping_, power_control_, flash, ecc, times),
      collector_(collection_parameters(plan.parameters, chosen_.stream_ids), mapping_.blocks, mapping_.room, plan.seed,
                 mapping_.layout.units_per_page(), power_.programmed_is_durable() && !plan.parameters.copies_back(),
                 mapping_.layout.member_planes()),
      slc_cache_(make_slc_cache(plan, chosen_, mapping_, collector_)),
      writing_(plan, chosen_, mapping_, reading_, power_, collector_, slc_cache_.get(), flushes_, end_of_life_),
      power_loss_(plan, mapping_, reading_, writing_.writer, power_, power_cycle_),
      migration_(plan, chosen_, mapping_, reading_, writing_, power_loss_.journal, collector_, power_, clock_),
      end_of_life_({mapping_.layout, mapping_.room, collector_, writing_.writer, power_loss_.journal, power_, port_,
                    accesses_, components_, calendar_}),
      flushes_(writing_.writer.ledger(), power_loss_.journal, power_, port_),
      host_(plan, chosen_, mapping_, reading_, writing_, power_loss_.journal, collector_, slc_cache_.get(),
            end_of_life_, power_, port_, accesses_),
      accesses_({host_.reads, host_.writes, host_.trims, flushes_, host_.translation, writing_.units,
                 writing_.writer.ledger().undurable(), end_of_life_, migration_.care, *mapping_.age_facts.temperature,
                 power_loss_.recovery, port_}),
      journal_client_(mapping_.map, mapping_.blocks, mapping_.trimmed, writing_.units,
                      writing_.writer.ledger().undurable(), collector_, migration_.erases, flushes_, power_),
      power_cycle_({power_, reading_.scheduler, mapping_.blocks, mapping_.trimmed, collector_, writing_.writer,
                    power_loss_.journal, migration_.care, power_loss_.recovery, end_of_life_, host_.writes, accesses_,
                    slc_cache_.get()}) {
  connect(plan);
  list_components();
  if (const MappingParameters& p = plan.parameters.mapping; p.memory == MappingPlace::host) {
    auto memory = std::make_unique<HostMapping>(
        HostMapping::Sizes{p.cache.cache_bytes, p.host_buffer_bytes, mapping_.layout.unit_bytes(), p.cache.entry_bytes},
        mapping_.cache);
    host_mapping_ = memory.get();
    mapping_memory_ = std::move(memory);
    components_.push_back(mapping_memory_.get());
  }
  if (plan.start_up != StartUp::as_preconditioned) return;
  resume_filled_blocks();
  if (!power_.programmed_is_durable()) power_loss_.journal.keep_ready();
}

void Ftl::connect(const FtlPlan& plan) {
  const double known_hot = plan.parameters.streams.known_hot_percent / 100;
  const std::uint64_t units = mapping_.map.host_units();
  chosen_.streams->begin(units, static_cast<std::uint64_t>(static_cast<double>(units) * known_hot));
  if (slc_cache_ != nullptr) {
    collector_.set_first_victims(*slc_cache_);
    migration_.erases.subscribe(*slc_cache_);
  }
  collector_.connect({migration_.migrator, migration_.erases, writing_.writer.placement(), end_of_life_});
  for (EraseListener* const listener : std::initializer_list<EraseListener*>{
           &reading_.reader, &collector_, &power_loss_.journal, &migration_.care, &writing_.writer.placement()}) {
    migration_.erases.subscribe(*listener);
  }
  mapping_.age_facts.temperature->subscribe(port_, plan.calendar.now());
  mapping_.pins.set_listener(collector_);
  collector_.set_work_listener(port_);
  mapping_.cache.set_client(host_.translation);
  reading_.reader.set_listener(migration_.care, migration_.care.counts_reads());
  if (plan.facts.retries.step_of_layers && plan.start_up == StartUp::as_preconditioned) {
    remember_last_reads(*reading_.reader.start_steps(), plan.parameters.precondition.last_read_share,
                        plan.facts.retries.step_of_layers, mapping_.blocks, mapping_.ages);
  }
  reading_.reader.set_groups(chosen_.subpages.make_reads(reading_.reader.needs().locks_die, reading_.io,
                                                         reading_.scheduler, mapping_.layout.mapping(),
                                                         plan.facts.retries.layers));
  if (chosen_.maps_states()) {
    reading_.reader.set_undo(reading_.mapped_reads.emplace(reading_.io, reading_.reader, mapping_.blocks,
                                                           writing_.writer.ledger().undurable()));
  }
  if (mapping_.layout.has_parity()) {
    reading_.reader.set_last_resort(reading_.rebuild.emplace(reading_.io, reading_.reader, mapping_.blocks));
  }
  if (migration_.renewal != nullptr) {
    collector_.set_renewal(*migration_.renewal);
    reading_.reader.set_copies(migration_.renewal->copies());
    flushes_.set_copies(migration_.renewal->copies());
    migration_.renewal->copies().set_listener(flushes_);
  }
  if (SecondPasses* const passes = writing_.writer.ledger().second_passes()) {
    reading_.reader.set_copies(passes->copies());
  }
  writing_.units.set_listener(accesses_);
  host_.translation.set_listener(accesses_);
  power_loss_.journal.set_client(journal_client_);
  migration_.migrator.connect(collector_);
  host_.trims.set_listener(accesses_);
  if (chosen_.fullpages != nullptr) {
    chosen_.fullpages->join_reads(reading_.io, reading_.scheduler, mapping_.blocks, reading_.reader);
    host_.writes.gather_units(chosen_.fullpages->join_writes(
        mapping_.blocks, writing_.assembly, writing_.planes, chosen_.stream_ids.gathered,
        ticks_from_us(plan.parameters.mapping.write_coalescing_us), plan.calendar, host_.writes));
  }
}

// Continues writing in the partly written blocks that the initial fill contains if the drive starts in a steady state.
void Ftl::resume_filled_blocks() {
  for (const FtlPlane plane : mapping_.layout.mapping().every_plane()) {
    for (std::uint32_t index = mapping_.initial.full_blocks(plane); index < mapping_.initial.used_blocks(plane);
         ++index) {
      const Superblock block = mapping_.layout.mapping().block(plane, index);
      writing_.writer.resume_block(mapping_.blocks.stream(block), plane, block,
                                   mapping_.blocks.next_page(block) / mapping_.layout.units_per_row());
    }
  }
}

void Ftl::set_firmware(FirmwareStage& firmware) {
  migration_.migrator.set_firmware(firmware);
  migration_.erases.set_firmware(firmware);
}

void Ftl::keep_mapping_in(Dram& dram, std::uint64_t base) {
  const DramMappingLayout layout{base, mapping_.cache.entry_bytes(), mapping_.layout.unit_bytes()};
  mapping_memory_ = std::make_unique<DramMapping>(layout, dram, mapping_.cache, calendar_);
  components_.push_back(mapping_memory_.get());
}

void Ftl::take_heat(const TemperatureSource::Heat& heat, Tick now) {
  TemperatureSource& temperature = *mapping_.age_facts.temperature;
  temperature.take_heat(heat, now);
  if (power_control_.set_temperature(temperature.celsius(now), now)) reading_.scheduler.power_limit_changed();
}

void Ftl::limit_power(double milliwatts) {
  if (power_control_.set_supply_limit(milliwatts)) reading_.scheduler.power_limit_changed();
}

void Ftl::write_checkpoint(Tick now) {
  if (writes_checkpoints() && !power_loss_.recovery.mapping_is_lost() && !settled()) {
    throw std::logic_error("a checkpoint of the mapping is written while the controller is busy");
  }
  power_loss_.recovery.write_checkpoint(now);
}

}  // namespace nandscape::controller
