// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "platform/config/replaced_file.h"
#include "platform/simulation/checkpoint_file.h"
#include "unit/platform/temporary_folder.h"

namespace nandscape {
namespace {

std::vector<std::byte> random_bytes(std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<std::byte> bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random() & 0xff);
  return bytes;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("a checkpoint file returns the saved state, and replaces an earlier file") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "device.checkpoint").string();
  save_checkpoint_file(path, "nand: {}\n", std::vector<std::byte>(3));
  // An empty state, a small state, and a state that is longer than any buffer.
  const std::size_t size = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{20'000'001});
  const std::vector<std::byte> state = random_bytes(size);
  save_checkpoint_file(path, "simulation: {seed: 3}\n", state);
  const CheckpointFile loaded = load_checkpoint_file(path);
  CHECK(loaded.configuration == "simulation: {seed: 3}\n");
  CHECK((loaded.state == state));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("compressible state is compressed") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "zeros").string();
  save_checkpoint_file(path, "", std::vector<std::byte>(1'000'000));
  CHECK(std::filesystem::file_size(path) < 1000);
  CHECK(load_checkpoint_file(path).state.size() == 1'000'000);
}

TEST_CASE("damaged, truncated and foreign files are reported as such") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "device.checkpoint").string();
  save_checkpoint_file(path, "nand: {}\n", random_bytes(5000));
  const std::string whole = contents(path);
  const auto load = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    load_checkpoint_file(path);
  };
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{10}, std::size_t{23}, whole.size() / 2, whole.size() - 1}) {
    CHECK_THROWS_WITH(load(whole.substr(0, length)), ContainsSubstring("cut short"));
  }
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 1);
  CHECK_THROWS_WITH(load(damaged), ContainsSubstring("damaged"));
  std::string other = whole;
  other[21] = '1';
  CHECK_THROWS_WITH(load(other), ContainsSubstring("another version"));
  CHECK_THROWS_WITH(load("time,lba,bytes\n0,0,4096\n0,8,4096\n"), ContainsSubstring("not a checkpoint"));
}

TEST_CASE("a checkpoint behind a link replaces the link's target") {
  const TemporaryFolder folder;
  const auto in = [&](const char* name) { return (folder.path() / name).string(); };
  std::filesystem::create_directory(in("store"));
  std::ofstream(in("store") + "/first") << "old";
  std::filesystem::create_symlink("store/first", in("near"));
  std::filesystem::create_symlink(in("near"), in("far"));
  std::filesystem::create_symlink("store/second", in("dangling"));
  for (const char* link : {"far", "dangling"}) {
    save_checkpoint_file(in(link), "nand: {}\n", random_bytes(100));
    CHECK(std::filesystem::is_symlink(in(link)));
    CHECK(load_checkpoint_file(in(link)).configuration == "nand: {}\n");
  }
  CHECK(std::filesystem::is_symlink(in("near")));
  CHECK_FALSE(std::filesystem::is_symlink(in("store") + "/first"));
  CHECK(load_checkpoint_file(in("store") + "/second").state.size() == 100);
  CHECK(std::distance(std::filesystem::directory_iterator(in("store")), {}) == 2);

  std::filesystem::create_symlink(in("round"), in("round"));
  CHECK_THROWS_WITH(save_checkpoint_file(in("round"), "", {}), ContainsSubstring("round: cannot be written"));
}

TEST_CASE("a checkpoint can be written to a pipe, and device files stay devices") {
  const TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const std::vector<std::byte> state = random_bytes(300'000);
  std::thread writer([&] { save_checkpoint_file(pipe, "nand: {}\n", state); });
  const CheckpointFile loaded = load_checkpoint_file(pipe);
  writer.join();
  CHECK((loaded.state == state));
  CHECK(std::filesystem::is_fifo(pipe));
  save_checkpoint_file("/dev/null", "", state);
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK_THROWS_WITH(save_checkpoint_file("/dev/full", "", state), ContainsSubstring("No space left"));
}

TEST_CASE("an incomplete file leaves the old one, and no other file") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "device.checkpoint").string();
  std::ofstream(path) << "old";
  std::filesystem::permissions(path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  {
    ReplacedFile file(path);
    file.write("new", 3);
  }
  CHECK(contents(path) == "old");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  ReplacedFile file(path);
  file.write("new", 3);
  CHECK(contents(path) == "old");
  file.keep();
  CHECK(contents(path) == "new");
  CHECK(std::filesystem::status(path).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

TEST_CASE("a folder is not a checkpoint, and cannot be overwritten by one") {
  const TemporaryFolder folder;
  const std::string path = folder.path().string();
  CHECK_THROWS_WITH(save_checkpoint_file(path, "", {}), ContainsSubstring("give the name of a file"));
  CHECK_THROWS_WITH(load_checkpoint_file(path), ContainsSubstring("it is a directory"));
}

TEST_CASE("a path with a NUL is refused, even if its part before the NUL names a checkpoint") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "drive").string();
  save_checkpoint_file(path, "configuration", random_bytes(10));
  const std::string odd = path + std::string(1, '\0') + "s";
  CHECK_THROWS_WITH(save_checkpoint_file(odd, "configuration", random_bytes(10)), ContainsSubstring("NUL"));
  CHECK_THROWS_WITH(load_checkpoint_file(odd), ContainsSubstring("NUL"));
  CHECK(load_checkpoint_file(path).configuration == "configuration");
}

TEST_CASE("a checkpoint that cannot be written or found is an error with its path") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "missing" / "device.checkpoint").string();
  CHECK_THROWS_WITH(save_checkpoint_file(path, "", {}), ContainsSubstring(path + ": cannot be written"));
  CHECK_THROWS_WITH(load_checkpoint_file(path), ContainsSubstring(path + ": cannot be read"));
}

}  // namespace
}  // namespace nandscape
