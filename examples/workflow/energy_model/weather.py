# SPDX-License-Identifier: MIT
"""Weather years, and typical days expanded to the hours of such a year."""

import math
import random
from array import array
from dataclasses import dataclass
from typing import Sequence, Tuple

from .checks import require_equal
from .domain import DAYS_A_YEAR, HOURS_A_DAY, Day

_WARMEST_HOUR = 15
_SWING = [
    math.cos(2 * math.pi * (hour - _WARMEST_HOUR) / HOURS_A_DAY)
    for hour in range(HOURS_A_DAY)
]


@dataclass(frozen=True)
class WeatherYear:
    """A year of days with the temperature of each of its hours [°C]."""

    days: Tuple[Day, ...]
    temperatures_c: Sequence[float]

    @classmethod
    def from_days(cls, days):
        """Return the year that these days make."""
        temperatures_c = array("d")
        for day in days:
            mean_c = (day.low_c + day.high_c) / 2
            half_c = (day.high_c - day.low_c) / 2
            temperatures_c.extend(mean_c + half_c * swing for swing in _SWING)
        return cls(days, temperatures_c)


def weather_years(days, count):
    """Return the given year and count - 1 others made from it.

    Each day of another year has the temperatures of a day of the same month
    of the given one, drawn at random but the same in every run.
    """
    of_month = {}
    for day in days:
        of_month.setdefault(day.month, []).append(day)
    years = [WeatherYear.from_days(days)]
    for number in range(1, count):
        draw = random.Random(number)
        drawn = [(day, draw.choice(of_month[day.month])) for day in days]
        years.append(
            WeatherYear.from_days(
                tuple(
                    Day(day.month, day.weekday, other.low_c, other.high_c)
                    for day, other in drawn
                )
            )
        )
    return tuple(years)


def degree_hours(year, end_use, assumptions):
    """Return the degree hours of each day that the end use reacts to [K·h].

    None for an end use that does not depend on the weather.
    """
    if end_use == "heating":
        base_c, sign = assumptions.heating_base_c, -1
    elif end_use == "cooling":
        base_c, sign = assumptions.cooling_base_c, 1
    else:
        return None
    excess = [
        max(0.0, sign * (temperature - base_c))
        for temperature in year.temperatures_c
    ]
    return [
        sum(excess[start : start + HOURS_A_DAY])
        for start in range(0, len(excess), HOURS_A_DAY)
    ]


def day_factors(year, given, end_use, assumptions):
    """Return by how much each day's load differs from its typical day's.

    It is the day's degree hours over the mean of the given year's days of
    the same season and day type, so that in the given year each kind of day
    uses as much as its typical day says.
    """
    days_degree_hours = degree_hours(year, end_use, assumptions)
    if days_degree_hours is None:
        return [1.0] * DAYS_A_YEAR
    of_kind = {}
    for day, value in zip(
        given.days, degree_hours(given, end_use, assumptions)
    ):
        of_kind.setdefault(day.kind, []).append(value)
    means = {kind: sum(one) / len(one) for kind, one in of_kind.items()}
    return [
        value / means[day.kind] if means[day.kind] > 0 else 0.0
        for day, value in zip(year.days, days_degree_hours)
    ]


def expand(typical_days, year, factors):
    """Return the load of each hour of the year [W/m2]."""
    hours = array("d")
    for day, factor in zip(year.days, factors):
        hours.extend(load * factor for load in typical_days[day.kind])
    return hours


def check_expansion(hours, typical_days, given, what):
    """Check that the given year's hours use what its typical days use."""
    require_equal(
        sum(hours) / 1000,
        sum(sum(typical_days[day.kind]) for day in given.days) / 1000,
        f"{what}: kWh/m2 in the hours of the year",
    )
