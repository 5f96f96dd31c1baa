# SPDX-License-Identifier: MIT
"""What the model is about: days, buildings, technologies, assumptions."""

from dataclasses import dataclass
from typing import Mapping, Sequence, Tuple

HOURS_A_DAY = 24
DAYS_IN_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
DAYS_A_YEAR = sum(DAYS_IN_MONTH)
SEASONS = ("winter", "spring", "summer", "autumn")
DAY_TYPES = ("weekday", "weekend")
DAY_KINDS = tuple((season, kind) for season in SEASONS for kind in DAY_TYPES)


@dataclass(frozen=True)
class Day:
    """A day of the calendar with its lowest and highest temperature [°C]."""

    month: int
    weekday: int
    low_c: float
    high_c: float

    @property
    def kind(self):
        """(season, day type), the key of the typical days."""
        season = SEASONS[self.month % 12 // 3]
        return season, DAY_TYPES[0 if self.weekday <= 5 else 1]


@dataclass(frozen=True)
class Building:
    """A building type: its floor area [m2] and how that grows [1/year]."""

    building_type: str
    floor_area_m2: float
    growth_per_year: float


@dataclass(frozen=True)
class Carrier:
    """An energy carrier: price and carbon of a kWh in the first year.

    price_by_hour holds the price of each hour of the day over the mean one.
    """

    price_per_kwh: float
    price_growth_per_year: float
    carbon_kg_per_kwh: float
    carbon_growth_per_year: float
    price_by_hour: Tuple[float, ...]


@dataclass(frozen=True)
class Technology:
    """Something that serves an end use: a base technology or a measure.

    relative_use is its energy use over that of the base technology; in the
    active hours, which may span midnight, it changes with each °C above
    reference_c, in the others it is relative_use_outside_hours. cost_per_m2
    is what buying it costs.
    """

    name: str
    carrier: str
    cost_per_m2: float
    lifetime_years: int
    market_entry_year: int
    relative_use: float = 1
    relative_use_per_c: float = 0
    reference_c: float = 0
    active_hours: Tuple[float, float] = (0, HOURS_A_DAY)
    relative_use_outside_hours: float = 1

    def is_active(self, hour):
        """Tell whether it works at this hour of the day (0 to 23)."""
        start, end = self.active_hours
        if start <= end:
            return start <= hour < end
        return hour >= start or hour < end

    def relative_use_at(self, hour, temperature_c):
        """Return its use over the base technology's, 0 to 1."""
        if not self.is_active(hour):
            return self.relative_use_outside_hours
        warmer_c = temperature_c - self.reference_c
        share = self.relative_use + self.relative_use_per_c * warmer_c
        return min(max(share, 0.0), 1.0)


@dataclass(frozen=True)
class Measure:
    """A technology with the end use and the building types it is for."""

    technology: Technology
    end_use: str
    building_types: Tuple[str, ...]


@dataclass(frozen=True)
class Assumptions:
    """What holds for all markets; rates are per year, base values in °C."""

    first_year: int
    last_year: int
    discount_rate: float
    choice_sensitivity: float
    heating_base_c: float
    cooling_base_c: float
    peak_hours: int
    carriers: Mapping[str, Carrier]
    base_technologies: Mapping[str, Technology]
    uncertainty: Mapping[str, float]

    @property
    def years(self):
        """The years of the study."""
        return range(self.first_year, self.last_year + 1)


@dataclass(frozen=True)
class Inputs:
    """All that the preparation step is given.

    loads holds the hourly use of the base technologies on typical days
    [W/m2] under (building type, end use), and in it (season, day type).
    """

    assumptions: Assumptions
    buildings: Tuple[Building, ...]
    days: Tuple[Day, ...]
    loads: Mapping[Tuple[str, str], Mapping[Tuple[str, str], Sequence[float]]]
    measures: Tuple[Measure, ...]
