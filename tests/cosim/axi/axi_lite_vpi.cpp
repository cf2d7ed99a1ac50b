// SPDX-License-Identifier: Apache-2.0
// VPI system tasks that axi_lite_designs.v calls. Each task advances our AXI4-Lite master, or our slave with its
// memory, by one clock edge.
#include <vpi_user.h>

#include <exception>
#include <vector>

#include "axi_lite_master.h"
#include "axi_lite_memory.h"

namespace {

using namespace nandscape;
using namespace nandscape::rtl;

// Reads and writes the arguments of the called task in their order, first the inputs, then the outputs.
class Arguments {
 public:
  Arguments() {
    vpiHandle call = vpi_handle(vpiSysTfCall, nullptr);
    vpiHandle arguments = vpi_iterate(vpiArgument, call);
    while (vpiHandle argument = vpi_scan(arguments)) handles_.push_back(argument);
  }
  std::uint32_t in() {
    s_vpi_value value{};
    value.format = vpiVectorVal;
    vpi_get_value(handles_.at(next_++), &value);
    // Bits that are X or Z have a 1 in bval. They are read as 0.
    return static_cast<std::uint32_t>(value.value.vector->aval & ~value.value.vector->bval);
  }
  void out(std::uint32_t bits) {
    s_vpi_vecval vector{};
    vector.aval = static_cast<PLI_INT32>(bits);
    s_vpi_value value{};
    value.format = vpiVectorVal;
    value.value.vector = &vector;
    vpi_put_value(handles_.at(next_++), &value, nullptr, vpiNoDelay);
  }
  bool flag() { return in() != 0; }
  AxiResponse response() { return static_cast<AxiResponse>(in()); }

 private:
  std::vector<vpiHandle> handles_;
  std::size_t next_ = 0;
};

// Runs a task. An exception ends the simulation, which fails the running test.
template <auto Edge>
PLI_INT32 call(PLI_BYTE8*) {
  try {
    Arguments arguments;
    Edge(arguments);
  } catch (const std::exception& error) {
    vpi_printf("%s\n", error.what());
    vpi_control(vpiFinish, 1);
  }
  return 0;
}

void master_edge(Arguments& arguments) {
  static AxiLiteMaster master("axi_lite_designs", Clock(100), 100 * microsecond);
  const bool reset = !arguments.flag();
  const bool begin = arguments.flag();
  AxiLiteAccess access;
  access.write = arguments.flag();
  access.address = arguments.in();
  access.data = arguments.in();
  access.strobes = static_cast<std::uint8_t>(arguments.in());
  AxiLiteSlavePins slave;
  slave.awready = arguments.flag();
  slave.wready = arguments.flag();
  slave.bresp = arguments.response();
  slave.bvalid = arguments.flag();
  slave.arready = arguments.flag();
  slave.rdata = arguments.in();
  slave.rresp = arguments.response();
  slave.rvalid = arguments.flag();

  bool ended = false;
  if (reset) {
    master.reset();
  } else {
    const bool busy = !master.ended();
    master.clock(slave);
    ended = busy && master.ended();
    if (begin) master.begin(access);
  }
  const AxiLiteMasterPins& pins = master.pins();
  arguments.out(ended);
  arguments.out(master.access().data);
  arguments.out(static_cast<std::uint32_t>(master.access().response));
  arguments.out(pins.awaddr);
  arguments.out(pins.awvalid);
  arguments.out(pins.wdata);
  arguments.out(pins.wstrb);
  arguments.out(pins.wvalid);
  arguments.out(pins.bready);
  arguments.out(pins.araddr);
  arguments.out(pins.arvalid);
  arguments.out(pins.rready);
}

void slave_edge(Arguments& arguments) {
  static AxiLiteMemory memory(1, 5);
  const bool reset = !arguments.flag();
  AxiLiteMasterPins master;
  master.awaddr = arguments.in();
  master.awvalid = arguments.flag();
  master.wdata = arguments.in();
  master.wstrb = static_cast<std::uint8_t>(arguments.in());
  master.wvalid = arguments.flag();
  master.bready = arguments.flag();
  master.araddr = arguments.in();
  master.arvalid = arguments.flag();
  master.rready = arguments.flag();
  if (reset) {
    memory.reset();
  } else {
    memory.clock(master);
  }
  const AxiLiteSlavePins pins = memory.pins();
  arguments.out(pins.awready);
  arguments.out(pins.wready);
  arguments.out(static_cast<std::uint32_t>(pins.bresp));
  arguments.out(pins.bvalid);
  arguments.out(pins.arready);
  arguments.out(pins.rdata);
  arguments.out(static_cast<std::uint32_t>(pins.rresp));
  arguments.out(pins.rvalid);
}

void register_task(const char* name, PLI_INT32 (*task)(PLI_BYTE8*)) {
  s_vpi_systf_data data{};
  data.type = vpiSysTask;
  data.tfname = name;
  data.calltf = task;
  vpi_register_systf(&data);
}

void register_tasks() {
  register_task("$axi_lite_master", call<master_edge>);
  register_task("$axi_lite_slave", call<slave_edge>);
}

}  // namespace

// The simulator looks up this array in the module.
extern "C" {
void (*vlog_startup_routines[])() = {register_tasks, nullptr};
}
