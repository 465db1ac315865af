#include <percussion/algebra/partition.h>
#include <percussion/base/processes.h>

#include <algorithm>
#include <numeric>

namespace percussion {

Partition::Partition(unsigned int n, unsigned int node_size)
    : Partition(n, node_size, processes::rank(), processes::number()) {}

Partition Partition::undivided(unsigned int n, unsigned int node_size) {
  return {n, node_size, 0, 1};
}

Partition::Partition(unsigned int n, unsigned int node_size, unsigned int process,
                     unsigned int n_processes)
    : rank(process), n_ranks(n_processes) {
  const std::size_t n_nodes = n / node_size;
  for (std::size_t k = 0; k <= n_chunks; ++k)
    chunk_begin.push_back(node_size * static_cast<unsigned int>(n_nodes * k / n_chunks));
}

dealii::IndexSet Partition::owned() const {
  dealii::IndexSet range(size());
  range.add_range(begin(), end());
  return range;
}

bool Partition::has_empty_range() const {
  for (unsigned int process = 0; process < n_ranks; ++process)
    if (first_of(process) == first_of(process + 1))
      return true;
  return false;
}

unsigned int Partition::owner(unsigned int dof) const {
  unsigned int process = 0;
  while (first_of(process + 1) <= dof)
    ++process;
  return process;
}

MPI_Comm Partition::communicator() const {
  return is_shared() ? processes::communicator() : MPI_COMM_SELF;
}

double Partition::largest(double value) const {
  if (is_shared())
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, communicator());
  return value;
}

void Partition::add_up(double *numbers, std::size_t n) const {
  if (is_shared())
    MPI_Allreduce(MPI_IN_PLACE, numbers, static_cast<int>(n), MPI_DOUBLE, MPI_SUM, communicator());
}

double Partition::sum_of_chunks() const {
  if (is_shared()) {
    std::vector<int> counts, offsets;
    for (unsigned int process = 0; process < n_ranks; ++process) {
      offsets.push_back(static_cast<int>(first_chunk(process)));
      counts.push_back(static_cast<int>(first_chunk(process + 1) - first_chunk(process)));
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, chunk_sums.data(), counts.data(),
                   offsets.data(), MPI_DOUBLE, communicator());
  }
  return std::accumulate(chunk_sums.begin(), chunk_sums.end(), 0.);
}

void Partition::gather(double *x, unsigned int n_values) const {
  if (!is_shared())
    return;
  std::vector<int> counts, offsets;
  for (unsigned int process = 0; process < n_ranks; ++process) {
    offsets.push_back(static_cast<int>(n_values * first_of(process)));
    counts.push_back(static_cast<int>(n_values * (first_of(process + 1) - first_of(process))));
  }
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, counts.data(), offsets.data(), MPI_DOUBLE,
                 communicator());
}

SharedItems::SharedItems(const Partition &partition,
                         const std::vector<std::vector<unsigned int>> &items_of_process)
    : communicator(partition.communicator()), rank(partition.process()) {
  for (const std::vector<unsigned int> &process_items : items_of_process) {
    items.insert(items.end(), process_items.begin(), process_items.end());
    start.push_back(items.size());
  }
}

void SharedItems::gather(double *values, unsigned int n_values) const {
  const std::size_t n_processes = start.size() - 1;
  if (n_processes < 2)
    return;
  std::vector<double> packed(items.size() * n_values);
  std::vector<int> counts, offsets;
  for (std::size_t process = 0; process < n_processes; ++process) {
    offsets.push_back(static_cast<int>(n_values * start[process]));
    counts.push_back(static_cast<int>(n_values * (start[process + 1] - start[process])));
  }
  for (std::size_t k = start[rank]; k < start[rank + 1]; ++k)
    std::copy_n(values + std::size_t(items[k]) * n_values, n_values, &packed[k * n_values]);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, packed.data(), counts.data(), offsets.data(),
                 MPI_DOUBLE, communicator);
  for (std::size_t k = 0; k < items.size(); ++k)
    if (k < start[rank] || k >= start[rank + 1])
      std::copy_n(&packed[k * n_values], n_values, values + std::size_t(items[k]) * n_values);
}

Exchange::Exchange(const Partition &partition, std::vector<unsigned int> needed)
    : communicator(partition.communicator()) {
  if (!partition.is_shared())
    return;
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  const unsigned int n = partition.n_processes();
  std::vector<int> n_needed(n, 0), n_wanted(n);
  std::vector<std::vector<unsigned int>> process_items(n);
  for (const unsigned int dof : needed)
    if (dof < partition.begin() || dof >= partition.end())
      process_items[partition.owner(dof)].push_back(dof);
  for (unsigned int process = 0; process < n; ++process)
    n_needed[process] = static_cast<int>(process_items[process].size());
  MPI_Alltoall(n_needed.data(), 1, MPI_INT, n_wanted.data(), 1, MPI_INT, communicator);
  std::vector<MPI_Request> requests;
  for (unsigned int process = 0; process < n; ++process) {
    if (n_wanted[process] > 0)
      sent.push_back({static_cast<int>(process),
                      std::vector<unsigned int>(static_cast<std::size_t>(n_wanted[process]))});
    if (n_needed[process] > 0)
      received.push_back({static_cast<int>(process), std::move(process_items[process])});
  }
  constexpr int tag = 1;
  for (Message &message : sent)
    MPI_Irecv(message.dofs.data(), static_cast<int>(message.dofs.size()), MPI_UNSIGNED,
              message.process, tag, communicator, &requests.emplace_back());
  for (const Message &message : received)
    MPI_Isend(message.dofs.data(), static_cast<int>(message.dofs.size()), MPI_UNSIGNED,
              message.process, tag, communicator, &requests.emplace_back());
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

template <typename Number>
void Exchange::receive(Number *x, MPI_Datatype type) const {
  const auto n_entries = [](const std::vector<Message> &messages) {
    return std::accumulate(messages.begin(), messages.end(), std::size_t{0},
                           [](std::size_t sum, const Message &m) { return sum + m.dofs.size(); });
  };
  std::vector<Number> send_buffer(n_entries(sent)), receive_buffer(n_entries(received));
  constexpr int tag = 2;
  std::vector<MPI_Request> requests;
  Number *place = receive_buffer.data();
  for (const Message &message : received) {
    const int n = static_cast<int>(message.dofs.size());
    MPI_Irecv(place, n, type, message.process, tag, communicator, &requests.emplace_back());
    place += n;
  }
  place = send_buffer.data();
  for (const Message &message : sent) {
    const int n = static_cast<int>(message.dofs.size());
    Number *const begin = place;
    for (const unsigned int dof : message.dofs)
      *place++ = x[dof];
    MPI_Isend(begin, n, type, message.process, tag, communicator, &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  const Number *value = receive_buffer.data();
  for (const Message &message : received)
    for (const unsigned int dof : message.dofs)
      x[dof] = *value++;
}

template void Exchange::receive(double *, MPI_Datatype) const;
template void Exchange::receive(float *, MPI_Datatype) const;

} // namespace percussion
