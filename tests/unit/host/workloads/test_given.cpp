// SPDX-License-Identifier: Apache-2.0
// Tests requests that are supplied by a program, as columns or through a function that is called for each request or
// batch.
#include <algorithm>
#include <deque>
#include <functional>
#include <stdexcept>

#include "host/workloads/given/given_source.h"
#include "host/workloads/given/pulled_requests.h"
#include "host/workloads/given/request_columns.h"
#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

constexpr std::uint64_t capacity_sectors = 2048;

RequestColumns three_requests() {
  return {{RequestKind::write, RequestKind::flush, RequestKind::read},
          {8192, 0, 1'044'480},
          {4096, 0, 4096},
          {0, 5 * microsecond, 5 * microsecond},
          {1, 0, 0}};
}

std::string complaint_about(const std::function<void(RequestColumns&)>& spoil) {
  RequestColumns columns = three_requests();
  spoil(columns);
  return message_of<InputError>([&] { ColumnSupply{std::move(columns)}; });
}

WorkloadContext context(bool open_loop, Tick think_time = 0) {
  return {capacity_sectors, 1, 1, "host.workload", open_loop, think_time};
}

// A function object that returns one of the given items at each call, and then the end of the requests.
class Pulls {
 public:
  explicit Pulls(std::deque<Pulled> items) : items_(std::move(items)) {}

  Pulled operator()() {
    if (items_.empty()) return {};
    Pulled item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::deque<Pulled> items_;
};

Pulled one(RequestKind kind, std::uint64_t offset, std::uint64_t size, Tick time = 0) {
  return {Pulled::What::request, {kind, offset, size}, time, {}};
}

Pulled batch(RequestColumns columns) { return {Pulled::What::batch, {}, 0, std::move(columns)}; }

}  // namespace

TEST_CASE("columns are played in order, at their times", "[workload]") {
  const ColumnSupply supply(three_requests());
  const auto source = supply.open(context(true));
  CHECK(source->expected_requests() == 3);
  const std::vector<HostRequest> requests = all_requests(*source);
  REQUIRE(requests.size() == 3);
  check_request(requests[0], RequestKind::write, 16, 8, 0);
  CHECK(requests[0].force_unit_access);
  check_request(requests[1], RequestKind::flush, 0, 0, 5 * microsecond);
  check_request(requests[2], RequestKind::read, 2040, 8, 5 * microsecond);
  CHECK(!requests[2].force_unit_access);
  CHECK(all_requests(*supply.open(context(true))).size() == 3);
}

TEST_CASE("a closed loop uses the think time instead of the times of columns", "[workload]") {
  const ColumnSupply supply(three_requests());
  for (const HostRequest& request : all_requests(*supply.open(context(false, 7)))) CHECK(request.at == 7);
}

TEST_CASE("errors in columns name the column and the index", "[workload]") {
  CHECK_THAT(complaint_about([](auto& c) { c = {}; }), ContainsSubstring("at least one request"));
  CHECK_THAT(complaint_about([](auto& c) { c.size_bytes.pop_back(); }),
             ContainsSubstring("size_bytes has 2 values and operation has 3"));
  CHECK_THAT(complaint_about([](auto& c) { c.fua.pop_back(); }), ContainsSubstring("fua has 2 values"));
  CHECK_THAT(complaint_about([](auto& c) { c.offset_bytes[2] = 700; }),
             ContainsSubstring("requests: offset_bytes[2] is 700") && ContainsSubstring("sector size, 512"));
  CHECK_THAT(complaint_about([](auto& c) { c.size_bytes[0] = 4097; }), ContainsSubstring("size_bytes[0] is 4097"));
  CHECK_THAT(complaint_about([](auto& c) { c.size_bytes[0] = 0; }), ContainsSubstring("size_bytes[0] is 0"));
  CHECK_THAT(complaint_about([](auto& c) { c.size_bytes[1] = 512; }),
             ContainsSubstring("size_bytes[1] is 512 on a flush"));
  CHECK_THAT(complaint_about([](auto& c) { c.fua[2] = 1; }), ContainsSubstring("fua[2] is set"));
  CHECK_THAT(complaint_about([](auto& c) { c.time[2] = 4 * microsecond; }),
             ContainsSubstring("time_us[2] is 4, earlier than the one before it, 5"));
  CHECK_THAT(complaint_about([](auto& c) { c.time[2] = Tick{1} << 63; }), ContainsSubstring("106 days"));
}

TEST_CASE("requests past the capacity are refused before any is played", "[workload]") {
  RequestColumns columns = three_requests();
  columns.offset_bytes[2] = capacity_sectors * 512 - 2048;
  const ColumnSupply supply(std::move(columns));
  CHECK_THAT(message_of<InputError>([&] { supply.open(context(true)); }),
             ContainsSubstring("offset_bytes[2] is 1046528") && ContainsSubstring("past the capacity of 1048576"));
}

TEST_CASE("an open loop needs times", "[workload]") {
  RequestColumns columns = three_requests();
  columns.time.clear();
  const ColumnSupply supply(std::move(columns));
  CHECK_THAT(message_of<ConfigError>([&] { supply.open(context(true)); }),
             ContainsSubstring("host.workload.pacing") && ContainsSubstring("no time_us"));
  CHECK(all_requests(*supply.open(context(false))).size() == 3);
}

TEST_CASE("requests can be pulled one by one and in batches", "[workload]") {
  PulledSource source(Pulls({one(RequestKind::read, 512, 1024), batch(three_requests()), batch(three_requests()),
                             one(RequestKind::trim, 0, 512)}),
                      context(false));
  const std::vector<HostRequest> requests = all_requests(source);
  REQUIRE(requests.size() == 8);
  check_request(requests[0], RequestKind::read, 1, 2, 0);
  CHECK(requests[1].force_unit_access);
  check_request(requests[6], RequestKind::read, 2040, 8, 0);
  check_request(requests[7], RequestKind::trim, 0, 1, 0);
}

TEST_CASE("a pull happens only when its request is needed", "[workload]") {
  int pulls = 0;
  PulledSource source(
      [&] {
        ++pulls;
        return one(RequestKind::read, 0, 512);
      },
      context(false));
  CHECK(pulls == 0);
  HostRequest request;
  for (int asked = 1; asked < 4; ++asked) {
    CHECK(source.next(request));
    CHECK(pulls == asked);
  }
}

TEST_CASE("user code is called for pulls, but not for the requests of a batch", "[workload]") {
  int calls = 0;
  WorkloadContext counted = context(false);
  counted.call_out = [&](const std::function<void()>& call) {
    ++calls;
    call();
  };
  PulledSource source(Pulls({batch(three_requests()), one(RequestKind::read, 0, 512)}), counted);
  CHECK(all_requests(source).size() == 4);
  CHECK(calls == 3);  // the last pull returns the end of the requests
}

TEST_CASE("errors in a pulled request name its number", "[workload]") {
  const auto complaint = [](std::deque<Pulled> items, bool open_loop = false) {
    PulledSource source(Pulls(std::move(items)), context(open_loop));
    return message_of<InputError>([&] { all_requests(source); });
  };
  const Pulled good = one(RequestKind::read, 0, 512, microsecond);
  CHECK_THAT(complaint({good, one(RequestKind::read, 100, 512)}), ContainsSubstring("request 1: offset_bytes is 100"));
  CHECK_THAT(complaint({good, good, one(RequestKind::read, capacity_sectors * 512, 512)}),
             ContainsSubstring("request 2: offset_bytes is 1048576") && ContainsSubstring("past the capacity"));
  CHECK_THAT(complaint({good, one(RequestKind::read, 0, 512, 0)}, true), ContainsSubstring("request 1: time_us is 0"));
  RequestColumns untimed = three_requests();
  untimed.time.clear();
  CHECK_THAT(complaint({good, batch(untimed)}, true), ContainsSubstring("from request 1 on has no time_us"));
}

TEST_CASE("a workload of kind requests plays the supply of its name", "[workload]") {
  WorkloadParameters parameters;
  assign(parameters, {{"kind", "requests"}, {"source", "mine"}, {"requests", "2"}});
  const RequestSupplies supplies = {{"mine", std::make_shared<ColumnSupply>(three_requests())}};
  const auto source = make_workload(parameters, capacity_sectors, 1, 1, "host.workload", supplies);
  CHECK(source->expected_requests() == 2);
  CHECK(all_requests(*source).size() == 2);
  CHECK_THAT(message_of<ConfigError>([&] { make_workload(parameters, capacity_sectors, 1, 1, "host.workload"); }),
             ContainsSubstring("host.workload.source: no requests are given under the name 'mine'"));
}
