# SPDX-License-Identifier: MIT
"""The first step's model: what each measure uses, hour by hour."""

import heapq
from array import array
from dataclasses import dataclass, replace
from operator import le, mul
from typing import Sequence, Tuple

from .checks import require, require_equal
from .domain import DAYS_A_YEAR, DAYS_IN_MONTH, HOURS_A_DAY
from .prepared import Market, Option, check_market
from .weather import check_expansion, day_factors, expand

ELECTRICITY = "electricity"


@dataclass(frozen=True)
class MarketHours:
    """A prepared market with each option's hourly use in the given year."""

    market: Market
    hours: Tuple[Sequence[float], ...]


def technologies_for(inputs, building_type, end_use):
    """Return what serves an end use, the base technology first."""
    return [inputs.assumptions.base_technologies[end_use]] + [
        measure.technology
        for measure in inputs.measures
        if measure.end_use == end_use
        and building_type in measure.building_types
    ]


def base_hours_of_years(inputs, years, building_type, end_use):
    """Return the base technology's hourly use [W/m2] in each weather year."""
    typical_days = inputs.loads[building_type, end_use]
    given = years[0]
    hours_of_years = [
        expand(
            typical_days,
            year,
            day_factors(year, given, end_use, inputs.assumptions),
        )
        for year in years
    ]
    check_expansion(
        hours_of_years[0], typical_days, given, f"{building_type}, {end_use}"
    )
    return hours_of_years


def hourly_use(technology, base_hours, temperatures_c):
    """Return what the technology uses in each hour [W/m2].

    base_hours is what the base technology uses in them.
    """
    return array(
        "d",
        (
            load * technology.relative_use_at(hour % HOURS_A_DAY, degrees_c)
            for hour, (load, degrees_c) in enumerate(
                zip(base_hours, temperatures_c)
            )
        ),
    )


def _check_use(hours, base_hours, what):
    """Check that use and saving of every hour are within the base's use."""
    require(
        all(map(le, hours, base_hours)) and min(hours) >= 0,
        f"{what}: uses more than the base technology in some hour",
    )
    saved = sum(base - used for base, used in zip(base_hours, hours))
    require_equal(
        (sum(hours) + saved) / 1000,
        sum(base_hours) / 1000,
        f"{what}: kWh/m2 used and saved",
    )


def hourly_use_of_years(technology, base_years, years, what):
    """Return the technology's hourly use in each weather year, checked."""
    hours_of_years = []
    for base_hours, year in zip(base_years, years):
        hours = hourly_use(technology, base_hours, year.temperatures_c)
        _check_use(hours, base_hours, what)
        hours_of_years.append(hours)
    return hours_of_years


def monthly_kwh(hours):
    """Return the months' sums [kWh/m2] of a year's hours [W/m2]."""
    sums = []
    start = 0
    for days in DAYS_IN_MONTH:
        end = start + days * HOURS_A_DAY
        sums.append(sum(hours[start:end]) / 1000)
        start = end
    return sums


def _option(technology, hours_of_years, price_by_hour):
    """Sum a technology's hours [W/m2] of all weather years to an option."""
    count = len(hours_of_years)
    months = [monthly_kwh(hours) for hours in hours_of_years]
    prices = price_by_hour * DAYS_A_YEAR
    priced = [sum(map(mul, hours, prices)) for hours in hours_of_years]
    return Option(
        name=technology.name,
        carrier=technology.carrier,
        cost_per_m2=technology.cost_per_m2,
        lifetime_years=technology.lifetime_years,
        market_entry_year=technology.market_entry_year,
        use_kwh_per_m2=sum(map(sum, hours_of_years)) / 1000 / count,
        use_low_kwh_per_m2=min(map(sum, months)),
        use_high_kwh_per_m2=max(map(sum, months)),
        priced_kwh_per_m2=sum(priced) / 1000 / count,
        electric_peak_w_per_m2=0.0,
        monthly_kwh_per_m2=tuple(sum(month) / count for month in zip(*months)),
    )


def prepare_market(inputs, years, key):
    """Return a market but for the loads in the peak hours.

    The key is (building, end use). This is what the workers do.
    """
    building, end_use = key
    building_type = building.building_type
    base_years = base_hours_of_years(inputs, years, building_type, end_use)
    options = []
    given_hours = []
    for technology in technologies_for(inputs, building_type, end_use):
        hours_of_years = hourly_use_of_years(
            technology,
            base_years,
            years,
            f"{building_type}, {end_use}, {technology.name}",
        )
        carrier = inputs.assumptions.carriers[technology.carrier]
        options.append(
            _option(technology, hours_of_years, carrier.price_by_hour)
        )
        given_hours.append(hours_of_years[0])
    market = Market(
        building_type=building_type,
        end_use=end_use,
        floor_area_m2=building.floor_area_m2,
        growth_per_year=building.growth_per_year,
        options=tuple(options),
    )
    return MarketHours(market, tuple(given_hours))


def peak_hours(prepared, count):
    """Return the hours of the given year with today's highest demand.

    Demand is the electricity that the base technologies of all markets use.
    """
    demand_w = [0.0] * (DAYS_A_YEAR * HOURS_A_DAY)
    for item in prepared:
        if item.market.base.carrier == ELECTRICITY:
            area_m2 = item.market.floor_area_m2
            for hour, load in enumerate(item.hours[0]):
                demand_w[hour] += area_m2 * load
    return heapq.nlargest(count, range(len(demand_w)), demand_w.__getitem__)


def with_peak_loads(item, at_hours):
    """Return a market whose options have their load in the peak hours."""
    options = tuple(
        replace(
            option,
            electric_peak_w_per_m2=sum(hours[hour] for hour in at_hours)
            / len(at_hours)
            if option.carrier == ELECTRICITY
            else 0.0,
        )
        for option, hours in zip(item.market.options, item.hours)
    )
    return replace(item.market, options=options)


def prepare(inputs, prepare_all):
    """Return all markets, ready for the competition.

    prepare_all(keys) gives prepare_market's result for each key, in their
    order, from wherever it has them computed.
    """
    prepared = list(
        prepare_all(
            (building, end_use)
            for building in inputs.buildings
            for end_use in inputs.assumptions.base_technologies
        )
    )
    at_hours = peak_hours(prepared, inputs.assumptions.peak_hours)
    markets = [with_peak_loads(item, at_hours) for item in prepared]
    for market in markets:
        check_market(
            market,
            inputs.assumptions.first_year,
            f"{market.building_type}, {market.end_use}",
        )
    return markets
