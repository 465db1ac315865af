// Checkpoints: what is read is what was written, bit for bit, and there is always a whole one.

#include <percussion/output/checkpoint.h>
#include <percussion/output/durable_file.h>

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include <cmath>
#include <limits>
#include <tuple>

namespace {

using namespace percussion;
using test::content_of;
using test::error_of;
using test::put;
using test::ScratchFolder;

// ---- all members of what is kept: a new one does not compile before it is named here ----

auto members(LuMemory &m) {
  auto &[values, pivot_values, own] = m;
  return std::tie(values, pivot_values, own);
}

auto members(MomentumMemory &m) {
  auto &[length, stale, tangent] = m;
  return std::tie(length, stale, tangent);
}

auto members(ConeMemory &m) {
  auto &[keeps, epsilon] = m;
  return std::tie(keeps, epsilon);
}

auto members(StepMemory<2> &m) {
  auto &[percussion, status, motion, momentum, active, keeps, cone, width, good, energy] = m;
  return std::tie(percussion, status, motion, momentum, active, keeps, cone, width, good, energy);
}

auto members(Works &w) {
  auto &[external, viscous, numerical, normal, tangential, prescribed] = w;
  return std::tie(external, viscous, numerical, normal, tangential, prescribed);
}

auto members(RunStatistics &s) {
  auto &[energy, balance, normal, tangential, penetration, solver, momentum, iterations, contacts,
         cuts] = s;
  return std::tie(energy, balance, normal, tangential, penetration, solver, momentum, iterations,
                  contacts, cuts);
}

auto members(PhaseTimes &t) {
  auto &[seconds] = t;
  return std::tie(seconds);
}

/// All but what follows from the rest.
auto members(State<2> &s) {
  auto &[step, time, q, v, previous_h, previous_gap, Mv, Kq, force, gaps, kinetic, strain] = s;
  (void)force, (void)gaps;
  return std::tie(step, time, q, v, previous_h, previous_gap, Mv, Kq, kinetic, strain);
}

/// All but where it was read from.
auto members(Checkpoint<2> &c) {
  auto &[version, parameters, mesh, state, memory, energy, works, statistics, times, wall_time,
         instants, energy_bytes, rigid_bytes, problems, file] = c;
  (void)file;
  return std::tie(version, parameters, mesh, state, memory, energy, works, statistics, times,
                  wall_time, instants, energy_bytes, rigid_bytes, problems);
}

// ---- all numbers in them, one after the other ----

template <typename Visitor, typename T>
void walk(Visitor &visitor, T &x);

/// Walks through members that only an archive of Boost.Serialization gets at.
template <typename Visitor>
struct Archive {
  Visitor &visitor;
  template <typename T>
  Archive &operator&(T &x) {
    walk(visitor, x);
    return *this;
  }
};

template <typename Visitor>
void walk_entries(Visitor &visitor, Vector &x) {
  for (unsigned int i = 0; i < x.size(); ++i)
    walk(visitor, entries(x)[i]);
}
template <typename Visitor, typename Container>
void walk_entries(Visitor &visitor, Container &x) {
  for (auto &entry : x)
    walk(visitor, entry);
}

template <typename T>
constexpr bool has_length = false;
template <typename T>
constexpr bool has_length<std::vector<T>> = true;
template <>
constexpr bool has_length<std::string> = true;
template <>
constexpr bool has_length<Vector> = true;

template <typename Visitor, typename T>
void walk(Visitor &visitor, T &x) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    visitor.number(x);
  } else if constexpr (has_length<T>) {
    visitor.length(x);
    walk_entries(visitor, x);
  } else if constexpr (std::is_same_v<T, SurfaceMotion<2>>) {
    Archive<Visitor> archive{visitor};
    x.serialize(archive, 0);
  } else if constexpr (std::is_same_v<T, dealii::Tensor<1, 2>>) {
    walk(visitor, x[0]);
    walk(visitor, x[1]);
  } else if constexpr (std::is_same_v<T, std::pair<std::string, std::string>>) {
    walk(visitor, x.first);
    walk(visitor, x.second);
  } else if constexpr (std::is_same_v<T, std::array<double, n_phases>>) {
    walk_entries(visitor, x);
  } else {
    std::apply([&](auto &...member) { (walk(visitor, member), ...); }, members(x));
  }
}

/// Gives all numbers values that are not what they are by themselves, those of floating point in
/// turn the ones that are lost most easily.
struct Filler {
  unsigned long count;

  void number(double &x) {
    using Limits = std::numeric_limits<double>;
    const double special[] = {Limits::infinity(),
                              -Limits::infinity(),
                              std::nan("0x5a5a5"),
                              -std::nan("0x1"),
                              -0.,
                              -1e-310,
                              Limits::denorm_min(),
                              Limits::max(),
                              Limits::min()};
    ++count;
    x = count % 2 == 0 ? special[count / 2 % std::size(special)]
                       : std::sqrt(static_cast<double>(count));
  }
  void number(bool &x) { x = !x; }
  void number(ContactStatus &x) { x = static_cast<ContactStatus>(++count % 3); }
  template <typename T>
  void number(T &x) {
    x = static_cast<T>(++count * 0x9e3779b97f4a7c15u); // all of its bytes
  }
  void length(Vector &x) { x = make_vector(++count % 37 + 1); }
  template <typename Container>
  void length(Container &x) {
    x.resize(++count % 37 + 1);
  }
};

struct Bytes {
  std::string text;

  template <typename T>
  void number(const T &x) {
    text.append(reinterpret_cast<const char *>(&x), sizeof x);
  }
  template <typename Container>
  void length(const Container &x) {
    number(static_cast<std::uint64_t>(x.size()));
  }
};

Checkpoint<2> filled(unsigned int step, unsigned long seed = 0) {
  Checkpoint<2> checkpoint;
  Filler filler{seed};
  walk(filler, checkpoint);
  checkpoint.state.step = step;
  return checkpoint;
}

std::string bytes_of(Checkpoint<2> checkpoint) {
  Bytes bytes;
  walk(bytes, checkpoint);
  return bytes.text;
}

// ---- what is read is what was written ----

TEST(Checkpoints, AreReadAsTheyWereWrittenBitForBit) {
  for (unsigned long seed = 0; seed < 40; ++seed) {
    const ScratchFolder folder;
    CheckpointFiles files(folder.path);
    const auto written = filled(10, 13 * seed);
    files.write(written);
    std::vector<std::string> remarks;
    const auto read = CheckpointFiles(folder.path).read<2>(remarks);
    ASSERT_TRUE(read);
    ASSERT_GT(bytes_of(written).size(), 1000u);
    ASSERT_EQ(bytes_of(*read), bytes_of(written)) << seed;
    ASSERT_TRUE(remarks.empty());
  }
}

/// A linear body has no tangent, a hyperelastic one no K q, a run without contacts none of theirs.
TEST(Checkpoints, KeepWhatIsEmpty) {
  const ScratchFolder folder;
  CheckpointFiles files(folder.path);
  Checkpoint<2> written;
  written.state.q = make_vector(0);
  files.write(written);
  std::vector<std::string> remarks;
  auto read = files.read<2>(remarks);
  ASSERT_TRUE(read);
  EXPECT_EQ(bytes_of(*read), bytes_of(written));
  EXPECT_EQ(read->state.Kq.size(), 0u);
}

// ---- two files in turns ----

/// A folder with the checkpoints of steps 10 and 20, in this order.
struct TwoCheckpoints {
  const ScratchFolder folder;
  const std::string first = folder / "checkpoint-1.bin", second = folder / "checkpoint-2.bin";
  CheckpointFiles files{folder.path};
  std::vector<std::string> remarks;

  TwoCheckpoints() {
    files.write(filled(10));
    files.write(filled(20, 1));
  }

  /// The step that is read, −1 for none.
  int read_step() {
    remarks.clear();
    const auto read = CheckpointFiles(folder.path).read<2>(remarks);
    return read ? static_cast<int>(read->state.step) : -1;
  }
};

TEST(Checkpoints, AreWrittenInTurnsAndTheLatestIsRead) {
  TwoCheckpoints two;
  for (unsigned int step = 30; step < 80; step += 10) {
    EXPECT_EQ(two.read_step(), static_cast<int>(step) - 10);
    const std::string before[] = {content_of(two.first), content_of(two.second)};
    two.files.write(filled(step, step));
    EXPECT_EQ(two.read_step(), static_cast<int>(step));
    EXPECT_TRUE(two.remarks.empty());
    EXPECT_EQ(two.folder.n_entries(), 2u);
    // The older one is gone, the other as it was.
    EXPECT_NE(content_of(two.first) == before[0], content_of(two.second) == before[1]);
    const bool to_first = step / 10 % 2 == 1;
    EXPECT_EQ(content_of(to_first ? two.second : two.first), before[to_first ? 1 : 0]);
  }
}

TEST(Checkpoints, AreThatOfTheFileThatIsThere) {
  for (const bool keeps_first : {false, true}) {
    TwoCheckpoints two;
    std::filesystem::remove(keeps_first ? two.second : two.first);
    EXPECT_EQ(two.read_step(), keeps_first ? 10 : 20);
    EXPECT_TRUE(two.remarks.empty());
  }
}

/// A run that goes on keeps what it goes on from, until it has written another one.
TEST(Checkpoints, DoNotTakeThePlaceOfTheOneThatWasRead) {
  for (unsigned int last = 0; last < 2; ++last) {
    TwoCheckpoints two;
    if (last == 0)
      two.files.write(filled(30, 2));
    auto read = two.files.read<2>(two.remarks);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->file, last);
    const std::string &its_file = last == 0 ? two.first : two.second;
    const std::string before = content_of(its_file);
    CheckpointFiles resumed(two.folder.path, read->file);
    resumed.write(filled(40, 3));
    EXPECT_EQ(content_of(its_file), before);
    EXPECT_EQ(two.read_step(), 40);
    resumed.write(filled(50, 4));
    EXPECT_NE(content_of(its_file), before);
    EXPECT_EQ(two.read_step(), 50);
  }
}

/// The same where the later file is damaged: the older one is what there is.
TEST(Checkpoints, TakeThePlaceOfTheDamagedOne) {
  TwoCheckpoints two;
  put(two.second, "damaged");
  const auto read = two.files.read<2>(two.remarks);
  ASSERT_TRUE(read);
  const std::string before = content_of(two.first);
  CheckpointFiles(two.folder.path, read->file).write(filled(20, 1));
  EXPECT_EQ(content_of(two.first), before);
  EXPECT_EQ(two.read_step(), 20);
  EXPECT_TRUE(two.remarks.empty());
}

TEST(Checkpoints, ThatCannotBeWrittenAreToldAndCostNone) {
  TwoCheckpoints two;
  std::filesystem::create_directory(temporary_name(two.first));
  for (unsigned int attempt = 0; attempt < 2; ++attempt) {
    const std::string error = error_of([&] { two.files.write(filled(30)); });
    EXPECT_EQ(error, two.first + ": cannot be written (Is a directory)");
    EXPECT_EQ(two.read_step(), 20);
  }
  std::filesystem::remove(temporary_name(two.first));
  two.files.write(filled(40));
  EXPECT_EQ(two.read_step(), 40);
  std::filesystem::remove(two.first);
  EXPECT_EQ(two.read_step(), 20);
}

TEST(Checkpoints, AreRemovedAndNothingElseIs) {
  TwoCheckpoints two;
  put(two.folder / "energy.csv", "step\n");
  two.files.remove();
  EXPECT_EQ(two.folder.n_entries(), 1u);
  EXPECT_EQ(two.read_step(), -1);
  EXPECT_TRUE(two.remarks.empty());
  two.files.remove(); // there are none
  CheckpointFiles(two.folder / "missing").remove();
}

// ---- files that are damaged ----

/// The later file has this content instead: the other one is read, and the file and what is wrong
/// with it are named.
void expect_refused(TwoCheckpoints &two, const std::string &content, const std::string &reason) {
  put(two.second, content);
  ASSERT_EQ(two.read_step(), 10);
  ASSERT_EQ(two.remarks.size(), 1u);
  EXPECT_EQ(two.remarks[0].find(two.second + ": "), 0u) << two.remarks[0];
  EXPECT_NE(two.remarks[0].find(reason), std::string::npos) << two.remarks[0];
}

const std::string first_line = "Percussion checkpoint, format 1\n";

TEST(Checkpoints, ThatAreTruncatedAreNotRead) {
  TwoCheckpoints two;
  const std::string whole = content_of(two.second);
  ASSERT_EQ(whole.substr(0, first_line.size()), first_line);
  for (std::size_t n = 0; n < whole.size(); n += n < first_line.size() + 20 ? 1 : 97) {
    SCOPED_TRACE(n);
    const bool is_told = n >= first_line.size(); // before, it could be anything
    expect_refused(two, whole.substr(0, n),
                   is_told ? "truncated (" + std::to_string(n) + " bytes)" : "checkpoint");
  }
  expect_refused(two, whole.substr(0, whole.size() - 1), "truncated");
  expect_refused(two, whole + '\0', "checkpoint");
}

TEST(Checkpoints, WithADamagedByteAreNotRead) {
  TwoCheckpoints two;
  const std::string whole = content_of(two.second);
  for (const int flipped : {0x01, 0x80, 0xff})
    for (std::size_t i = 0; i < whole.size(); i += i < first_line.size() + 16 ? 1 : 97) {
      SCOPED_TRACE(i);
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ flipped);
      expect_refused(two, damaged,
                     i < first_line.size() + 8 ? "checkpoint" : "its checksum does not fit");
    }
}

TEST(Checkpoints, ThatAreNoneAreNotRead) {
  TwoCheckpoints two;
  expect_refused(two, "", "");
  for (const std::string &content :
       {std::string("step,time\n0,0\n"), std::string(5000, '\0'), std::string("\n")})
    expect_refused(two, content, "this is no checkpoint of Percussion");
}

TEST(Checkpoints, OfAnotherVersionAreNotRead) {
  TwoCheckpoints two;
  const std::string whole = content_of(two.second);
  for (const std::string format : {"2", "10", "12"})
    expect_refused(
        two, "Percussion checkpoint, format " + format + "\n" + whole.substr(first_line.size()),
        "another version of Percussion");
}

TEST(Checkpoints, OfWhichNoneIsFitAreAnErrorThatNamesAll) {
  for (const bool is_there : {false, true}) {
    TwoCheckpoints two;
    put(two.second, "foreign");
    if (is_there)
      put(two.first, content_of(two.first).substr(0, 500));
    else
      std::filesystem::remove(two.first);
    const std::string error = error_of([&] { two.read_step(); });
    EXPECT_NE(error.find(two.second + ": this is no checkpoint"), std::string::npos) << error;
    EXPECT_EQ(error.find(two.first + ": this checkpoint is truncated") == 0, is_there) << error;
  }
}

TEST(Checkpoints, OfWhichThereAreNoneAreNothing) {
  const ScratchFolder folder;
  std::vector<std::string> remarks;
  EXPECT_FALSE(CheckpointFiles(folder.path).read<2>(remarks));
  EXPECT_FALSE(CheckpointFiles(folder / "missing").read<2>(remarks));
  EXPECT_TRUE(remarks.empty());
}

} // namespace
