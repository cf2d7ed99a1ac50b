// SPDX-License-Identifier: Apache-2.0
#include "protocol/link_rules.h"

#include "core/error.h"

namespace nandscape {

namespace {

constexpr std::string_view name_of(LinkRules::Phase phase) {
  switch (phase) {
    case LinkRules::Phase::begin_request: return "BEGIN_REQ";
    case LinkRules::Phase::end_request: return "END_REQ";
    case LinkRules::Phase::begin_response: return "BEGIN_RESP";
    case LinkRules::Phase::end_response: return "END_RESP";
  }
  return "?";
}

}  // namespace

void LinkRules::pass(const void* transaction, Phase phase, Side sender, Tick at) {
  const std::string_view name = name_of(phase);
  const bool of_initiator = phase == Phase::begin_request || phase == Phase::end_response;
  if (of_initiator != (sender == Side::initiator)) {
    refuse(transaction, std::string(name) + " comes from the " + (of_initiator ? "target" : "initiator"));
  }
  switch (phase) {
    case Phase::begin_request:
      begin(transaction, name, State::requesting, at);
      if (requesting_ != nullptr) {
        refuse(transaction, "BEGIN_REQ before the END_REQ of another request:" + history_of(records_.at(requesting_)));
      }
      if (at < request_free_) refuse(transaction, "BEGIN_REQ at a time when another request held the link");
      requesting_ = transaction;
      break;
    case Phase::end_request: {
      Record& record = go_on(transaction, name, at);
      if (record.state != State::requesting) refuse(transaction, "END_REQ of a request that has ended");
      record.state = State::accepted;
      end_request(at);
      break;
    }
    case Phase::begin_response: {
      Record& record = go_on(transaction, name, at);
      if (record.state == State::responding) refuse(transaction, "a second BEGIN_RESP");
      if (record.state == State::requesting) end_request(at);  // BEGIN_RESP implies END_REQ
      if (responding_ != nullptr) {
        refuse(transaction,
               "BEGIN_RESP before the END_RESP of another response:" + history_of(records_.at(responding_)));
      }
      if (at < response_free_) refuse(transaction, "BEGIN_RESP at a time when another response held the link");
      record.state = State::responding;
      responding_ = transaction;
      break;
    }
    case Phase::end_response: {
      Record& record = go_on(transaction, name, at);
      if (record.state != State::responding) refuse(transaction, "END_RESP without BEGIN_RESP");
      end_response(at);
      end(record);
      break;
    }
  }
}

void LinkRules::complete(const void* transaction, Tick at) {
  Record& record = go_on(transaction, "TLM_COMPLETED", at);
  if (record.state == State::requesting) end_request(at);
  if (record.state == State::responding) end_response(at);
  end(record);
}

void LinkRules::begin_blocking(const void* transaction, Tick at) {
  begin(transaction, "b_transport", State::blocking, at);
}

void LinkRules::end_blocking(const void* transaction) { end(records_.at(transaction)); }

bool LinkRules::live(const void* transaction) const {
  const auto found = records_.find(transaction);
  return found != records_.end() && found->second.state != State::ended && found->second.state != State::blocking;
}

std::string LinkRules::outstanding_histories() const {
  std::string text;
  for (const auto& [transaction, record] : records_) {
    if (record.state != State::ended) text += history_of(record);
  }
  return text;
}

void LinkRules::refuse(const void* transaction, const std::string& reason) const {
  std::string text = link_ + ": " + reason + "\n  history of the transaction:";
  const auto found = records_.find(transaction);
  text += found == records_.end() ? "\n    none" : history_of(found->second);
  throw ProtocolError(text);
}

LinkRules::Record& LinkRules::begin(const void* transaction, std::string_view name, State state, Tick at) {
  Record& record = records_[transaction];
  if (record.state != State::ended) {
    record.add(name, at);
    refuse(transaction, std::string(name) + " with a transaction that is in use");
  }
  record.events = 0;
  record.add(name, at);
  record.state = state;
  ++outstanding_;
  return record;
}

LinkRules::Record& LinkRules::go_on(const void* transaction, std::string_view name, Tick at) {
  const auto found = records_.find(transaction);
  if (found == records_.end()) refuse(transaction, std::string(name) + " of a transaction that never began");
  Record& record = found->second;
  const Tick before = record.history[record.events - 1].at;
  record.add(name, at);
  if (record.state == State::ended) refuse(transaction, std::string(name) + " of a transaction that is over");
  if (record.state == State::blocking) refuse(transaction, std::string(name) + " within b_transport");
  if (at < before) refuse(transaction, std::string(name) + " goes back in time");
  return record;
}

void LinkRules::end_request(Tick at) {
  requesting_ = nullptr;
  request_free_ = at;
}

void LinkRules::end_response(Tick at) {
  responding_ = nullptr;
  response_free_ = at;
}

void LinkRules::end(Record& record) {
  record.state = State::ended;
  --outstanding_;
}

void LinkRules::Record::add(std::string_view name, Tick at) {
  if (events < history.size()) history[events++] = {name, at};
}

std::string LinkRules::history_of(const Record& record) const {
  std::string text;
  for (std::size_t k = 0; k < record.events; ++k) {
    text += "\n    " + std::string(record.history[k].name) + " at " + std::to_string(record.history[k].at) + " ps";
  }
  return text;
}

}  // namespace nandscape
