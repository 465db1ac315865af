// Checkpoints: data read equal the written data bit for bit, and one file is always complete.

#include <percussion/base/file.h>
#include <percussion/output/checkpoint.h>
#include <percussion/version.h>

#include <gtest/gtest.h>

#include "filled_checkpoint.h"
#include "support/scratch_folder.h"

namespace {

using namespace percussion;
using test::bytes_of;
using test::content_of;
using test::error_of;
using test::filled;
using test::put;
using test::ScratchFolder;

// ---- reading and writing ----

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

/// Members may be empty: a linear body has no tangent, a hyperelastic one no K q, a run without
/// contacts no contact data.
TEST(Checkpoints, KeepWhatIsEmpty) {
  const ScratchFolder folder;
  CheckpointFiles files(folder.path);
  Checkpoint<2> written;
  written.state.q.reinit(0);
  files.write(written);
  std::vector<std::string> remarks;
  auto read = files.read<2>(remarks);
  ASSERT_TRUE(read);
  EXPECT_EQ(bytes_of(*read), bytes_of(written));
  EXPECT_EQ(read->state.Kq.size(), 0u);
}

// ---- two files in turns ----

/// Folder with the checkpoints of steps 10 and 20, in this order.
struct TwoCheckpoints {
  const ScratchFolder folder;
  const std::string first = folder / "checkpoint-1.bin", second = folder / "checkpoint-2.bin";
  CheckpointFiles files{folder.path};
  std::vector<std::string> remarks;

  TwoCheckpoints() {
    files.write(filled(10));
    files.write(filled(20, 1));
  }

  /// Returns the step of the checkpoint that is read, −1 for none.
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
    // The older file is replaced, the other one unchanged.
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

/// A resumed run keeps its checkpoint until it has written another one.
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

/// If the later file is damaged, the resumed run replaces it and keeps the older one.
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

/// Other runs may start from the end of a run.
TEST(Checkpoints, TheLastOneIsKeptAndNothingElseIsRemoved) {
  TwoCheckpoints two;
  put(two.folder / "energy.csv", "step\n");
  two.files.keep_last();
  EXPECT_EQ(two.folder.n_entries(), 2u);
  EXPECT_EQ(two.read_step(), 20);
  EXPECT_TRUE(two.remarks.empty());
  two.files.keep_last(); // now the only file
  EXPECT_EQ(two.read_step(), 20);
  CheckpointFiles(two.folder / "missing").keep_last();
}

// ---- damaged files ----

/// Expects that the other file is read if the later one has this content, and that the file and its
/// defect are named.
void expect_refused(TwoCheckpoints &two, const std::string &content, const std::string &reason) {
  put(two.second, content);
  ASSERT_EQ(two.read_step(), 10);
  ASSERT_EQ(two.remarks.size(), 1u);
  EXPECT_EQ(two.remarks[0].find(two.second + ": "), 0u) << two.remarks[0];
  EXPECT_NE(two.remarks[0].find(reason), std::string::npos) << two.remarks[0];
}

const std::string kind = "Percussion checkpoint, version ";
const std::string first_line = kind + PERCUSSION_VERSION ", format 18\n";

TEST(Checkpoints, ThatAreTruncatedAreNotRead) {
  TwoCheckpoints two;
  const std::string whole = content_of(two.second);
  ASSERT_EQ(whole.substr(0, first_line.size()), first_line);
  for (std::size_t n = 0; n < whole.size(); n += n < first_line.size() + 20 ? 1 : 97) {
    SCOPED_TRACE(n);
    const bool is_known = n >= first_line.size(); // in shorter files the kind of file is unknown
    expect_refused(two, whole.substr(0, n),
                   is_known ? "truncated (" + std::to_string(n) + " bytes" : "checkpoint");
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
      expect_refused(two, damaged, i < first_line.size() ? "checkpoint" : "checksum does not fit");
    }
}

TEST(Checkpoints, ThatAreNoneAreNotRead) {
  TwoCheckpoints two;
  expect_refused(two, "", "");
  for (const std::string &content :
       {std::string("step,time\n0,0\n"), std::string(5000, '\0'), std::string("\n")})
    expect_refused(two, content, "this is no checkpoint of Percussion");
}

/// The disk fails to read the file, like a folder.
TEST(Checkpoints, ThatCannotBeReadAreToldAndTheOtherIsRead) {
  TwoCheckpoints two;
  std::filesystem::remove(two.second);
  std::filesystem::create_directory(two.second);
  ASSERT_EQ(two.read_step(), 10);
  ASSERT_EQ(two.remarks.size(), 1u);
  EXPECT_EQ(two.remarks[0].find(two.second + ": cannot be read"), 0u) << two.remarks[0];
}

TEST(Checkpoints, OfAnotherVersionAreNotRead) {
  TwoCheckpoints two;
  const std::string whole = content_of(two.second);
  for (const std::string version : {"0.0.1, format 4", PERCUSSION_VERSION ", format 40", ""})
    expect_refused(two, kind + version + "\n" + whole.substr(first_line.size()),
                   "another version of Percussion (" + version + ")");
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
    EXPECT_EQ(error.find(two.first + ": this checkpoint is damaged or truncated") == 0, is_there)
        << error;
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
