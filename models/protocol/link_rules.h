// SPDX-License-Identifier: Apache-2.0
// The rules of a TLM-2.0 link, for a checker that monitors the link: which phases a transaction has, and their order
// and times. A link can carry only one request and one response at a time.
//
// All times are the times at which phases happen, including annotated delays. If a rule is broken, a ProtocolError is
// thrown. Its message contains the name of the link and the history of the transaction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/ticks.h"

namespace nandscape {

class LinkRules {
 public:
  enum class Phase : std::uint8_t { begin_request, end_request, begin_response, end_response };
  enum class Side : std::uint8_t { initiator, target };

  // `link` is the name that identifies the link in messages.
  explicit LinkRules(std::string link) : link_(std::move(link)) {}

  // Checks a phase that is sent over the link, either as the argument of a call or as its return value. The address of
  // a transaction identifies it.
  void pass(const void* transaction, Phase phase, Side sender, Tick at);
  // Ends the transaction early, because a call has returned TLM_COMPLETED.
  void complete(const void* transaction, Tick at);

  // Record the beginning and the end of a blocking call. Its transaction must not be used with phases at the same time.
  void begin_blocking(const void* transaction, Tick at);
  void end_blocking(const void* transaction);

  // Returns true if the transaction has begun with a phase and has not ended.
  bool live(const void* transaction) const;
  // outstanding() returns the number of transactions, including blocking ones, that have begun and not ended.
  // outstanding_histories() lists the history of each of them.
  std::size_t outstanding() const { return outstanding_; }
  std::string outstanding_histories() const;

  // Throws a ProtocolError for a rule whose violation was detected by the caller.
  [[noreturn]] void refuse(const void* transaction, const std::string& reason) const;

 private:
  enum class State : std::uint8_t { ended, requesting, accepted, responding, blocking };

  // The history of a transaction. It is not deleted when the transaction ends, so that an error for a late phase can
  // show it.
  struct Record {
    struct Event {
      std::string_view name;
      Tick at;
    };

    State state = State::ended;
    std::uint8_t events = 0;
    std::array<Event, 6> history;

    void add(std::string_view name, Tick at);
  };

  Record& begin(const void* transaction, std::string_view name, State state, Tick at);
  Record& go_on(const void* transaction, std::string_view name, Tick at);
  void end_request(Tick at);
  void end_response(Tick at);
  void end(Record& record);
  std::string history_of(const Record& record) const;

  std::string link_;
  std::unordered_map<const void*, Record> records_;
  std::size_t outstanding_ = 0;
  const void* requesting_ = nullptr;
  const void* responding_ = nullptr;
  Tick request_free_ = 0;   // end of the latest request
  Tick response_free_ = 0;  // end of the latest response
};

}  // namespace nandscape
