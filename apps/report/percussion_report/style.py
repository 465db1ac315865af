"""Style common to all figures, and their output."""

import dataclasses
import re

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import ScalarFormatter

matplotlib.use("Agg")
matplotlib.rcParams.update({
    "font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "legend.fontsize": 8.5, "axes.grid": True, "grid.color": "0.88", "grid.linewidth": 0.6,
    "axes.axisbelow": True, "lines.linewidth": 1.3, "svg.hashsalt": "percussion",
    "pdf.fonttype": 42, "axes.formatter.limits": (-3, 4),
    "axes.formatter.useoffset": False,
    "xtick.labelsize": 8.5, "ytick.labelsize": 8.5})

# Colours of Okabe and Ito, without their yellow, which is invisible on white; dashes help in print.
COLOURS = ["#0072B2", "#D55E00", "black", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
DASHES = ["-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (10, 3)),
          (0, (6, 2, 1.5, 2, 1.5, 2))]


@dataclasses.dataclass
class Picture:
    """Figure, the name of its files without ending, its caption, the section of the page (bodies,
    energy, contact or probes), and the time of a snapshot."""

    name: str
    figure: Figure
    caption: str
    section: str
    time: float | None = None

    @property
    def alt(self):
        """Description for readers who cannot see the picture."""
        return self.caption.partition(". ")[0]

    def save(self, file, **options):
        """Writes the figure; equal figures give equal bytes."""
        self.prepare()
        empty = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(str(file)[-3:])
        self.figure.savefig(file, metadata=empty, **options)

    def prepare(self):
        """Prepares ranges of constants, short units of time, and powers of ten in the labels."""
        for axes in self.figure.axes:
            for axis in (axes.xaxis, axes.yaxis):
                short_unit_of_time(axis)
            low, high = axes.get_ylim()
            largest = max(abs(low), abs(high))
            if axes.get_yscale() == "linear" and abs(high - low) < 1e-4 * largest:
                axes.set_ylim(low - 0.1 * largest, high + 0.1 * largest)
            for axis in (axes.xaxis, axes.yaxis):
                power_into_label(axis)


class Titles:
    """Bold titles above panels, whose captions say the same."""

    are_drawn = True


class Fixed(ScalarFormatter):
    """Numbers along an axis without a given power of ten."""

    def __init__(self, power):
        super().__init__()
        self.power = power

    def _set_order_of_magnitude(self):
        self.orderOfMagnitude = self.power


def short_unit_of_time(axis):
    """Labels an axis of seconds that ends before 0.1 s in ms, one that ends before 0.1 ms in µs."""
    label = axis.get_label().get_text()
    largest = max(map(abs, axis.get_view_interval()))
    if not label.endswith("(s)") or not 0 < largest < 0.1 or \
            not isinstance(axis.get_major_formatter(), ScalarFormatter):
        return
    power, unit = (-3, "ms") if largest >= 1e-4 else (-6, "µs")
    axis.set_major_formatter(Fixed(power))
    axis.set_label_text(label[:-2] + unit + ")")


def power_of_ten(exponent):
    """Returns 10⁻³ as text: Matplotlib's own formulas take long."""
    return "10" + f"{exponent:.0f}".translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def order_of_magnitude(axis):
    """Returns the power of ten omitted from the numbers along an axis."""
    form = axis.get_major_formatter()
    form.set_locs(axis.get_ticklocs())
    axis.get_offset_text().set_visible(False)
    return form.orderOfMagnitude


def power_into_label(axis):
    """Writes the power of ten of an axis into its label: the legend covers its usual position."""
    label = axis.get_label().get_text()
    form = axis.get_major_formatter()
    if not isinstance(form, ScalarFormatter) or not label:
        return
    if isinstance(form, Fixed):
        axis.get_offset_text().set_visible(False)
        return
    power = order_of_magnitude(axis)
    label = re.sub(r"\(10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+ ?", "(", label).replace(" ()", "")
    if power:
        power = power_of_ten(power)
        label = label[:-1].replace("(", f"({power} ") + ")" if label.endswith(")") \
            else f"{label} ({power})"
    axis.set_label_text(label)
