"""Strain energies of materials, from the displacements of an instant."""

import dataclasses
import typing

import numpy as np

from percussion import momenta

from .cells import strain_points
from .evidence import NotApplicable, number_or_nan


@dataclasses.dataclass
class StrainEnergy:
    """Energy of a law per undeformed volume, as functions of the displacement gradient (cells, dim,
    dim): one of all strains, and one of the volume change only, which mean dilatation replaces by its
    mean over `cells_per_mean` cells; None: over none."""

    local: typing.Callable
    volume_change: typing.Callable
    of_volume: typing.Callable
    cells_per_mean: typing.Optional[int] = None

    def of_cells(self, kind, x, u):
        """Returns the energy of undeformed cells."""
        total, volume, mean = 0.0, 0.0, 0.0
        for point_volume, shapes in strain_points(kind, x):
            gradient = np.swapaxes(shapes @ u, 1, 2)
            change = self.volume_change(gradient)
            total += (point_volume * self.local(gradient)).sum()
            volume, mean = volume + point_volume, mean + point_volume * change
            if not self.cells_per_mean:
                total += (point_volume * self.of_volume(change)).sum()
        if self.cells_per_mean:
            volume, mean = (np.add.reduceat(values, range(0, len(values), self.cells_per_mean))
                            for values in (volume, mean))
            total += (volume * self.of_volume(mean / volume)).sum()
        return total


def _deformation(gradient):
    """Returns F in 3D, with the displacement gradient of plane strain or 3D."""
    f = np.zeros((len(gradient), 3, 3)) + np.eye(3)
    f[:, :gradient.shape[1], :gradient.shape[2]] += gradient
    return f


def _hyperelastic(law, entry):
    """Returns the energy of a law of large strain, whose volume change is J − 1."""
    young, poisson = entry("Young modulus"), entry("Poisson ratio")
    lame, shear = young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))
    c1, c2, d = entry("C1"), entry("C2"), entry("D")

    def local(gradient):
        f = _deformation(gradient)
        c = np.einsum("nki,nkj->nij", f, f)
        i1, i3 = np.trace(c, axis1=1, axis2=2), np.linalg.det(f) ** 2
        if law == "neo-hooke":
            return shear / 2 * (i1 - 3 - np.log(i3))
        if law == "ogden":
            i2 = (i1 ** 2 - (c ** 2).sum(axis=(1, 2))) / 2
            return c1 * (i1 - 3) + c2 * (i2 - 3) - (c1 + 2 * c2) * np.log(i3)
        strain = (c - np.eye(3)) / 2
        return lame / 2 * np.trace(strain, axis1=1, axis2=2) ** 2 + shear * (strain ** 2).sum(axis=(1, 2))

    def of_volume(change):
        if law == "neo-hooke":
            return lame / 2 * np.log1p(change) ** 2
        if law == "ogden":
            return d * (change * (2 + change) - 2 * np.log1p(change))
        return 0 * change

    return StrainEnergy(local, lambda gradient: np.linalg.det(_deformation(gradient)) - 1, of_volume)


def _linear(young, poisson, is_plane_stress):
    """Returns the energy of linear elasticity, whose volume change is the trace of the strain."""
    shear = young / (2 * (1 + poisson))
    lame = young * poisson / (1 - poisson ** 2) if is_plane_stress \
        else young * poisson / ((1 + poisson) * (1 - 2 * poisson))

    def trace(gradient):
        return np.trace(gradient, axis1=1, axis2=2)

    def local(gradient):
        strain = (gradient + np.swapaxes(gradient, 1, 2)) / 2
        return shear * ((strain ** 2).sum(axis=(1, 2)) - trace(gradient) ** 2 / 3)

    return StrainEnergy(local, trace, lambda change: (lame / 2 + shear / 3) * change ** 2)


# Number of cells that share a volume change, by dimension.
_CELLS_PER_MEAN = {"standard": None, "quadratic": None, "mean dilatation": {2: 1, 3: 1},
                   "quadratic mean dilatation": {2: 1, 3: 1}, "macro-cells": {2: 4, 3: 8}}


def strain_energy(evidence):
    """Returns the strain energy of the material."""
    if any(path.count("/") > 1 and path.startswith("Material/") for path in evidence.parameters):
        raise NotApplicable("materials by region: files do not say which cells have which")
    entry = {name: number_or_nan(evidence.entry(f"Material/{name}", "nan"))
             for name in ("Young modulus", "Poisson ratio", "C1", "C2", "D")}.__getitem__
    if (element := evidence.entry("Material/Element", "standard")) not in _CELLS_PER_MEAN:
        raise NotApplicable(f"the strain energy of the element {element} is not computed here")
    law, plane = evidence.entry("Material/Law"), evidence.entry("Material/Plane")
    if momenta.is_axisymmetric(evidence.parameters):
        raise NotApplicable("the strain energy of axisymmetric bodies is not computed here")
    if law == "linear elastic":
        energy = _linear(entry("Young modulus"), entry("Poisson ratio"),
                         evidence.dim == 2 and plane == "stress")
    elif evidence.dim == 2 and plane != "strain":
        raise NotApplicable("large strain in plane stress")
    elif law in ("neo-hooke", "ogden", "St. Venant-Kirchhoff"):
        energy = _hyperelastic(law, entry)
    else:
        raise NotApplicable(f"the strain energy of the law {law} is not computed here")
    cells_per_mean = _CELLS_PER_MEAN[element]
    energy.cells_per_mean = cells_per_mean and cells_per_mean[evidence.dim]
    return energy
