// VTKHDF files of writers that are killed or find the disk full. tests/python/test_vtkhdf.py
// compares their content with VTU files.

#include <percussion/base/file.h>

#include "support/full_disk.h"
#include "support/scratch_folder.h"
#include "written_run.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace vtkhdf_files {

using namespace percussion;

/// Fixture: a crowd of moving bodies on the ground.
class VtkHdfFiles : public testing::Test {
protected:
  test::RigidSystem system;
  test::ScratchFolder scratch;
  std::string folder = scratch.path.string();

  VtkHdfFiles() {
    for (unsigned int i = 0; i < 200; ++i)
      system.rigid.push_back(test::rectangle("body " + std::to_string(i), 1, 1, 1, {2. * i, 1.}));
    system.add_contact(ImpactLawKind::fremond, {}, 0.3);
    system.make();
    for (unsigned int i = 0; i < 200; ++i)
      system.v(i)[0] = std::sin(1. + i);
    system.start();
  }

  VtuOutput<2> output(const std::string &directory, std::size_t n_earlier = 0) const {
    std::vector<double> times;
    for (std::size_t k = 0; k < n_earlier; ++k)
      times.push_back(static_cast<double>(k));
    return {directory,        *system.bodies, *system.boundary,
            system.choices.h, times,          {FieldFormat::vtkhdf}};
  }

  /// Writes instant k, whose time is k.
  void write(VtuOutput<2> &files, std::size_t k) {
    system.state.time = static_cast<double>(k);
    system.v(0)[0] = 0.1 * static_cast<double>(k);
    files.write(system.state, system.step->last());
    files.wait();
  }

  /// Writes instants to a folder; returns the checksums after each.
  std::vector<std::vector<FileSum>> sums_of_instants(const std::string &directory, std::size_t n) {
    auto files = output(directory);
    std::vector<std::vector<FileSum>> sums(1);
    for (std::size_t k = 0; k < n; ++k) {
      write(files, k);
      sums.push_back(files.sums());
    }
    return sums;
  }

  /// Process that writes instants until it fails or is killed, and sends "+" for each complete one,
  /// at last the message of its failure.
  struct Writer {
    pid_t process;
    int channel;

    /// Returns what the process has sent, once it has ended; `status` is its exit status, −1 if it
    /// was killed.
    std::string output(int &status) const {
      std::string words;
      EXPECT_TRUE(read_all(channel, words));
      ::close(channel);
      ::waitpid(process, &status, 0);
      status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      return words;
    }
  };
  Writer start_writer(std::optional<std::uintmax_t> most_bytes = {}) {
    int channel[2];
    EXPECT_EQ(::pipe(channel), 0);
    const pid_t process = ::fork();
    if (process != 0) {
      ::close(channel[1]);
      return {process, channel[0]};
    }
    std::optional<test::FullDisk> disk;
    if (most_bytes)
      disk.emplace(*most_bytes);
    try {
      auto files = output(folder);
      for (std::size_t k = 0;; ++k) {
        write(files, k);
        write_all(channel[1], "+");
      }
    } catch (const WriteError &error) {
      write_all(channel[1], error.what());
    }
    std::exit(0); // with the end of the libraries
  }

  /// Expects the first n instants in the files, and that a further one can be written. `sums` are
  /// the checksums after each number of instants.
  void expect_instants(std::size_t n, const std::vector<std::vector<FileSum>> &sums) {
    for (const FileSum &sum : sums[n])
      EXPECT_NO_THROW(check_unchanged_instants(folder, sum)) << n;
    auto files = output(folder, n);
    write(files, n);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(files.sums()[i].bytes, sums[n + 1][i].bytes);
      EXPECT_EQ(files.sums()[i].checksum, sums[n + 1][i].checksum);
    }
  }

  void remove_files() const {
    for (const char *const name : {"/solution.vtkhdf", "/contacts.vtkhdf"})
      test::fs::remove(folder + name);
  }
};

TEST_F(VtkHdfFiles, KeepInstantsOfAKilledProgramAndContinue) {
  constexpr std::size_t most = 40;
  const test::ScratchFolder reference;
  const auto sums = sums_of_instants(reference.path.string(), most + 1);
  std::mt19937 random(5);
  for (unsigned int trial = 0; trial < 25; ++trial) {
    const Writer writer = start_writer();
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t n_awaited = 1 + random() % 6;
    char received[6];
    for (std::size_t n = 0; n < n_awaited; ++n)
      ASSERT_EQ(::read(writer.channel, received + n, 1), 1);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    const double fraction = static_cast<double>(random() % 1000) / 1000.;
    std::this_thread::sleep_for(time / static_cast<double>(n_awaited) * fraction);
    ::kill(writer.process, SIGKILL);
    int status = 0;
    const std::size_t n = n_awaited + writer.output(status).size();
    ASSERT_EQ(status, -1);
    ASSERT_LT(n, most);
    expect_instants(n, sums);
    remove_files();
  }
}

TEST_F(VtkHdfFiles, KeepInstantsOnAFullDiskAndContinue) {
  const auto size = [&] {
    return static_cast<double>(std::max(test::fs::file_size(folder + "/solution.vtkhdf"),
                                        test::fs::file_size(folder + "/contacts.vtkhdf")));
  };
  sums_of_instants(folder, 1);
  const double first_size = size();
  remove_files();
  constexpr std::size_t n_instants = 12;
  const auto sums = sums_of_instants(folder, n_instants);
  const double last_size = size();
  for (const double fraction : {0.1, 0.25, 0.4, 0.55, 0.7, 0.85}) {
    remove_files();
    int status = 0;
    const std::string words =
        start_writer(std::uintmax_t(first_size + fraction * (last_size - first_size)))
            .output(status);
    EXPECT_EQ(status, 0) << fraction;
    const std::size_t n = words.find_first_not_of('+');
    EXPECT_NE(words.find(".vtkhdf: cannot be written (File too large)"), words.npos) << words;
    ASSERT_GT(n, 0u) << words;
    ASSERT_LT(n, n_instants);
    expect_instants(n, sums);
  }
}

TEST_F(VtkHdfFiles, OtherContentIsDetected) {
  auto sums = sums_of_instants(folder, 3).back();
  ++sums[0].checksum;
  EXPECT_THROW(check_unchanged_instants(folder, sums[0]), RunError);
  sums[1].bytes += 1000;
  EXPECT_THROW(check_unchanged_instants(folder, sums[1]), RunError);
}

} // namespace vtkhdf_files
