#pragma once

#include <percussion/base/checksum.h>

#include <vtkUnstructuredGrid.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace percussion {

class VtuSeries;

/// Checksums of the files of an instant that a process has written; a file that it has not written
/// has an empty name.
struct WrittenFiles {
  FileSum piece, contacts;
};

/// Pieces of a divided solution: `solution-000012_1.vtu` of rank 1, and so on. The first process
/// lists an instant when all of its pieces are complete, with the index `solution-000012.pvtu`.
class PieceSeries {
public:
  /// Continues after this number of instants, whose files exist. `writers`: the processes that
  /// write pieces.
  PieceSeries(const std::string &directory, const char *name,
              const std::vector<unsigned int> &writers, std::size_t n_instants);

  /// Begins an instant, with a grid that has the arrays of all pieces. Returns the file of the
  /// piece of this process.
  std::string begin(double time, vtkUnstructuredGrid *grid);

  /// Notes the files of the last instant that this process has written.
  void note(const WrittenFiles &files) { instants.back().files = files; }

  /// True if an instant is not known to be complete; equal on all processes.
  bool has_incomplete() const { return !instants.empty(); }

  /// Learns which instants are complete on all processes. Collective.
  void collect();

  /// Lists the complete instants; on the first process only. Throws WriteError; a later call lists
  /// the remaining ones.
  void list(VtuSeries &solution, VtuSeries &contacts);

private:
  struct Instant {
    unsigned int number;
    double time;
    std::string index;                   ///< content of the index; empty on other processes
    std::optional<WrittenFiles> files{}; ///< files of this process, once they are written
    std::vector<FileSum> pieces{};       ///< checksums of all pieces of a complete instant
  };
  std::string piece_name(unsigned int number, unsigned int process) const;

  std::string directory;
  const char *name;
  std::vector<unsigned int> writers;
  unsigned int n_begun_instants;
  std::deque<Instant> instants; ///< instants that are not known to be complete
  std::deque<Instant> unlisted; ///< complete instants, on the first process
};

} // namespace percussion
