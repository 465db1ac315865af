#include <percussion/fclib/fclib.h>

#include "fclib_check.h"
#include "fclib_structs.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

namespace percussion {
namespace {

namespace fs = std::filesystem;
using hdf5::fail;

std::string count(std::size_t n) { return std::to_string(n) + " numbers"; }

void require_length(const std::string &path, const std::string &name, std::size_t found,
                    std::size_t needed) {
  if (found != needed)
    fail(path, name, count(found), count(needed));
}

/// FCLib counts by int.
void require_countable(const std::string &path, const std::string &name, std::size_t n) {
  if (n > std::numeric_limits<int>::max())
    fail(path, name, count(n), "at most " + count(std::numeric_limits<int>::max()));
}

/// Row pointers and the columns they lead to.
void check_rows(const std::string &path, const std::string &name,
                const std::vector<std::size_t> &row_start, const std::vector<std::size_t> &column,
                std::size_t n_rows, std::size_t n_columns) {
  require_length(path, name + ".row_start", row_start.size(), n_rows + 1);
  bool is_good = row_start.front() == 0 && row_start.back() == column.size();
  for (std::size_t row = 0; is_good && row < n_rows; ++row) {
    is_good = row_start[row] <= row_start[row + 1];
    for (std::size_t k = row_start[row]; is_good && k < row_start[row + 1]; ++k)
      is_good = k < column.size() && column[k] < n_columns &&
                (k == row_start[row] || column[k - 1] < column[k]);
  }
  if (!is_good)
    fail(path, name, "rows out of order or columns out of range",
         "ascending columns below " + std::to_string(n_columns));
}

void check(const std::string &path, const std::string &name, const CompressedRows &matrix,
           std::size_t n_rows, std::size_t n_columns) {
  if (matrix.n_rows != n_rows || matrix.n_columns != n_columns)
    fail(path, name, std::to_string(matrix.n_rows) + " × " + std::to_string(matrix.n_columns),
         std::to_string(n_rows) + " × " + std::to_string(n_columns));
  check_rows(path, name, matrix.row_start, matrix.column, n_rows, n_columns);
  require_length(path, name + ".value", matrix.value.size(), matrix.column.size());
  require_countable(path, name, matrix.value.size());
}

FclibContents contents_of(const std::string &path, const FrictionContactProblem &problem) {
  if (problem.dimension != 2 && problem.dimension != 3)
    fail(path, "dimension", std::to_string(problem.dimension), "2 or 3");
  const std::size_t d = problem.dimension, n = d * problem.n_contacts;
  require_countable(path, "q", n);
  require_length(path, "q", problem.q.size(), n);
  require_length(path, "mu", problem.mu.size(), problem.n_contacts);
  const BlockSparseMatrix &blocks = problem.blocks;
  if (problem.W.empty() && !blocks.row_start.empty()) {
    check_rows(path, "blocks", blocks.row_start, blocks.column, problem.n_contacts,
               problem.n_contacts);
    require_length(path, "blocks.value", blocks.value.size(), d * d * blocks.column.size());
    require_countable(path, "blocks", blocks.value.size());
  } else
    require_length(path, "W", problem.W.size(), n * n);
  return {true, problem.dimension, problem.n_contacts, 0};
}

FclibContents contents_of(const std::string &path, const GlobalFrictionContactProblem &problem) {
  if (problem.dimension != 2 && problem.dimension != 3)
    fail(path, "dimension", std::to_string(problem.dimension), "2 or 3");
  const std::size_t n = problem.dimension * problem.n_contacts, n_velocities = problem.q.size();
  require_countable(path, "q", n_velocities);
  require_countable(path, "b", n);
  require_length(path, "b", problem.b.size(), n);
  require_length(path, "mu", problem.mu.size(), problem.n_contacts);
  check(path, "M", problem.M, n_velocities, n_velocities);
  check(path, "H", problem.H, n_velocities, n);
  return {false, problem.dimension, problem.n_contacts, n_velocities};
}

void check(const std::string &path, const std::string &name, const GlobalConeSolution &solution,
           const FclibContents &contents) {
  const std::size_t n = contents.dimension * contents.n_contacts;
  if (n == 0)
    fail(path, name, "a solution", "none: FCLib keeps none of a problem without contacts");
  require_length(path, name + ".v", solution.v.size(), contents.n_velocities);
  require_length(path, name + ".u", solution.u.size(), n);
  require_length(path, name + ".p", solution.p.size(), n);
}

/// A file beside its target, whose place it takes in the end; until then it vanishes with this.
class Temporary {
public:
  explicit Temporary(const std::string &path) : path_(path), target_(path) {
    std::error_code error;
    if (fs::is_symlink(path, error)) // write what it leads to, as everybody does
      target_ = fs::weakly_canonical(path, error).string();
    const fs::path directory = fs::absolute(target_).parent_path();
    if (!fs::is_directory(directory, error))
      fail(path, "", "no directory " + directory.string(), "a directory to write into");
    if (fs::exists(target_, error) && !fs::is_regular_file(target_, error))
      fail(path, "", "something else than a file", "a file or nothing");
    create();
  }
  ~Temporary() {
    if (!name_.empty())
      ::unlink(name_.c_str());
  }
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;

  const std::string &name() const { return name_; }
  const std::string &path() const { return path_; } ///< for messages

  /// Make sure that the disk has room for so many bytes at the file's end. FCLib ends the process
  /// where it has not. HDF5 gives back what is left over.
  void reserve(std::size_t n_bytes) const {
    const int file = ::open(name_.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0)
      fail_to_write(std::strerror(errno), "permission to write");
    struct stat status {};
    int error = ::fstat(file, &status) == 0 ? 0 : errno;
    if (error == 0)
      error = ::posix_fallocate(file, status.st_size, static_cast<off_t>(n_bytes));
    ::close(file);
    if (error != 0)
      fail_to_write(std::strerror(error), std::to_string(n_bytes) + " more bytes of space");
  }

  void take_place() {
    const int descriptor = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    const int reason = errno;
    if (descriptor >= 0)
      ::close(descriptor);
    if (!synced)
      fail_to_write(std::strerror(reason), "space to write");
    if (std::rename(name_.c_str(), target_.c_str()) != 0)
      fail_to_write(std::strerror(errno), "a file that can be replaced");
    name_.clear();
  }

  [[noreturn]] void fail_to_write(const std::string &found, const std::string &needed) const {
    fail(path_, "", found, needed);
  }

private:
  void create() {
    for (unsigned int k = 0;; ++k) {
      const std::string candidate =
          target_ + ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(k);
      const int file = ::open(candidate.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file >= 0) {
        ::close(file);
        name_ = candidate;
        return;
      }
      if (errno != EEXIST)
        fail_to_write(std::strerror(errno), "a directory to write into");
    }
  }

  std::string path_, target_, name_;
};

/// FCLib takes arrays it does not change, and takes none for a mistake even where it is empty.
double *array(const std::vector<double> &x) {
  static double none = 0.;
  return x.empty() ? &none : const_cast<double *>(x.data());
}

/// Space for what HDF5 keeps beside the numbers, more than enough.
constexpr std::size_t overhead = 1 << 16;

struct Info {
  explicit Info(const FclibFile &file) {
    const auto text = [](const std::string &x) {
      return x.empty() ? nullptr : const_cast<char *>(x.c_str());
    };
    info = {text(file.title), text(file.description), text(file.math_info)};
    n_bytes = file.title.size() + file.description.size() + file.math_info.size();
  }
  fclib_info *get() { return info.title || info.description || info.math_info ? &info : nullptr; }

  fclib_info info{};
  std::size_t n_bytes = 0;
};

CompressedRows delassus(const FrictionContactProblem &problem) {
  if (problem.W.empty() && !problem.blocks.row_start.empty())
    return compressed_rows(problem.blocks, problem.dimension);
  return compressed_rows(problem.W, problem.dimension * problem.n_contacts);
}

void write(const Temporary &file, const FrictionContactProblem &problem, Info info) {
  const CompressedRows rows = delassus(problem);
  require_countable(file.path(), "W", rows.value.size());
  FclibMatrix W(rows);
  fclib_local local{};
  local.W = W.get();
  local.q = array(problem.q);
  local.mu = array(problem.mu);
  local.spacedim = static_cast<int>(problem.dimension);
  local.info = info.get();
  file.reserve(overhead + info.n_bytes + W.n_bytes() + 8 * (problem.q.size() + problem.mu.size()));
  if (fclib_write_local(&local, file.name().c_str()) != 1)
    file.fail_to_write("a problem that FCLib does not write", "a file to write");
}

void write(const Temporary &file, const GlobalFrictionContactProblem &problem, Info info) {
  FclibMatrix M(problem.M), H(problem.H);
  fclib_global global{};
  global.M = M.get();
  global.H = H.get();
  global.f = array(problem.q);
  global.w = array(problem.b);
  global.mu = array(problem.mu);
  global.spacedim = static_cast<int>(problem.dimension);
  global.info = info.get();
  file.reserve(overhead + info.n_bytes + M.n_bytes() + H.n_bytes() +
               8 * (problem.q.size() + problem.b.size() + problem.mu.size()));
  if (fclib_write_global(&global, file.name().c_str()) != 1)
    file.fail_to_write("a problem that FCLib does not write", "a file to write");
}

fclib_solution as_fclib(const GlobalConeSolution &solution) {
  return {array(solution.v), array(solution.u), array(solution.p), nullptr};
}

std::size_t n_bytes(const GlobalConeSolution &solution) {
  return overhead + 8 * (solution.v.size() + solution.u.size() + solution.p.size());
}

void write(const Temporary &file, const GlobalConeSolution &solution) {
  fclib_solution copy = as_fclib(solution);
  if (fclib_write_solution(&copy, file.name().c_str()) != 1)
    file.fail_to_write("a solution that FCLib does not write", "a file to write");
}

void write(const Temporary &file, const std::vector<GlobalConeSolution> &guesses) {
  std::vector<fclib_solution> copies;
  std::size_t size = overhead;
  for (const GlobalConeSolution &guess : guesses) {
    copies.push_back(as_fclib(guess));
    size += n_bytes(guess);
  }
  file.reserve(size);
  const int n = static_cast<int>(guesses.size());
  if (fclib_write_guesses(n, copies.data(), file.name().c_str()) != 1)
    file.fail_to_write("guesses that FCLib does not write", "a file to write");
}

} // namespace

void write_fclib(const std::string &path, const FclibFile &file) {
  const auto check_problem = [&](const auto &problem) { return contents_of(path, problem); };
  const FclibContents contents = std::visit(check_problem, file.problem);
  if (file.solution)
    check(path, "solution", *file.solution, contents);
  for (std::size_t k = 0; k < file.guesses.size(); ++k)
    check(path, "guesses[" + std::to_string(k) + "]", file.guesses[k], contents);

  const hdf5::Silence silence;
  Temporary temporary(path);
  // Where there is a file, FCLib adds to it: so give it one that has its space already. Ask for
  // space before that too: a file that HDF5 cannot complete makes it crash when the process ends.
  temporary.reserve(overhead);
  if (!hdf5::Handle(H5Fcreate(temporary.name().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                    H5Fclose)
           .close())
    temporary.fail_to_write("no space or no permission", "a file to write");
  std::visit([&](const auto &problem) { write(temporary, problem, Info(file)); }, file.problem);
  if (file.solution) {
    temporary.reserve(n_bytes(*file.solution));
    write(temporary, *file.solution);
  }
  if (!file.guesses.empty())
    write(temporary, file.guesses);
  temporary.take_place();
}

void write_fclib_solution(const std::string &path, const GlobalConeSolution &solution) {
  const hdf5::Silence silence;
  {
    const hdf5::Handle file = hdf5::open_file(path, H5F_ACC_RDONLY);
    check(path, "solution", solution, check_fclib(hdf5::Group(file, path)));
  }
  Temporary temporary(path);
  std::error_code error;
  if (!fs::copy_file(path, temporary.name(), fs::copy_options::overwrite_existing, error))
    temporary.fail_to_write(error.message(), "space and permission to write");
  temporary.reserve(n_bytes(solution));

  // FCLib opens the file a second time. While it is open here, what the old solution leaves is
  // used for the new one: the file does not grow.
  hdf5::Handle file = hdf5::open_file(temporary.name(), H5F_ACC_RDWR);
  if (hdf5::Group(file, path).has("solution") && H5Ldelete(file, "solution", H5P_DEFAULT) < 0)
    temporary.fail_to_write("a solution that cannot be removed", "a file to write");
  write(temporary, solution);
  if (!file.close())
    temporary.fail_to_write("a file that cannot be completed", "space to write");
  temporary.take_place();
}

} // namespace percussion
