// SPDX-License-Identifier: Apache-2.0
// A monitor for one TLM-2.0 link. It is inserted between the socket of an initiator and the socket of a target. It
// passes every call on, and throws a ProtocolError at the first call that violates the base protocol. It detects phases
// that are out of order (see link_rules.h), changed attributes, responses without a status, payloads without the job of
// their protocol, and calls of b_transport from a process that must not wait.
//
//   ProtocolChecker<JobProtocol<NandCommand>> checker("checker");
//   initiator.socket.bind(checker.target);
//   checker.initiator.bind(target.socket);
//
// The checker holds a reference to each transaction on the link, so that a transaction released too early is detected.
#pragma once

#include <string>
#include <tlm>
#include <unordered_map>

#include "protocol/entry_time.h"
#include "protocol/immediate_target.h"
#include "protocol/link_rules.h"
#include "protocol/simulated_time.h"

namespace nandscape {

// Finds the job that a payload carries. On job sockets every payload must carry a job. On other sockets there is none.
template <class Protocol>
struct CarriedJob {
  static const void* of(const tlm::tlm_generic_payload&) { return nullptr; }
  static constexpr bool mandatory = false;
};
template <class Job>
struct CarriedJob<JobProtocol<Job>> {
  static const void* of(const tlm::tlm_generic_payload& payload) {
    const auto* const extension = payload.get_extension<JobExtension<Job>>();
    return extension == nullptr ? nullptr : extension->job;
  }
  static constexpr bool mandatory = true;
};

// The attributes that the initiator sets before BEGIN_REQ. They must not change until the transaction ends [IEEE 1666,
// 14.7].
struct FixedAttributes {
  FixedAttributes(const tlm::tlm_generic_payload& payload, const void* carried)
      : command(payload.get_command()),
        address(payload.get_address()),
        data(payload.get_data_ptr()),
        length(payload.get_data_length()),
        byte_enable(payload.get_byte_enable_ptr()),
        byte_enable_length(payload.get_byte_enable_length()),
        streaming_width(payload.get_streaming_width()),
        job(carried) {}
  bool operator==(const FixedAttributes&) const = default;

  tlm::tlm_command command;
  sc_dt::uint64 address;
  const unsigned char* data;
  unsigned int length;
  const unsigned char* byte_enable;
  unsigned int byte_enable_length;
  unsigned int streaming_width;
  const void* job;
};

// A link that is monitored by a checker. This base class does not depend on the protocol of the link.
class WatchedLink {
 public:
  virtual ~WatchedLink() = default;
  // Returns the hierarchical name of the checker.
  virtual std::string checker_name() const = 0;
  // The number of transactions that have begun and have not ended. It is 0 if the link is idle.
  virtual std::size_t outstanding() const = 0;
  virtual std::string outstanding_histories() const = 0;
};

template <class Protocol = tlm::tlm_base_protocol_types, unsigned bus_width = 32>
class ProtocolChecker final : public sc_core::sc_module,
                              public WatchedLink,
                              public ImmediateTarget,
                              public tlm::tlm_fw_transport_if<Protocol>,
                              private tlm::tlm_bw_transport_if<Protocol> {
  using Payload = tlm::tlm_generic_payload;
  using Forward = tlm::tlm_fw_transport_if<Protocol>;
  using Backward = tlm::tlm_bw_transport_if<Protocol>;

 public:
  explicit ProtocolChecker(sc_core::sc_module_name name)
      : sc_module(name), target("target"), initiator("initiator"), rules_(this->name()) {
    target.bind(static_cast<Forward&>(*this));
    initiator.bind(static_cast<Backward&>(*this));
  }

  tlm::tlm_target_socket<bus_width, Protocol> target;
  tlm::tlm_initiator_socket<bus_width, Protocol> initiator;

  bool immediate() const override { return has_immediate_target(initiator); }

  std::string checker_name() const override { return name(); }
  std::size_t outstanding() const override { return rules_.outstanding(); }
  std::string outstanding_histories() const override { return rules_.outstanding_histories(); }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return watch(payload, phase, delay, LinkRules::Side::initiator,
                 [&] { return initiator->nb_transport_fw(payload, phase, delay); });
  }

  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return watch(payload, phase, delay, LinkRules::Side::target,
                 [&] { return target->nb_transport_bw(payload, phase, delay); });
  }

  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    // Ends the blocking call even if the target throws an exception or the calling process is killed.
    struct Blocking {
      Blocking(LinkRules& r, Payload& p, Tick at) : rules(r), payload(p) { rules.begin_blocking(&payload, at); }
      ~Blocking() { rules.end_blocking(&payload); }
      LinkRules& rules;
      Payload& payload;
    };
    check_carried(payload);
    if (in_method_process() && !immediate()) {
      rules_.refuse(&payload, "b_transport is called from " + calling_process() + ", an SC_METHOD, which cannot wait");
    }
    const Blocking blocking(rules_, payload, time_of(delay));
    initiator->b_transport(payload, delay);
    check_status(payload);
  }

  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override {
    return initiator->get_direct_mem_ptr(payload, dmi);
  }
  unsigned int transport_dbg(Payload& payload) override { return initiator->transport_dbg(payload); }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    target->invalidate_direct_mem_ptr(first, last);
  }

  template <class Call>
  tlm::tlm_sync_enum watch(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay, LinkRules::Side caller,
                           Call call) {
    LinkRules::Phase known;
    if (!known_phase(phase, known)) return call();  // extended phases have their own rules, which are not checked
    check_references(payload);
    check_present(payload, delay);
    const bool begins = known == LinkRules::Phase::begin_request;
    const bool ends = known == LinkRules::Phase::end_response;
    rules_.pass(&payload, known, caller, time_of(delay));
    if (begins) {
      check_carried(payload);
      if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) {
        rules_.refuse(&payload, "a request begins with a response status");
      }
      fixed_.insert_or_assign(&payload, attributes_of(payload));
      payload.acquire();
    } else {
      check_fixed(payload);
      if (known == LinkRules::Phase::begin_response) check_status(payload);
    }

    const tlm::tlm_phase given_phase = phase;
    const sc_core::sc_time given_delay = delay;
    const tlm::tlm_sync_enum status = call();

    if (ends) {
      if (status == tlm::TLM_UPDATED) rules_.refuse(&payload, "END_RESP is answered with another phase");
      payload.release();
      return status;
    }
    if (status == tlm::TLM_ACCEPTED) {
      if (phase != given_phase || delay != given_delay) {
        rules_.refuse(&payload, "TLM_ACCEPTED is returned with another phase or delay");
      }
      return status;
    }
    if (delay < given_delay) rules_.refuse(&payload, "the delay returned is shorter than the one given");
    check_fixed(payload);
    if (status == tlm::TLM_COMPLETED) {
      check_status(payload);
      rules_.complete(&payload, time_of(delay));
      payload.release();
      return status;
    }
    if (!known_phase(phase, known)) return status;
    const auto callee = caller == LinkRules::Side::initiator ? LinkRules::Side::target : LinkRules::Side::initiator;
    rules_.pass(&payload, known, callee, time_of(delay));
    if (known == LinkRules::Phase::begin_response) check_status(payload);
    if (known == LinkRules::Phase::end_response) payload.release();
    return status;
  }

  // A checker has no access to the calendar, so it uses the time of the SystemC kernel.
  static Tick time_of(const sc_core::sc_time& delay) { return to_ticks(sc_core::sc_time_stamp() + delay); }

  static bool known_phase(const tlm::tlm_phase& phase, LinkRules::Phase& known) {
    switch (static_cast<unsigned int>(phase)) {
      case tlm::BEGIN_REQ: known = LinkRules::Phase::begin_request; return true;
      case tlm::END_REQ: known = LinkRules::Phase::end_request; return true;
      case tlm::BEGIN_RESP: known = LinkRules::Phase::begin_response; return true;
      case tlm::END_RESP: known = LinkRules::Phase::end_response; return true;
      default: return false;
    }
  }

  static FixedAttributes attributes_of(const Payload& payload) {
    return FixedAttributes(payload, CarriedJob<Protocol>::of(payload));
  }

  void check_carried(const Payload& payload) const {
    if (CarriedJob<Protocol>::mandatory && CarriedJob<Protocol>::of(payload) == nullptr) {
      rules_.refuse(&payload, "a payload carries no job");
    }
  }

  void check_fixed(const Payload& payload) const {
    const auto begun = fixed_.find(&payload);
    if (begun != fixed_.end() && !(begun->second == attributes_of(payload))) {
      rules_.refuse(&payload, "an attribute set by the initiator has changed since BEGIN_REQ");
    }
  }

  void check_status(const Payload& payload) const {
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
      rules_.refuse(&payload, "a response begins without a response status");
    }
  }

  void check_references(const Payload& payload) const {
    if (!payload.has_mm()) rules_.refuse(&payload, "a phase with a transaction that has no memory manager");
    // The checker itself holds one of the references.
    if (payload.get_ref_count() < (rules_.live(&payload) ? 2 : 1)) {
      rules_.refuse(&payload, "a phase with a transaction that has been released");
    }
  }

  // Delays are unsigned. If a caller subtracts two times in the wrong order, the delay is huge.
  void check_present(const Payload& payload, const sc_core::sc_time& delay) const {
    if (to_ticks(delay) >> 63 != 0) rules_.refuse(&payload, "a phase earlier than the present");
  }

  LinkRules rules_;
  std::unordered_map<const Payload*, FixedAttributes> fixed_;
};

}  // namespace nandscape
