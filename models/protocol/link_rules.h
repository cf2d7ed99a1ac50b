// SPDX-License-Identifier: Apache-2.0
// The rules of one TLM-2.0 link, for a checker that monitors it: the phases of a transaction, their order and their
// times. A link carries only one request and one response at a time.
//
// Times are those at which phases happen, annotated delays included. A broken rule throws a ProtocolError with the link
// and the history of the transaction that broke it.
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

  // `link` is the name of the link in messages.
  explicit LinkRules(std::string link) : link_(std::move(link)) {}

  // Checks a phase that passes the link, as the argument of a call or as its return value. Transactions are identified
  // by address.
  void pass(const void* transaction, Phase phase, Side sender, Tick at);
  // Ends the transaction early, since a call returned TLM_COMPLETED.
  void complete(const void* transaction, Tick at);

  // Begin and end of a blocking call; it must not share its transaction with phases.
  void begin_blocking(const void* transaction, Tick at);
  void end_blocking(const void* transaction);

  // Whether more phases of the transaction must follow.
  bool live(const void* transaction) const;
  // The number of transactions that have begun and not ended, blocking ones included, and the history of each.
  std::size_t outstanding() const { return outstanding_; }
  std::string outstanding_histories() const;

  // Throws ProtocolError for a rule that the caller found broken.
  [[noreturn]] void refuse(const void* transaction, const std::string& reason) const;

 private:
  enum class State : std::uint8_t { ended, requesting, accepted, responding, blocking };

  // Kept after the end, so that the error for a late phase can show the history.
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
