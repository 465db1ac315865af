#pragma once

#include <percussion/algebra/response.h>
#include <percussion/algebra/ties.h>

#include <memory>

namespace percussion {

/// Response of bodies that ties couple, by their response without ties. The last degrees of freedom
/// in use are those of the ties.
class TiedResponse final : public Response {
public:
  /// Stores references to the ties and to the number of factorisations of Â, which must outlive
  /// this object.
  TiedResponse(std::unique_ptr<Response> untied, Ties &ties, const unsigned long &n_factors,
               std::vector<unsigned int> in_use, std::size_t n_tied);

  void start(const Vector &b, Vector &x) override;
  void add_force(const std::vector<double> &force) override;
  void finish(Vector &x) override { untied->finish(x); }
  double compliance(unsigned int i, unsigned int j) override;

private:
  void prepare();
  void add_force_of_ties();

  std::unique_ptr<Response> untied;
  Ties &ties;
  const unsigned long &n_factors;
  const std::vector<unsigned int> in_use;
  const std::size_t n_untied; ///< number of degrees of freedom in use before those of the ties
};

} // namespace percussion
