// SPDX-License-Identifier: Apache-2.0
// Connects blocks. A protocol checker is inserted in each link to or from a block with SystemC processes. If configured
// (simulation.check_protocol), it is inserted in all links.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "protocol/protocol_checker.h"

namespace nandscape {

class Links {
 public:
  explicit Links(bool check_all) : check_all_(check_all) {}

  template <unsigned bus_width, class Protocol>
  void connect(tlm::tlm_initiator_socket<bus_width, Protocol>& initiator,
               tlm::tlm_target_socket<bus_width, Protocol>& target, const std::string& checker_name, bool foreign) {
    if (!check_all_ && !foreign) {
      initiator.bind(target);
      return;
    }
    auto checker = std::make_unique<ProtocolChecker<Protocol, bus_width>>(checker_name.c_str());
    initiator.bind(checker->target);
    checker->initiator.bind(target);
    watched_.push_back(std::move(checker));
  }

  // Return whether watched links have open transactions, and the histories of these transactions.
  bool busy() const;
  std::string outstanding() const;

 private:
  const bool check_all_;
  std::vector<std::unique_ptr<WatchedLink>> watched_;
};

}  // namespace nandscape
