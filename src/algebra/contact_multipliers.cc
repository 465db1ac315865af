#include <percussion/algebra/contact_multipliers.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace percussion {
namespace {

constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
/// Number of contacts with multipliers on one unknown above which the preconditioner neglects that
/// it couples them: many contacts share a rigid body, and would fill the matrix.
constexpr std::size_t max_contacts_of_unknown = 100;

template <typename Entries>
void merge(Entries &entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto &a, const auto &b) { return a.first < b.first; });
  std::size_t n = 0;
  for (const auto &entry : entries)
    if (n > 0 && entries[n - 1].first == entry.first)
      for (unsigned int r = 0; r < 3; ++r)
        entries[n - 1].second[r] += entry.second[r];
    else
      entries[n++] = entry;
  entries.resize(n);
}

} // namespace

ContactMultipliers::ContactMultipliers(const ContactVariables &v) : variables(v) {
  const auto own = [&](unsigned int dof) -> auto & {
    if (dof >= owners.size())
      owners.resize(dof + 1, {nobody, 0});
    return owners[dof];
  };
  for (std::size_t i = 0; i < variables.contacts.size(); ++i)
    if (variables.contacts[i].has_multiplier)
      contacts.push_back(i);
  if (contacts.empty())
    return;
  for (std::size_t i = 0; i < variables.contacts.size(); ++i) {
    const ContactVariables::Contact &contact = variables.contacts[i];
    if (!contact.has_multiplier)
      for (unsigned int c = 0; c < contact.n_rows; ++c)
        own(contact.dof[c]) = {i, c};
  }
}

/// Computes B: replaces velocities of the nodes of other contacts by the unknowns of these nodes,
/// and by the unknowns that determine their closed components.
void ContactMultipliers::eliminate(const std::vector<std::array<bool, 3>> &is_fixed) {
  B.assign(contacts.size(), {});
  for (std::size_t s = 0; s < contacts.size(); ++s) {
    const ContactVariables::Contact &contact = variables.contacts[contacts[s]];
    const auto add = [&](unsigned int unknown, const Components &weight, double factor) {
      B[s].push_back({unknown, {weight[0] * factor, weight[1] * factor, weight[2] * factor}});
    };
    for (unsigned int k = contact.coupled_begin; k < contact.coupled_end; ++k) {
      const auto &[dof, weight] = variables.coupled_dofs[k];
      if (dof >= owners.size() || owners[dof].first == nobody) {
        add(dof, weight, 1.);
        continue;
      }
      const auto [i, c] = owners[dof];
      const ContactVariables::Contact &owner = variables.contacts[i];
      for (unsigned int r = 0; r < owner.n_rows; ++r)
        if (!is_fixed[i][r])
          add(owner.dof[r], weight, owner.inverse[c][r]);
        else
          for (unsigned int j = owner.coupled_begin; j < owner.coupled_end; ++j)
            add(variables.coupled_dofs[j].dof, weight,
                -owner.inverse[c][r] * variables.coupled_dofs[j].weight[r]);
    }
    merge(B[s]);
  }
}

void ContactMultipliers::transpose(const std::vector<double> &inverse_diagonal) {
  inverse = inverse_diagonal;
  neglected.assign(inverse.size(), 0.);
  B_T.assign(inverse.size(), {});
  for (unsigned int s = 0; s < B.size(); ++s)
    for (const Entry &entry : B[s])
      B_T[entry.first].push_back({s, entry.second});
  for (std::size_t k = 0; k < B_T.size(); ++k)
    if (B_T[k].size() > max_contacts_of_unknown)
      std::swap(inverse[k], neglected[k]);
}

/// Makes E + F B D⁻¹ Bᵀ, with only the blocks on the diagonal of unknowns that couple too many
/// contacts.
void ContactMultipliers::make_matrix(const std::vector<LawRows> &rows) {
  const unsigned int dim = variables.dim;
  CompressedRows &sparse = matrix.sparse();
  sparse.n_rows = sparse.n_columns = dim * contacts.size();
  sparse.row_start.assign(1, 0);
  sparse.column.clear();
  sparse.value.clear();
  law.clear();
  std::vector<unsigned int> coupled;
  std::vector<LawRows::Square> block(contacts.size()); // row of blocks of B D⁻¹ Bᵀ
  std::vector<bool> is_coupled(contacts.size(), false);
  for (unsigned int s = 0; s < contacts.size(); ++s) {
    law.push_back(rows[contacts[s]]);
    for (unsigned int r = variables.contacts[contacts[s]].n_rows; r < dim; ++r)
      law[s].percussion_block[r][r] = 1.; // no row
    coupled.assign(1, s);
    is_coupled[s] = true;
    for (const auto &[unknown, weight] : B[s]) {
      for (unsigned int r = 0; r < dim; ++r)
        for (unsigned int c = 0; c < dim; ++c)
          block[s][r][c] += weight[r] * neglected[unknown] * weight[c];
      if (inverse[unknown] == 0.)
        continue;
      for (const auto &[t, other_weight] : B_T[unknown]) {
        if (!is_coupled[t])
          coupled.push_back(t);
        is_coupled[t] = true;
        for (unsigned int r = 0; r < dim; ++r)
          for (unsigned int c = 0; c < dim; ++c)
            block[t][r][c] += weight[r] * inverse[unknown] * other_weight[c];
      }
    }
    std::sort(coupled.begin(), coupled.end());
    for (unsigned int r = 0; r < dim; ++r) {
      for (const unsigned int t : coupled)
        for (unsigned int c = 0; c < dim; ++c) {
          double value = t == s ? law[s].percussion_block[r][c] : 0.;
          for (unsigned int k = 0; k < dim; ++k)
            value += law[s].velocity_block[r][k] * block[t][k][c];
          if (value == 0. && (t != s || r != c))
            continue;
          sparse.column.push_back(dim * t + c);
          sparse.value.push_back(value);
        }
      sparse.row_start.push_back(sparse.column.size());
    }
    for (const unsigned int t : coupled) {
      block[t] = {};
      is_coupled[t] = false;
    }
  }
}

bool ContactMultipliers::factorise(const std::vector<double> &inverse_diagonal,
                                   const std::vector<LawRows> &rows,
                                   const std::vector<std::array<bool, 3>> &is_fixed) {
  eliminate(is_fixed);
  transpose(inverse_diagonal);
  make_matrix(rows);
  return matrix.factorise_sparse();
}

void ContactMultipliers::correct(std::vector<double> &y) const {
  const unsigned int dim = variables.dim;
  std::vector<double> lambda(dim * contacts.size());
  for (std::size_t s = 0; s < contacts.size(); ++s) {
    const ContactVariables::Contact &contact = variables.contacts[contacts[s]];
    Components velocity{};
    for (const auto &[unknown, weight] : B[s])
      for (unsigned int r = 0; r < dim && inverse[unknown] != 0.; ++r)
        velocity[r] += weight[r] * y[unknown];
    for (unsigned int r = 0; r < contact.n_rows; ++r) {
      double &row_value = lambda[dim * s + r];
      row_value = y[contact.dof[r]];
      for (unsigned int k = 0; k < dim; ++k)
        row_value -= law[s].velocity_block[r][k] * velocity[k];
    }
  }
  if (!matrix.solve(lambda))
    std::fill(lambda.begin(), lambda.end(), 0.);
  for (std::size_t s = 0; s < contacts.size(); ++s) {
    for (const auto &[unknown, weight] : B[s])
      for (unsigned int r = 0; r < dim; ++r)
        y[unknown] += inverse[unknown] * weight[r] * lambda[dim * s + r];
    const ContactVariables::Contact &contact = variables.contacts[contacts[s]];
    for (unsigned int r = 0; r < contact.n_rows; ++r)
      y[contact.dof[r]] = lambda[dim * s + r];
  }
}

} // namespace percussion
