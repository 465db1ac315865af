#pragma once

#include <percussion/algebra/block_diagonal.h>
#include <percussion/algebra/response.h>
#include <percussion/algebra/system_pattern.h>

#include <algorithm>
#include <memory>

namespace percussion {

/// Response of rigid bodies by the inverse of their blocks.
class BlockResponse final : public Response {
public:
  /// Stores a reference to the blocks, which must outlive this object. Their degrees of freedom
  /// begin at `first`; those in use before it have no response.
  BlockResponse(const BlockDiagonal &b, unsigned int first_dof, std::vector<unsigned int> dofs)
      : blocks(b), first(first_dof), used_dofs(std::move(dofs)) {}

  void start(const Vector &b, Vector &x) override {
    blocks.solve(b.data() + first, x.data() + first);
    solution.assign(x.data() + first, x.data() + first + blocks.size());
  }

  void add_force(const std::vector<double> &force) override {
    for (unsigned int k = 0; k < used_dofs.size(); ++k)
      if (holds(k))
        blocks.add_force(used_dofs[k] - first, force[k], solution.data());
  }

  void finish(Vector &x) override { std::copy(solution.begin(), solution.end(), x.data() + first); }

  double compliance(unsigned int i, unsigned int j) override {
    return holds(i) && holds(j) ? blocks.inverse(used_dofs[i] - first, used_dofs[j] - first) : 0.;
  }

  /// True if the i-th degree of freedom in use is in a block.
  bool holds(unsigned int i) const { return used_dofs[i] >= first; }

private:
  const BlockDiagonal &blocks;
  const unsigned int first;
  const std::vector<unsigned int> used_dofs;
  std::vector<double> solution;
};

/// Response of elastic and rigid bodies, which the matrix does not couple.
class JoinedResponse final : public Response {
public:
  JoinedResponse(std::unique_ptr<Response> elastic_response, BlockResponse rigid_response)
      : elastic(std::move(elastic_response)), rigid(std::move(rigid_response)) {}

  void start(const Vector &b, Vector &x) override {
    rigid.start(b, x);
    elastic->start(b, x);
  }

  void add_force(const std::vector<double> &force) override {
    rigid.add_force(force);
    elastic->add_force(force);
  }

  void finish(Vector &x) override {
    elastic->finish(x);
    rigid.finish(x);
  }

  double compliance(unsigned int i, unsigned int j) override {
    return rigid.holds(i) || rigid.holds(j) ? rigid.compliance(i, j) : elastic->compliance(i, j);
  }

  std::optional<CompliancesTable> compliances() override { return elastic->compliances(); }

private:
  std::unique_ptr<Response> elastic;
  BlockResponse rigid;
};

} // namespace percussion
