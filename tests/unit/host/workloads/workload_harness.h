// SPDX-License-Identifier: Apache-2.0
// Helpers for the workload tests: temporary files, workload sources made from key-value pairs, and a function that
// returns all requests of a source.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "assign_parameters.h"
#include "core/error.h"
#include "host/workloads/workload_parameters.h"

namespace nandscape::host {

class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content) : folder_(make_folder()), path_(folder_ / name) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove_all(folder_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_.string(); }

 private:
  static std::filesystem::path make_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "nandscape-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    return name;
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

using Keys = std::map<std::string, std::string>;

constexpr std::uint64_t one_tib_sectors = std::uint64_t{1} << 31;

inline std::unique_ptr<WorkloadSource> make(const Keys& keys, std::uint64_t capacity_sectors = one_tib_sectors,
                                            std::uint64_t seed = 1) {
  WorkloadParameters parameters;
  assign(parameters, keys);
  return make_workload(parameters, capacity_sectors, 1, seed, "host.workload");
}

inline std::vector<HostRequest> all_requests(WorkloadSource& source) {
  std::vector<HostRequest> requests;
  HostRequest request;
  while (source.next(request)) requests.push_back(request);
  return requests;
}

inline std::vector<HostRequest> requests_of(const Keys& keys, std::uint64_t capacity_sectors = one_tib_sectors,
                                            std::uint64_t seed = 1) {
  return all_requests(*make(keys, capacity_sectors, seed));
}

// Returns the requests of a trace with the given text. `keys` contains settings in addition to kind and path.
inline std::vector<HostRequest> requests_of_trace(const std::string& text, Keys keys = {},
                                                  std::uint64_t capacity_sectors = one_tib_sectors) {
  const TemporaryFile file("trace.txt", text);
  keys.insert({{"kind", "trace"}, {"path", file.path()}});
  return requests_of(keys, capacity_sectors);
}

inline void check_request(const HostRequest& request, RequestKind kind, std::uint64_t first, std::uint64_t sectors,
                          Tick at) {
  CHECK(static_cast<int>(request.kind) == static_cast<int>(kind));
  CHECK(request.first.value == first);
  CHECK(request.sectors == sectors);
  CHECK(request.at == at);
}

// Returns the requests of a trace. Also checks that the result is the same whether the format is named or detected.
inline std::vector<HostRequest> read_both_ways(const std::string& content, const std::string& format) {
  std::vector<HostRequest> named = requests_of_trace(content, {{"format", format}});
  const std::vector<HostRequest> detected = requests_of_trace(content);
  REQUIRE(named.size() == detected.size());
  for (std::size_t k = 0; k < named.size(); ++k) {
    check_request(detected[k], named[k].kind, named[k].first.value, named[k].sectors, named[k].at);
  }
  return named;
}

// Runs `action` and returns the message of the error that it throws. Fails the test if it throws none.
template <class ErrorType, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const ErrorType& error) {
    return error.what();
  }
  FAIL("there was no error");
  return {};
}

}  // namespace nandscape::host
