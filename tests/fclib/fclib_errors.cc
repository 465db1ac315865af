#include "fclib_files.h"
#include <csignal>
#include <fstream>
#include <sys/resource.h>

using namespace percussion;
using namespace percussion::sample;

using FclibErrors = FclibFolder;

TEST_F(FclibErrors, RefusesWhatIsNotAFile) {
  EXPECT_EQ(reading_error(path),
            path + ": found No such file or directory; needed: a readable HDF5 file");
  EXPECT_EQ(reading_error(folder),
            folder.string() + ": found Is a directory; needed: a readable HDF5 file");
  EXPECT_EQ(reading_error("/dev/null"),
            "/dev/null: found a device or a pipe; needed: a regular file");
  std::ofstream(path).close();
  EXPECT_EQ(reading_error(path), path + ": found an empty file; needed: a readable HDF5 file");
  std::ofstream(path) << "A text.";
  EXPECT_EQ(reading_error(path), path + ": found something else than HDF5; needed: an HDF5 file");
}

TEST_F(FclibErrors, RefusesAFileCutShortAnywhere) {
  sample::Random random(1);
  write_fclib(path, make_file(make_local(2, 3, random), random));
  for (std::uintmax_t size = fs::file_size(path); size > 0; size = size * 9 / 10) {
    fs::resize_file(path, size - 1);
    EXPECT_NE(reading_error(path), "no error") << size;
  }
}

namespace {

/// Damage of a valid file, and the message for it after the file's name.
struct Damage {
  std::function<void(hid_t)> change;
  std::string message;
};

const std::vector<Damage> local_damages{
    {[](hid_t f) { remove(f, "fclib_local"); },
     "/: found none of these; needed: one group fclib_local, fclib_global or "
     "fclib_global_rolling"},
    {[](hid_t f) {
       H5Gclose(H5Gcreate2(f, "fclib_global", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
     },
     "/: found fclib_local and fclib_global; needed: one group fclib_local, fclib_global or "
     "fclib_global_rolling"},
    {[](hid_t f) {
       remove(f, "fclib_local");
       put(f, "fclib_local", Numbers{1.});
     },
     "fclib_local: found something else than a group, or a damaged one; needed: a group"},
    {[](hid_t f) { remove(f, "fclib_local/spacedim"); },
     "fclib_local/spacedim: found nothing; needed: a dataset of integers"},
    {[](hid_t f) { put(f, "fclib_local/spacedim", std::vector<int>{4}); },
     "fclib_local/spacedim: found 4; needed: 2 or 3"},
    {[](hid_t f) { put(f, "fclib_local/spacedim", std::vector<int>{3}); },
     "fclib_local/W/m: found 4; needed: a multiple of spacedim = 3"},
    {[](hid_t f) {
       put(f, "fclib_local/spacedim", std::vector<int>{2, 2, 2});
     },
     "fclib_local/spacedim: found 3 numbers; needed: 1 number"},
    {[](hid_t f) { put(f, "fclib_local/spacedim", Numbers{2.}); },
     "fclib_local/spacedim: found data of another type; needed: integers"},
    {[](hid_t f) { remove(f, "fclib_local/W"); }, "fclib_local/W: found nothing; needed: a group"},
    {[](hid_t f) { put(f, "fclib_local/W/nz", std::vector<int>{-3}); },
     "fclib_local/W/nz: found -3; needed: at least -2"},
    {[](hid_t f) { put(f, "fclib_local/W/n", std::vector<int>{5}); },
     "fclib_local/W/p: found 5 numbers; needed: 6 numbers"},
    {[](hid_t f) { put(f, "fclib_local/W/m", std::vector<int>{6}); },
     "fclib_local/W: found 6 rows and 4 columns; needed: as many rows as columns"},
    {[](hid_t f) { put(f, "fclib_local/W/m", std::vector<int>{-4}); },
     "fclib_local/W/m: found -4; needed: at least 0"},
    {[](hid_t f) { put(f, "fclib_local/W/nzmax", std::vector<int>{7}); },
     "fclib_local/W/p: found 16 entries; needed: at most nzmax = 7"},
    {[](hid_t f) {
       put(f, "fclib_local/W/p", std::vector<int>{0, 8, 4, 12, 16});
     },
     "fclib_local/W/p: found 4 after 8; needed: pointers that do not descend"},
    {[](hid_t f) {
       put(f, "fclib_local/W/p", std::vector<int>{1, 4, 8, 12, 16});
     },
     "fclib_local/W/p: found 1 at index 0; needed: 0"},
    {[](hid_t f) {
       put(f, "fclib_local/W/i", std::vector<int>{0, 1, 2, 4, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
     },
     "fclib_local/W/i: found 4 at index 3; needed: indices from 0 to 3"},
    {[](hid_t f) { put(f, "fclib_local/W/x", Numbers(17, 1.)); },
     "fclib_local/W/x: found 17 numbers; needed: 16 numbers"},
    {[](hid_t f) { remove(f, "fclib_local/vectors"); },
     "fclib_local/vectors: found nothing; needed: a group"},
    {[](hid_t f) { put(f, "fclib_local/vectors/q", Numbers(5, 1.)); },
     "fclib_local/vectors/q: found 5 numbers; needed: 4 numbers"},
    {[](hid_t f) { put(f, "fclib_local/vectors/mu", Numbers(1, 1.)); },
     "fclib_local/vectors/mu: found 1 number; needed: 2 numbers"},
    {[](hid_t f) { put(f, "fclib_local/info/title", Numbers(1, 1.)); },
     "fclib_local/info/title: found data of another type; needed: characters"},
    {[](hid_t f) { put(f, "fclib_local/info/velocity_unit", Numbers{-2.}); },
     "fclib_local/info/velocity_unit: found -2.000000; needed: a number > 0"},
    {[](hid_t f) { H5Lcreate_soft("nowhere", f, "fclib_local/V", H5P_DEFAULT, H5P_DEFAULT); },
     "fclib_local/V: found something else than a group, or a damaged one; needed: a group"},
    {[](hid_t f) {
       remove(f, "fclib_local/W");
       H5Lcreate_external("/etc/passwd", "W", f, "fclib_local/W", H5P_DEFAULT, H5P_DEFAULT);
     },
     "fclib_local/W: found a link to another file; needed: an object of this file"},
    {[](hid_t f) {
       remove(f, "fclib_local/vectors/q");
       const hsize_t n = 4;
       const hid_t space = H5Screate_simple(1, &n, nullptr),
                   properties = H5Pcreate(H5P_DATASET_CREATE);
       H5Pset_external(properties, "/dev/zero", 0, 4 * sizeof(double));
       H5Dclose(H5Dcreate2(f, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
                           properties, H5P_DEFAULT));
       H5Pclose(properties);
       H5Sclose(space);
     },
     "fclib_local/vectors/q: found data in another file; needed: data in this file"},
    {[](hid_t f) { remove(f, "solution/r"); },
     "solution/r: found nothing; needed: a dataset of real numbers"},
    {[](hid_t f) { put(f, "solution/u", Numbers(3, 1.)); },
     "solution/u: found 3 numbers; needed: 4 numbers"},
    {[](hid_t f) { put(f, "guesses/number_of_guesses", std::vector<int>{3}); },
     "guesses/3: found nothing; needed: a group"},
    {[](hid_t f) { put(f, "guesses/number_of_guesses", std::vector<int>{-1}); },
     "guesses/number_of_guesses: found -1; needed: at least 0"}};

const std::vector<Damage> global_damages{
    {[](hid_t f) { remove(f, "fclib_global/H"); },
     "fclib_global/H: found nothing; needed: a group"},
    {[](hid_t f) { put(f, "fclib_global/H/m", std::vector<int>{4}); },
     "fclib_global/H/m: found 4; needed: as many rows as M: 3"},
    {[](hid_t f) { put(f, "fclib_global/vectors/f", Numbers{1.}); },
     "fclib_global/vectors/f: found 1 number; needed: 3 numbers"},
    {[](hid_t f) { put(f, "fclib_global/vectors/w", Numbers{1.}); },
     "fclib_global/vectors/w: found 1 number; needed: 4 numbers"},
    {[](hid_t f) { put(f, "solution/v", Numbers{1.}); },
     "solution/v: found 1 number; needed: 3 numbers"}};

} // namespace

TEST_F(FclibErrors, SaysWhatIsWrongWithALocalProblem) {
  for (const Damage &damage : local_damages) {
    sample::Random random(1);
    fs::remove(path);
    write_fclib(path, make_file(make_local(2, 2, random), random));
    edit(path, damage.change);
    EXPECT_EQ(reading_error(path), path + ": " + damage.message);
  }
}

TEST_F(FclibErrors, SaysWhatIsWrongWithAGlobalProblem) {
  for (const Damage &damage : global_damages) {
    sample::Random random(1);
    fs::remove(path);
    write_fclib(path, {make_global(random), "", "", "", make_solution(3, 4, random), {}});
    edit(path, damage.change);
    EXPECT_EQ(reading_error(path), path + ": " + damage.message);
  }
}

TEST_F(FclibErrors, RefusesDamagedTriplets) {
  const RawMatrix good{4, 4, 2, {0, 1}, {3, 2}, {1., 1.}};
  write_raw(path, good);
  edit(path, [](hid_t f) { put(f, "fclib_local/W/i", std::vector<int>{0, -1}); });
  EXPECT_EQ(reading_error(path),
            path + ": fclib_local/W/i: found -1 at index 1; needed: indices from 0 to 3");
  edit(path, [](hid_t f) { put(f, "fclib_local/W/nzmax", std::vector<int>{1}); });
  EXPECT_EQ(reading_error(path), path + ": fclib_local/W/nzmax: found 1; needed: at least nz = 2");
}

TEST_F(FclibErrors, SaysWhyItCannotWriteAndLeavesNothing) {
  sample::Random random(1);
  const FclibFile file = make_file(make_local(2, 2, random), random);
  const auto error = [&](const std::string &where) {
    return message_of([&] { write_fclib(where, file); });
  };
  const std::string problem = folder / "missing/problem";
  EXPECT_EQ(error(problem), problem + ": cannot be written (No such file or directory)");
  EXPECT_EQ(error(folder), folder.string() + ": cannot be written (Is a directory)");
  EXPECT_EQ(n_files(), 0u);
}

TEST_F(FclibErrors, RefusesToWriteInconsistentData) {
  sample::Random random(1);
  const auto error = [&](const std::function<void(FclibFile &, FrictionContactProblem &)> &spoil) {
    FclibFile file = make_file(make_chain(2, 3, random), random);
    spoil(file, std::get<0>(file.problem));
    const std::string message = message_of([&] { write_fclib(path, file); });
    return message.substr(message.find(path) == 0 ? path.size() + 2 : 0);
  };
  const std::string W = "frictional contact problem: the size of W does not fit";
  const std::string rows =
      "pointers or columns out of range; needed: pointers and columns of compressed rows";
  EXPECT_EQ(error([](auto &, auto &p) { p.dimension = 4; }), W);
  EXPECT_EQ(error([](auto &, auto &p) { p.q.pop_back(); }),
            "fclib_local/vectors/q: found 5 numbers; needed: 6 numbers");
  EXPECT_EQ(error([](auto &, auto &p) { p.mu.pop_back(); }),
            "fclib_local/vectors/mu: found 2 numbers; needed: 3 numbers");
  EXPECT_EQ(error([](auto &, auto &p) { p.W.resize(35); }), W);
  EXPECT_EQ(error([](auto &, auto &p) { p.blocks.row_start[1] = 900; }), W);
  EXPECT_EQ(error([](auto &, auto &p) { p.blocks.value.pop_back(); }), W);
  EXPECT_EQ(error([](auto &, auto &p) { p.blocks.column[1] = 3; }),
            "fclib_local/W/i: found " + rows);
  EXPECT_EQ(error([](auto &f, auto &) { f.guesses[1].p.clear(); }),
            "guesses/2/r: found 0 numbers; needed: 6 numbers");
  const auto global_error = [&](const std::function<void(GlobalFrictionContactProblem &)> &spoil) {
    FclibFile file{make_global(random), "", "", "", {}, {}};
    spoil(std::get<1>(file.problem));
    return message_of([&] { write_fclib(path, file); }).substr(path.size() + 2);
  };
  EXPECT_EQ(global_error([](auto &p) { p.dimension = 4; }),
            "fclib_global/spacedim: found 4; needed: 2 or 3");
  EXPECT_EQ(global_error([](auto &p) { p.M.row_start[1] = 9; }), "fclib_global/M/i: found " + rows);
  EXPECT_EQ(global_error([](auto &p) { p.H.n_rows = 4; }), "fclib_global/H/i: found " + rows);
  EXPECT_EQ(global_error([](auto &p) { p.b.pop_back(); }),
            "fclib_global/vectors/w: found 3 numbers; needed: 4 numbers");
  EXPECT_EQ(n_files(), 0u);
}

/// A limit to the size of files acts like a full disk.
TEST_F(FclibErrors, SurvivesAFullDisk) {
  sample::Random random(1);
  FclibFile small = make_file(make_local(2, 2, random), random), large = small;
  write_fclib(path, small);
  large.problem = make_local(2, 100, random);
  large.solution.reset();
  large.guesses.clear();

  rlimit unlimited{};
  ::getrlimit(RLIMIT_FSIZE, &unlimited);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t size : {100u, 3000u, 50000u, 200000u}) {
    rlimit limit = unlimited;
    limit.rlim_cur = size;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = message_of([&] { write_fclib(path, large); });
    ::setrlimit(RLIMIT_FSIZE, &unlimited);
    EXPECT_NE(message, "no error") << size;
  }
  std::signal(SIGXFSZ, handler);
  expect_same(small, read_fclib(path));
  EXPECT_EQ(n_files(), 1u);
}
