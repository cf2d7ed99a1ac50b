// SPDX-License-Identifier: Apache-2.0
// Creates a separate SystemC kernel for one test, so that many tests can run one after another in one process. Declare
// the Kernel before the modules. A SystemC report of severity warning or higher throws, which fails the test.
#pragma once

#include <systemc>

namespace nandscape {

class Kernel {
 public:
  Kernel() {
    // Creates the default context first, because it owns objects that the whole process uses.
    sc_core::sc_get_curr_simcontext();
    previous_ = sc_core::sc_curr_simcontext;
    context_ = new sc_core::sc_simcontext;
    sc_core::sc_curr_simcontext = context_;
    for (const sc_core::sc_severity severity : {sc_core::SC_WARNING, sc_core::SC_ERROR, sc_core::SC_FATAL}) {
      sc_core::sc_report_handler::set_actions(severity, sc_core::SC_THROW);
    }
  }
  ~Kernel() {
    sc_core::sc_time time;
    context_->next_time(time);  // frees timed events that were cancelled
    delete context_;
    sc_core::sc_curr_simcontext = previous_;
  }
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

 private:
  sc_core::sc_simcontext* previous_;
  sc_core::sc_simcontext* context_;
};

}  // namespace nandscape
