#include <percussion/base/file.h>
#include <percussion/base/instantiate.h>
#include <percussion/output/checkpoint.h>
#include <percussion/version.h>

#include <algorithm>
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/array.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <streambuf>

namespace boost::serialization {

template <class Archive>
void serialize(Archive &archive, std::optional<unsigned int> &index, unsigned int) {
  bool is_present = index.has_value();
  unsigned int value = index.value_or(0);
  archive &is_present &value;
  index = is_present ? std::optional(value) : std::nullopt;
}

} // namespace boost::serialization

namespace percussion {

// ---- stored members of each structure ----

template <class Archive>
void serialize(Archive &archive, MomentumMemory &m, unsigned int) {
  archive &m.length &m.factor_is_stale &m.interface &m.values &m.lost_corrections &m
      .configuration_of_rows &m.n_corrections &m.has_definite_factor &m.has_supported_factor;
}

template <class Archive>
void serialize(Archive &archive, ConeMemory &m, unsigned int) {
  archive &m.keeps_epsilon &m.epsilon;
}

template <class Archive>
void serialize(Archive &archive, ContactRows &H, unsigned int) {
  archive &H.start &H.column &H.value &H.entries;
}

template <class Archive>
void serialize(Archive &archive, ReactionMemory &m, unsigned int) {
  archive &m.keeps_delassus &m.H &m.mu &m.compliance.diagonal &m.compliance.full &m.cone;
}

template <class Archive>
void serialize(Archive &archive, Substeps::Memory &m, unsigned int) {
  archive &m.width &m.n_good;
}

template <class Archive>
void serialize(Archive &archive, StepMemory &m, unsigned int) {
  archive &m.momentum &m.reaction &m.substeps &m.largest_energy;
}

template <class Archive>
void serialize(Archive &archive, Works &w, unsigned int) {
  for (const WorkEntry &entry : work_entries)
    archive &w.*entry.work;
}

template <class Archive>
void serialize(Archive &archive, ContactDefects &d, unsigned int) {
  archive &d.largest;
}

template <class Archive>
void serialize(Archive &archive, ContactUse &u, unsigned int) {
  archive &u.steps &u.normal_max &u.time &u.steps_at_one_point;
}

template <class Archive>
void serialize(Archive &archive, RunStatistics &s, unsigned int) {
  archive &s.energy_max &s.balance_residual_max &s.normal_work_max &s.tangential_work_max;
  archive &s.penetration_max &s.solver_residual_max &s.momentum_residual_max &s.solver_iterations;
  archive &s.contacts_max &s.cuts &s.percussion_normal &s.defects &s.contacts;
  archive &s.steps_of_bodies;
}

template <class Archive>
void serialize(Archive &archive, RowExtremes &e, unsigned int) {
  for (double &value : e.values)
    archive &value;
  archive &e.defects;
}

template <class Archive, int dim>
void serialize(Archive &archive, State<dim> &s, unsigned int) {
  archive &s.step &s.time &s.previous_h &s.kinetic &s.strain &s.contact_potential;
  archive &s.history.memories &s.history.slips &s.history.bonds &s.history.states &s.entries &s
      .surface_motion &s.link_turns &s.bound_memory;
  archive &s.material_history;
  for (auto &moments : s.history.moments)
    archive &moments;
  for (Vector *const vector : {&s.q, &s.v, &s.rounding, &s.Mv, &s.Kq, &s.a}) {
    std::vector<double> values(vector->begin(), vector->end());
    archive &values;
    if constexpr (Archive::is_loading::value)
      *vector = Vector(values.begin(), values.end());
  }
}

template <class Archive>
void serialize(Archive &archive, ProbeMemory &m, unsigned int) {
  archive &m.row_time &m.time &m.numbers;
}

template <class Archive>
void serialize(Archive &archive, StopMemory &m, unsigned int) {
  archive &m.largest_kinetic &m.quiet_since &m.first_active &m.last_active;
  archive &m.is_quiet &m.was_active;
}

template <class Archive>
void serialize(Archive &archive, LastWritten &l, unsigned int) {
  archive &l.row &l.probe_row &l.instant;
}

template <class Archive, int dim>
void serialize(Archive &archive, NodePercussion<dim> &n, unsigned int) {
  archive &n.entry &n.percussion &n.normal &n.status;
}

template <class Archive, int dim>
void serialize(Archive &archive, ContactSite<dim> &s, unsigned int) {
  archive &s.key &s.point &s.opposite_body &s.normal &s.area &s.material_point;
}

template <class Archive, int dim>
void serialize(Archive &archive, ContactAccount<dim> &a, unsigned int) {
  archive &a.site();
  for (const AccountEntry &entry : account_entries)
    archive &a.*entry.number;
}

template <class Archive, int dim>
void serialize(Archive &archive, ContactSums<dim> &s, unsigned int) {
  std::size_t n = s.contacts.size();
  archive &n &s.node_percussions;
  s.contacts.resize(n);
  for (auto &c : s.contacts)
    archive &c.site() & c.percussion &c.status;
}

template <class Archive>
void serialize(Archive &archive, FileSum &s, unsigned int) {
  archive &s.name &s.bytes &s.checksum;
}

template <class Archive, int dim>
void serialize(Archive &archive, Checkpoint<dim> &c, unsigned int) {
  State<dim> &state = c.running ? const_cast<State<dim> &>(*c.running) : c.state;
  archive &c.name &c.parameters &c.mesh &state &c.memory;
  RunTotals &t = c.totals;
  ResultsMemory<dim> &r = c.results_memory;
  archive &t.initial_energy &t.works &t.warnings &t.statistics &r.extremes;
  archive &c.times.seconds &c.wall_time &r.sums &r.accounts &c.probes &c.signals &r.stop &r.last;
  archive &c.instants &c.energy_bytes &c.rigid_bytes &c.elastic_bytes &c.probe_bytes;
  archive &c.contact_problems;
  archive &c.results &c.results_at_end;
}

template <int dim>
std::string to_bytes(const Checkpoint<dim> &checkpoint) {
  std::ostringstream stream;
  boost::archive::binary_oarchive(stream, boost::archive::no_header) << checkpoint;
  return stream.str();
}

template <int dim>
Checkpoint<dim> from_bytes(const std::string &bytes) {
  std::istringstream stream(bytes);
  boost::archive::binary_iarchive archive(stream, boost::archive::no_header);
  Checkpoint<dim> checkpoint;
  archive >> checkpoint;
  return checkpoint;
}

namespace {

// ---- the file: a line of text, the checksum of the rest, and the archive ----

const std::string first_words = "Percussion checkpoint, version ",
                  magic = first_words + PERCUSSION_VERSION ", format 18\n";

std::string encode(std::uint64_t number) {
  return {reinterpret_cast<const char *>(&number), sizeof number};
}

/// Reads a checkpoint. Throws RunError with the defect of the file.
template <int dim>
Checkpoint<dim> read_checkpoint(const std::string &file) {
  const std::optional<std::string> text = read_file(file);
  if (!text)
    throw RunError(file + ": cannot be read (" + std::strerror(errno) + ")");
  if (text->compare(0, first_words.size(), first_words) != 0)
    throw RunError(file + ": this is no checkpoint of Percussion");
  const std::string line = text->substr(0, text->find('\n') + 1);
  if (!line.empty() && line != magic)
    throw RunError(
        file + ": this checkpoint is of another version of Percussion (" +
        printable(line.substr(first_words.size(),
                              std::min<std::size_t>(40, line.size() - first_words.size() - 1))) +
        "): resume with that version, or run the case again without --resume");
  const std::size_t begin = magic.size() + sizeof(std::uint64_t);
  const std::string content = text->size() > begin ? text->substr(begin) : "";
  if (text->substr(0, begin) != magic + encode(crc64(content)))
    throw RunError(file + ": this checkpoint is damaged or truncated (" +
                   std::to_string(text->size()) + " bytes, checksum does not fit)");
  return from_bytes<dim>(content);
}

/// Passes bytes to a stream, whose state tells if it has failed, and computes their checksum.
class ChecksumBuffer : public std::streambuf {
public:
  explicit ChecksumBuffer(std::ostream &stream) : target(stream) {}
  std::uint64_t sum() const { return checksum_so_far; }

protected:
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    xsputn(&byte, 1);
    return c;
  }
  std::streamsize xsputn(const char *bytes, std::streamsize n) override {
    checksum_so_far = crc64({bytes, static_cast<std::size_t>(n)}, checksum_so_far);
    target.write(bytes, n);
    return n;
  }

private:
  std::ostream &target;
  std::uint64_t checksum_so_far = 0;
};

constexpr unsigned int n_files = 2;

} // namespace

std::string CheckpointFiles::name(unsigned int index) const {
  return folder + "/checkpoint-" + std::to_string(index + 1) + ".bin";
}

template <int dim>
void CheckpointFiles::write(const Checkpoint<dim> &checkpoint) {
  write_file(name(next), [&](std::ostream &stream) {
    stream << magic << encode(0);
    ChecksumBuffer buffer(stream);
    boost::archive::binary_oarchive(buffer, boost::archive::no_header) << checkpoint;
    stream.seekp(static_cast<std::streamoff>(magic.size()));
    stream << encode(buffer.sum());
  });
  next = 1 - next;
}

template <int dim>
std::optional<Checkpoint<dim>>
CheckpointFiles::read(std::vector<std::string> &remarks,
                      const std::function<void(const Checkpoint<dim> &)> &check) const {
  std::optional<Checkpoint<dim>> latest;
  for (unsigned int index = 0; index < n_files; ++index)
    try {
      if (!std::filesystem::exists(name(index)))
        continue;
      auto checkpoint = read_checkpoint<dim>(name(index));
      if (latest && latest->state.step >= checkpoint.state.step)
        continue;
      if (check)
        check(checkpoint);
      latest = std::move(checkpoint);
      latest->file = index;
    } catch (const std::exception &error) { // the other file may be usable
      remarks.emplace_back(error.what());
    }
  if (latest || remarks.empty())
    return latest;
  throw RunError(remarks.front() + (remarks.size() > 1 ? "\n" + remarks.back() : ""));
}

void CheckpointFiles::keep_last() const {
  std::error_code ignored;
  std::filesystem::remove(name(next), ignored);
}

PERCUSSION_INSTANTIATE(to_bytes);
PERCUSSION_INSTANTIATE(from_bytes);
template void CheckpointFiles::write(const Checkpoint<2> &);
template std::optional<Checkpoint<2>>
CheckpointFiles::read(std::vector<std::string> &,
                      const std::function<void(const Checkpoint<2> &)> &) const;
template void CheckpointFiles::write(const Checkpoint<3> &);
template std::optional<Checkpoint<3>>
CheckpointFiles::read(std::vector<std::string> &,
                      const std::function<void(const Checkpoint<3> &)> &) const;

} // namespace percussion
