#include <percussion/base/file.h>
#include <percussion/base/format.h>
#include <percussion/fclib/problem_file.h>

#include "matrices.h"
#include "rolling.h"
#include "words.h"
#include <filesystem>
#include <fstream>

namespace percussion {
namespace {

void same_size(Words &words, const std::string &name, std::size_t size) {
  words.integer(name, static_cast<long>(size), static_cast<long>(size));
}

/// Reads a matrix column by column; each column has its own line, like a row.
void read_dense(Words &words, const std::string &name, Entries &matrix) {
  same_size(words, "the rows of " + name + " again", matrix.n_rows);
  same_size(words, "the columns of " + name + " again", matrix.n_columns);
  for (std::size_t column = 0; column < matrix.n_columns; ++column)
    for (std::size_t row = 0; row < matrix.n_rows; ++row)
      matrix.add(row, column, words.real("an entry of " + name));
}

/// Reads the first row or column of each block, and the end of the last block.
std::vector<std::size_t> read_ends(Words &words, const std::string &name, std::size_t n_blocks,
                                   std::size_t end) {
  std::vector<std::size_t> ends{0};
  for (std::size_t k = 0; k < n_blocks; ++k) {
    const std::size_t minimum = k + 1 == n_blocks ? end : ends.back();
    ends.push_back(static_cast<std::size_t>(
        words.integer(name, static_cast<long>(minimum), static_cast<long>(end))));
  }
  return ends;
}

/// Reads blocks, whose entries are stored column by column.
void read_blocks(Words &words, const std::string &name, Entries &matrix) {
  const std::size_t n_blocks = words.size("the number of blocks of " + name);
  if (n_blocks == 0)
    return;
  const std::size_t n_block_rows = words.size("the number of block rows of " + name);
  const std::size_t n_block_columns = words.size("the number of block columns of " + name);
  const auto row = read_ends(words, "the end of a block row", n_block_rows, matrix.n_rows);
  const auto column =
      read_ends(words, "the end of a block column", n_block_columns, matrix.n_columns);
  const long n_pointers =
      words.integer("the number of pointers", 1, static_cast<long>(n_block_rows) + 1);
  same_size(words, "the number of blocks again", n_blocks);
  const auto start = read_ends(words, "a pointer", static_cast<std::size_t>(n_pointers), n_blocks);
  std::vector<std::size_t> block_column;
  for (std::size_t b = 0; b < n_blocks; ++b)
    block_column.push_back(words.index("a block column", n_block_columns));
  for (std::size_t i = 0; i + 2 < start.size(); ++i) // start[0] and the first pointer are both 0
    for (std::size_t b = start[i + 1]; b < start[i + 2]; ++b) {
      same_size(words, "the number of the block", b);
      const std::size_t J = block_column[b];
      for (std::size_t k = column[J]; k < column[J + 1]; ++k)
        for (std::size_t l = row[i]; l < row[i + 1]; ++l)
          matrix.add(l, k, words.real("an entry of " + name));
    }
}

void read_triplets(Words &words, std::size_t n, bool half, Entries &matrix) {
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t row = words.index("a row", matrix.n_rows);
    const std::size_t column = words.index("a column", matrix.n_columns);
    words.expect(":");
    const double value = words.real("an entry");
    matrix.add(row, column, value);
    if (half && row != column)
      matrix.add(column, row, value);
  }
}

/// Reads "col 3 : locations 7 to 9", and three lines "4 : 856.713", for each column, or row.
void read_compressed(Words &words, const char *line_name, std::size_t n_lines, std::size_t n_across,
                     std::size_t n, Entries &matrix) {
  std::size_t line = 0;
  for (; words.peek() == line_name; ++line) {
    words.expect(line_name);
    words.integer("the " + std::string(line_name) + "'s number", static_cast<long>(line),
                  line < n_lines ? static_cast<long>(line) : -1);
    words.expect(":");
    words.expect("locations");
    same_size(words, "the location of the first entry", matrix.value.size());
    words.expect("to");
    const long first = static_cast<long>(matrix.value.size());
    const long last =
        words.integer("the location of the last entry", first - 1, static_cast<long>(n) - 1);
    for (long k = first; k <= last; ++k) {
      const std::size_t minor_index = words.index("an index", n_across);
      words.expect(":");
      const double value = words.real("an entry");
      line_name[0] == 'r' ? matrix.add(line, minor_index, value)
                          : matrix.add(minor_index, line, value);
    }
  }
  if (matrix.value.size() != n)
    words.fail(format("nnz = %zu", matrix.value.size()), format("nnz = %zu", n));
}

/// Reads the output of cs_print() of CSparse.
void read_sparse(Words &words, const std::string &name, Entries &matrix) {
  const long origin = words.integer("the storage of " + name, 1, 4);
  words.skip_line();
  words.skip_line(); // version and copyright of CSparse
  const std::string_view form = words.peek();
  if (form == "triplet:" || form == "csr:")
    words.expect(std::string(form));
  words.expect(format("%zu-by-%zu,", matrix.n_rows, matrix.n_columns));
  words.expect("nzmax:");
  words.next("nzmax");
  words.expect("nnz:");
  const std::size_t n = words.size("nnz");
  words.skip_line(); // a norm
  if (form == "triplet:")
    read_triplets(words, n, origin == 4, matrix);
  else if (form == "csr:")
    read_compressed(words, "row", matrix.n_rows, matrix.n_columns, n, matrix);
  else
    read_compressed(words, "col", matrix.n_columns, matrix.n_rows, n, matrix);
}

Entries read_matrix(Words &words, const std::string &name) {
  Entries matrix;
  const long storage = words.integer("how " + name + " is stored (dense, blocks, sparse)", 0, 2);
  matrix.n_rows = words.size("the number of rows of " + name);
  matrix.n_columns = words.size("the number of columns of " + name);
  const auto read = storage == 0 ? read_dense : storage == 1 ? read_blocks : read_sparse;
  read(words, name, matrix);
  return matrix;
}

std::vector<double> read_vector(Words &words, const std::string &name, std::size_t n) {
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k)
    values.push_back(words.real("an entry of " + name));
  return values;
}

void require_size(const Words &words, const std::string &name, const Entries &matrix,
                  std::size_t n_rows, std::size_t n_columns) {
  if (matrix.n_rows != n_rows || matrix.n_columns != n_columns)
    words.fail(name + format(" of %zu x %zu entries", matrix.n_rows, matrix.n_columns),
               format("%zu x %zu", n_rows, n_columns));
}

template <typename Problem>
Problem &start(FclibFile &file, long dimension, std::size_t n_contacts) {
  Problem &problem = file.problem.emplace<Problem>();
  problem.dimension = static_cast<unsigned int>(dimension);
  problem.n_contacts = n_contacts;
  return problem;
}

void write_numbers(const std::vector<double> &values, std::string &text) {
  for (const double value : values)
    text += format("%.17g ", value);
  text += '\n';
}

/// Returns the lines with the storage and the sizes of a matrix.
std::string sizes(int storage, std::size_t n_rows, std::size_t n_columns) {
  return format("%d\n%zu\n%zu\n", storage, n_rows, n_columns);
}

void write_dense(const FrictionContactProblem &problem, std::string &text) {
  const std::size_t n = problem.dimension * problem.n_contacts;
  text += sizes(0, n, n) + format("%zu\t%zu\n", n, n);
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t row = 0; row < n; ++row)
      text += format("%.17g ", problem.W[row * n + column]);
    text += '\n';
  }
}

void write_blocks(const FrictionContactProblem &problem, std::string &text) {
  const std::size_t d = problem.dimension, n_contacts = problem.n_contacts;
  const BlockSparseMatrix &W = problem.blocks;
  text += sizes(1, d * n_contacts, d * n_contacts);
  text += format("%zu\n%zu\n%zu\n", W.column.size(), n_contacts, n_contacts);
  for (int rows_and_columns = 0; rows_and_columns < 2; ++rows_and_columns) {
    for (std::size_t i = 1; i <= n_contacts; ++i)
      text += format("%zu\t", d * i);
    text += '\n';
  }
  text += format("%zu\n%zu\n", W.row_start.size(), W.column.size());
  for (const auto *indices : {&W.row_start, &W.column}) {
    for (const std::size_t index : *indices)
      text += format("%zu\t", index);
    text += '\n';
  }
  for (std::size_t b = 0; b < W.column.size(); ++b) {
    text += format("%zu\n", b);
    for (std::size_t column = 0; column < d; ++column)
      for (std::size_t row = 0; row < d; ++row)
        text += format("%.17g\n", W.value[(b * d + row) * d + column]);
  }
}

void write_triplets(const CompressedRows &matrix, std::string &text) {
  text += sizes(2, matrix.n_rows, matrix.n_columns) + "1\nCSparse Version 3, by Percussion\n";
  text += format("triplet: %zu-by-%zu, nzmax: %zu nnz: %zu\n", matrix.n_rows, matrix.n_columns,
                 matrix.value.size(), matrix.value.size());
  for (std::size_t row = 0; row < matrix.n_rows; ++row)
    for (std::size_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k)
      text += format("    %zu %zu : %.17g\n", row, matrix.column[k], matrix.value[k]);
}

void write_operators(const FrictionContactProblem &problem, std::string &text) {
  delassus(problem); // throws if the sizes do not fit
  problem.blocks.value.empty() ? write_dense(problem, text) : write_blocks(problem, text);
  write_numbers(problem.q, text);
}

void write_operators(const GlobalFrictionContactProblem &problem, std::string &text) {
  write_triplets(problem.M, text);
  write_triplets(problem.H, text);
  write_numbers(problem.q, text);
  write_numbers(problem.b, text);
}

bool is_hdf5(const std::string &path) {
  std::string first(4, '\0');
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) &&
         std::ifstream(path, std::ios::binary).read(first.data(), 4) && first == "\x89HDF";
}

bool is_text(const std::string &path) { return std::filesystem::path(path).extension() == ".dat"; }

} // namespace

/// Reads the coefficients of a problem with rolling friction, and makes the problem.
void finish_rolling(Words &words, std::size_t n_contacts, StoredRolling stored, FclibFile &file) {
  stored.mu = read_vector(words, "mu", n_contacts);
  stored.mu_r = read_vector(words, "mu_r", n_contacts);
  file.problem = friction_problem(std::move(stored), file.rolling.emplace());
}

FclibFile read_siconos(const std::string &path) {
  Words words(path);
  FclibFile file;
  const long d = words.integer("the dimension", 2, 5);
  if (d == 4)
    words.fail("dimension 4", "dimension 2 or 3, or 5 with rolling friction");
  const bool rolls = d == 5;
  const std::size_t n_contacts = words.size("the number of contacts");
  const std::size_t n = static_cast<std::size_t>(d) * n_contacts;
  const Entries first = read_matrix(words, "the first matrix");
  require_size(words, "a matrix", first, first.n_rows, first.n_rows);
  // Older versions of Siconos write a flag at the end. A second matrix has more words.
  const bool is_local = first.n_rows == n && words.n_left() <= n + (rolls ? 2 : 1) * n_contacts + 1;
  if (rolls) {
    StoredRolling stored;
    stored.matrix = first;
    if (!is_local) {
      stored.H = read_matrix(words, "H");
      require_size(words, "H", stored.H, first.n_rows, n);
    }
    stored.vector = read_vector(words, "q", first.n_rows);
    if (!is_local)
      stored.w = read_vector(words, "b", n);
    finish_rolling(words, n_contacts, std::move(stored), file);
  } else if (is_local) {
    auto &problem = start<FrictionContactProblem>(file, d, n_contacts);
    problem.q = read_vector(words, "q", n);
    problem.mu = read_vector(words, "mu", n_contacts);
    set_delassus(compressed_rows(first), problem);
  } else {
    auto &problem = start<GlobalFrictionContactProblem>(file, d, n_contacts);
    const Entries H = read_matrix(words, "H");
    require_size(words, "H", H, first.n_rows, n);
    problem.q = read_vector(words, "q", first.n_rows);
    problem.b = read_vector(words, "b", n);
    problem.mu = read_vector(words, "mu", n_contacts);
    problem.M = compressed_rows(first);
    problem.H = compressed_rows(H);
  }
  if (!words.peek().empty())
    words.integer("the end of the file or a flag", 0, 1);
  if (const std::size_t n_left = words.n_left(); n_left > 0)
    words.fail(std::to_string(n_left) + " more words", "the end of the file");
  return file;
}

void write_siconos(const std::string &path, const FclibFile &content) {
  std::string text;
  std::visit(
      [&text](const auto &problem) {
        text += format("%u\n%zu\n", problem.dimension, problem.n_contacts);
        write_operators(problem, text);
        write_numbers(problem.mu, text);
      },
      content.problem);
  write_file(path, text);
}

FclibFile read_problem_file(const std::string &path) {
  return is_text(path) && !is_hdf5(path) ? read_siconos(path) : read_fclib(path);
}

void write_problem_file(const std::string &path, const FclibFile &content) {
  is_text(path) ? write_siconos(path, content) : write_fclib(path, content);
}

} // namespace percussion
