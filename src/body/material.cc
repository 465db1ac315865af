#include <percussion/body/material.h>
#include <percussion/material/hyperelastic.h>

namespace percussion {

FiniteStrainMaterial::FiniteStrainMaterial(const HyperelasticLaw &law, const FiniteViscosity &v)
    : stored_energy(std::make_shared<const HyperelasticLaw>(law)), viscosity(v) {}

} // namespace percussion
