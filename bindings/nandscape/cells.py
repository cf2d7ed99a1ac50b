# SPDX-License-Identifier: Apache-2.0
"""The cells of a configuration on their own: threshold voltages, read levels, error rates, programming.

>>> cells = ns.Cells("default")
>>> cells.rber(page=1, pe_cycles=2000, months=12)
>>> cells.population(pe_cycles=2000, months=12).mean_retry_steps
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from nandscape import _core
from nandscape.arguments import index, number
from nandscape.config import Config, load

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import ArrayLike, NDArray

    from nandscape.pictures.draw import CellPictures


class Wordline(TypedDict, total=False):
    """Optional keywords that describe a wordline in addition to its P/E cycles and age.

    `layer`: layer of a 3D block, from 0; its median wordline is used. Default: the median wordline of the device.
    `step_mv`: ISPP step in mV with which the wordline was programmed; 0, the default, is the device's own step.
    `block_reads`: reads of the block since programming. `temperature_c`: temperature of the read in °C, 85 by default;
    it has an effect only for short sense times.
    """

    layer: int | None
    step_mv: float
    block_reads: float
    temperature_c: float


class Cells:
    """The cells that `nand.cells` and `nand.coding` of a configuration describe, without an SSD around them.

    `configuration`, `overrides`: as for `load`, such as `Cells("default", {"nand.cells.set": "tlc_planar_cai"})`.

    State 0 is the erased state. The other states are numbered in ascending order of voltage. Page 0 is the LSB page.
    Voltages are in mV. `pe_cycles` are the program/erase cycles of the block, `months` the time since programming, at
    30 °C. All methods but `program_trace` and `sample` are closed forms, for the median wordline unless a layer is
    given; additional keywords are those of `Wordline`. Methods raise ValueError for numbers out of range and TypeError
    for unknown keywords; the constructor raises `ConfigError` as `load` does.
    """

    def __init__(
        self,
        configuration: Config | str | os.PathLike[str] | Mapping[str, Any],
        overrides: Mapping[str, Any] | None = None,
    ) -> None:
        self.config = load(configuration, overrides)
        self._core = _core.CellStudy(self.config._core)

    @property
    def draw(self) -> CellPictures:
        """Pictures of these cells: `draw.threshold_voltages()`, `draw.error_rates()`, `draw.retry_steps()`. Each
        returns a figure of Matplotlib."""
        from nandscape.pictures.draw import CellPictures

        return CellPictures(self)

    @property
    def states(self) -> int:
        """The number of threshold-voltage states of a cell."""
        return len(self.state_bits)

    @property
    def pages(self) -> int:
        """The number of pages of a wordline, which is also the number of bits in a cell."""
        return self.state_bits.shape[1]

    @property
    def state_bits(self) -> NDArray[np.bool_]:
        """Bits that the states encode: row s holds the bit of state s in each page; shape (states, pages)."""
        return self._core.state_bits

    def senses(self, valid_pages: Iterable[int] | None = None) -> list[int]:
        """N_SENSE of each page: the number of levels that a read of the page senses.

        `valid_pages`: numbers of the pages that still hold data. States that differ only in the other pages are then
        merged (Choi et al., MICRO 2018), and the entries of the other pages are 0. By default all pages are valid.
        """
        return self._core.senses(self._mask(valid_pages)).tolist()

    def merged_states(self, valid_pages: Iterable[int] | None = None) -> list[int]:
        """Returns, for each state, the state to which its cells move when states are merged because only these pages
        are valid."""
        return self._core.merged_states(self._mask(valid_pages)).tolist()

    def vth_density(
        self, state: int, voltages_mv: ArrayLike, pe_cycles: float = 0, months: float = 0, **wordline: Unpack[Wordline]
    ) -> NDArray[np.float64]:
        """Returns the probability density of the threshold voltages of a state at each voltage, per mV, in the shape of
        `voltages_mv`."""
        where = _wordline(pe_cycles, months, wordline)
        return self._core.vth_density(index("state", state), np.asarray(voltages_mv, float), where)

    def vth_below(
        self, state: int, voltages_mv: ArrayLike, pe_cycles: float = 0, months: float = 0, **wordline: Unpack[Wordline]
    ) -> NDArray[np.float64]:
        """Returns the share of the cells of a state that lies below each voltage, in the shape of `voltages_mv`."""
        where = _wordline(pe_cycles, months, wordline)
        return self._core.vth_below(index("state", state), np.asarray(voltages_mv, float), where)

    def levels(
        self, pe_cycles: float = 0, months: float = 0, *, retry_step: int = 0, **wordline: Unpack[Wordline]
    ) -> NDArray[np.float64]:
        """Returns the read levels of a retry step in mV, lowest first: one between each pair of neighbouring states.

        Step 0 is a plain read. With tracking (`nand.cells.read_levels`), a retry step whose shift is close to the
        wordline's drift reads near the optimum levels of that wordline.
        """
        return self._core.levels(_wordline(pe_cycles, months, wordline), index("retry_step", retry_step))

    def state_errors(
        self, pe_cycles: float = 0, months: float = 0, *, retry_step: int = 0, **wordline: Unpack[Wordline]
    ) -> NDArray[np.float64]:
        """Returns the shares of each state's cells that lie below its lower read level and above its upper read level.

        The array has the shape (states, 2). Column 0 has the cells that are read as a lower state (to the left), column
        1 has the cells that are read as a higher state.
        """
        return self._core.state_errors(_wordline(pe_cycles, months, wordline), index("retry_step", retry_step))

    def rber(
        self, page: int, pe_cycles: float = 0, months: float = 0, *, retry_step: int = 0, **wordline: Unpack[Wordline]
    ) -> float:
        """Returns the raw bit error rate of a page. The wordline has equally many cells in all states. The rate
        includes misreads by the senses themselves."""
        where = _wordline(pe_cycles, months, wordline)
        return self._core.rber(index("page", page), where, index("retry_step", retry_step))

    def soft_regions(
        self,
        page: int,
        pe_cycles: float = 0,
        months: float = 0,
        levels_per_vref: int = 3,
        spacing_mv: float = 50,
        *,
        retry_step: int = 0,
        **wordline: Unpack[Wordline],
    ) -> SoftRegions:
        """Returns the regions that a soft read of a page distinguishes by sensing several times around each read level.

        `levels_per_vref` levels, 1 to 63, lie `spacing_mv` apart around each level of the retry step. If their number
        is odd, the middle level is the read level itself. All states are equally likely; misreads by the senses
        themselves are not included.
        """
        where = _wordline(pe_cycles, months, wordline)
        levels = index("levels_per_vref", levels_per_vref)
        step = index("retry_step", retry_step)
        return SoftRegions(
            *self._core.soft_regions(index("page", page), where, step, levels, number("spacing_mv", spacing_mv))
        )

    def soft_spacing_mv(
        self,
        page: int,
        pe_cycles: float = 0,
        months: float = 0,
        sensing_levels: int = 3,
        **wordline: Unpack[Wordline],
    ) -> float:
        """Returns the spacing in mV of the levels that a soft read of the page senses. The read senses `sensing_levels`
        (2 to 7) levels around each read level.

        This is `nand.cells.read_levels.soft_spacing_mv`. If that key is 0, it is the spacing that gives the most
        information about the page at the wordline's optimum levels.
        """
        where = _wordline(pe_cycles, months, wordline)
        return self._core.soft_spacing_mv(index("page", page), where, index("sensing_levels", sensing_levels))

    def population(
        self,
        pe_cycles: float = 0,
        months: float = 0,
        temperature_c: float = 85,
        *,
        correctable: int = 72,
        codeword_bits: int = 9216,
        codewords_per_page: int = 16,
    ) -> Population:
        """Computes the retries and errors of all pages of the device at one condition. Each page is read at one retry
        step after another until the ECC corrects every codeword.

        The ECC corrects `correctable` errors among the `codeword_bits` bits of a codeword, parity included. The
        computation lasts about a second for a 3D device; other threads can run meanwhile.
        """
        where = _wordline(pe_cycles, months, {"temperature_c": temperature_c})
        layout = (
            index("correctable", correctable),
            index("codeword_bits", codeword_bits),
            index("codewords_per_page", codewords_per_page),
        )
        core = self._core.population(where, *layout)
        return Population(core, self.config["nand.timing"])

    def program(self, step_mv: float = 0) -> Programming:
        """Returns the expected numbers of pulses and verifies to program a wordline to all states, and the duration of
        the program. `step_mv`: ISPP step in mV; 0 stands for the device's own step."""
        step_mv = number("step_mv", step_mv)
        pulses, verifies, latency_us = self._core.program(step_mv)
        return Programming(pulses, verifies, latency_us, self._core.verify_levels(step_mv))

    def program_trace(self, step_mv: float = 0, *, seed: int = 1, cells: int = 16384) -> ProgramTrace:
        """Programs `cells` random cells of a fresh wordline pulse by pulse, from their erased voltages."""
        return ProgramTrace(
            *self._core.program_trace(number("step_mv", step_mv), index("seed", seed), index("cells", cells))
        )

    def sample(
        self,
        pe_cycles: float = 0,
        months: float = 0,
        *,
        seed: int = 1,
        cells: int = 131072,
        **wordline: Unpack[Wordline],
    ) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Draws random cells of one wordline, one by one, as `simulation.cells: per_cell` reads them.

        Returns their threshold voltages in mV and their states, arrays of `cells` entries. The cells follow the
        distribution of the closed forms, without random variation between wordlines.
        """
        where = _wordline(pe_cycles, months, wordline)
        return self._core.sample(where, index("seed", seed), index("cells", cells))

    def __repr__(self) -> str:
        return f"<Cells of {self.config.name}: {self.config['nand.cells.set']}, {self.config['nand.coding']}>"

    def _mask(self, valid_pages: Iterable[int] | None) -> int:
        pages = range(self.pages) if valid_pages is None else {index("valid page", page) for page in valid_pages}
        return sum(1 << page for page in pages)


class Population:
    """Retries and errors in reads of all pages of a device; made by `Cells.population`."""

    def __init__(self, core: _core.Population, timing: dict[str, Any]) -> None:
        self._core = core
        self._timing = timing

    @property
    def retry_steps(self) -> NDArray[np.float64]:
        """Entry n is the probability that a read needs n retry steps. The last entry is the probability that all steps
        fail."""
        return self._core.retry_steps

    @property
    def mean_retry_steps(self) -> float:
        """Mean number of retry steps of a read."""
        return self._core.mean_retry_steps

    def at_least(self, steps: int) -> float:
        """Returns the probability that a read needs `steps` retry steps or more."""
        return float(self.retry_steps[index("steps", steps) :].sum())

    def most_errors(
        self,
        t_pre_us: float | None = None,
        t_eval_us: float | None = None,
        t_disch_us: float | None = None,
        pages: float = 11_059_200,
    ) -> float:
        """Returns the median number of errors in the worst codeword of `pages` pages, each read at the retry step that
        decodes it.

        The retry step is determined with the sense times of `nand.timing`. The page is then read again with the given
        times, so a page that was barely readable may have more errors than the ECC corrects. A time that is not given
        is taken from `nand.timing`. `pages` is by default the number on the 160 chips that Park et al. (ASPLOS 2021)
        measured.
        """
        standard = self._timing
        return self._core.most_errors(
            standard["t_pre_us"] if t_pre_us is None else number("t_pre_us", t_pre_us),
            standard["t_eval_us"] if t_eval_us is None else number("t_eval_us", t_eval_us),
            standard["t_disch_us"] if t_disch_us is None else number("t_disch_us", t_disch_us),
            number("pages", pages),
        )

    @property
    def layer_error_rates(self) -> NDArray[np.float64]:
        """Mean raw bit error rate of each layer, with each page read at the retry step that decodes it."""
        return self._core.layer_error_rates


@dataclass(frozen=True)
class SoftRegions:
    """Regions between the levels of a soft read: arrays with an entry for each region, lowest first.

    `from_mv`, `to_mv`: ends of the region; the outermost regions extend to infinity. `probability_if_zero`,
    `probability_if_one`: probability that a cell whose bit is 0 or 1 lies in the region; each array adds up to 1.
    `llr`: ln(probability_if_one / probability_if_zero), positive where the bit is more likely 1; limited to +-25, and 0
    for a region without cells. `mutual_information`: information that the region of a cell gives about its bit, in
    bits; no code for such reads has a higher rate.
    """

    from_mv: NDArray[np.float64]
    to_mv: NDArray[np.float64]
    probability_if_zero: NDArray[np.float64]
    probability_if_one: NDArray[np.float64]
    llr: NDArray[np.float64]
    mutual_information: float

    @property
    def senses(self) -> int:
        """The number of levels that the read senses."""
        return len(self.llr) - 1


@dataclass(frozen=True)
class Programming:
    """Numbers of pulses and verifies of an ISPP program, and its duration. `verify_mv`: verify level of each programmed
    state."""

    pulses: int
    verifies: int
    latency_us: float
    verify_mv: NDArray[np.float64]


@dataclass(frozen=True)
class ProgramTrace:
    """The states and voltages of cells during a program.

    `mean_mv` and `finished` have a row for each pulse and a column for each state: the mean threshold voltage, and the
    share of cells at or above their verify level (1 for erased cells). `vth_mv` and `state`: the programmed cells.
    """

    verifies: int
    mean_mv: NDArray[np.float64]
    finished: NDArray[np.float64]
    vth_mv: NDArray[np.float32]
    state: NDArray[np.uint8]

    @property
    def pulses(self) -> int:
        return len(self.mean_mv)


def _wordline(pe_cycles: float, months: float, wordline: Mapping[str, Any]) -> _core.WordlineCondition:
    unknown = wordline.keys() - Wordline.__annotations__.keys()
    if unknown:
        known = ", ".join(Wordline.__annotations__)
        raise TypeError(f"unexpected keyword {sorted(unknown)[0]!r}; expected one of {known}")
    layer = wordline.get("layer")
    return _core.WordlineCondition(
        pe_cycles=number("pe_cycles", pe_cycles),
        months=number("months", months),
        block_reads=number("block_reads", wordline.get("block_reads", 0)),
        temperature_c=number("temperature_c", wordline.get("temperature_c", 85)),
        step_mv=number("step_mv", wordline.get("step_mv", 0)),
        layer=None if layer is None else index("layer", layer),
    )
