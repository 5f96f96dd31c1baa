# SPDX-License-Identifier: MIT
"""The second step's results: the central case, and how far the others go."""

import math
import random

from .checks import require_equal
from .competition import Case, area_in, compete, potential_gwh
from .files import write_json, write_rows

_LOW, _HIGH = 0.05, 0.95


def draw_case(assumptions, measure_names, number):
    """Return the central case for number 0, else one drawn at random.

    A number's draws are the same in every run. Each factor is log-normal
    with a median of 1; assumptions.uncertainty has the spread of its
    logarithm.
    """
    draw = random.Random(number)

    def factor(key):
        spread = assumptions.uncertainty[key] if number > 0 else 0
        return math.exp(draw.gauss(0, 1) * spread)

    prices = {}
    for name, carrier in assumptions.carriers.items():
        price = carrier.price_per_kwh * factor(f"{name}_price")
        growth = 1 + carrier.price_growth_per_year
        prices[name] = [
            price * growth**index for index in range(len(assumptions.years))
        ]
    return Case(
        years=assumptions.years,
        prices=prices,
        cost_factors={name: factor("measure_cost") for name in measure_names},
        discount_rate=assumptions.discount_rate,
        choice_sensitivity=assumptions.choice_sensitivity
        * factor("choice_sensitivity"),
    )


class Study:
    """All markets' courses in all cases.

    Of the central case, the first one, everything is kept; of all cases the
    saving [GWh] of each market's options in each year, in the rows' order,
    and their total in each year.
    """

    def __init__(self, markets, assumptions, case_count):
        self.markets = markets
        self.assumptions = assumptions
        self.courses = []
        self.saved_gwh = []
        self.saved_in_year_gwh = []
        names = _measure_names(markets)
        for number in range(case_count):
            case = draw_case(assumptions, names, number)
            courses = [compete(market, case) for market in markets]
            if number == 0:
                self.courses = courses
            self._add_savings(courses)

    def _add_savings(self, courses):
        """Keep the savings of a case's courses."""
        self.saved_gwh.append(
            [
                saved
                for course in courses
                for state in course
                for saved in state.saved_gwh
            ]
        )
        self.saved_in_year_gwh.append(
            [
                sum(sum(state.saved_gwh) for state in states)
                for states in zip(*courses)
            ]
        )

    def states(self):
        """Yield (market, year's index, year, MarketYear), central case."""
        for market, course in zip(self.markets, self.courses):
            for index, year in enumerate(self.assumptions.years):
                yield market, index, year, course[index]


def _measure_names(markets):
    """Return the name of each measure once, in a fixed order."""
    names = {}
    for market in markets:
        for option in market.options[1:]:
            names[option.name] = None
    return tuple(names)


def low_and_high(values):
    """Return the values that 5 % are below, and 5 % above."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return ordered[round(_LOW * last)], ordered[round(_HIGH * last)]


COLUMNS = (
    "building_type",
    "end_use",
    "year",
    "option",
    "carrier",
    "market_share",
    "stock_million_m2",
    "used_gwh",
    "saved_gwh",
    "saved_low_gwh",
    "saved_high_gwh",
)


def _central_rows(study):
    """Yield the central case's part of each row: texts, then numbers."""
    for market, _, year, state in study.states():
        for option, share, stock_m2, used_gwh, saved_gwh in zip(
            market.options,
            state.shares,
            state.stock_m2,
            state.used_gwh,
            state.saved_gwh,
        ):
            yield (
                (
                    market.building_type,
                    market.end_use,
                    year,
                    option.name,
                    option.carrier,
                ),
                (share, stock_m2 / 1e6, used_gwh, saved_gwh),
            )


def result_rows(study):
    """Yield a row for each option of each market in each year."""
    for (names, numbers), saved_of_cases in zip(
        _central_rows(study), zip(*study.saved_gwh)
    ):
        numbers += low_and_high(saved_of_cases)
        yield names + tuple(f"{number:.6f}" for number in numbers)


class YearTotals:
    """A year's sums over all markets, today's technologies and competed."""

    def __init__(self, carriers):
        self.baseline_gwh = dict.fromkeys(carriers, 0.0)
        self.used_gwh = dict.fromkeys(carriers, 0.0)
        self.potential_gwh = 0.0
        self.baseline_peak_mw = 0.0
        self.peak_mw = 0.0

    def add(self, market, index, year, state):
        """Add a market's year."""
        area_m2 = area_in(market, index)
        base = market.base
        self.baseline_gwh[base.carrier] += area_m2 * base.use_kwh_per_m2 / 1e6
        self.baseline_peak_mw += area_m2 * base.electric_peak_w_per_m2 / 1e6
        self.potential_gwh += potential_gwh(market, year, area_m2)
        for option, stock_m2, used_gwh in zip(
            market.options, state.stock_m2, state.used_gwh
        ):
            self.used_gwh[option.carrier] += used_gwh
            self.peak_mw += stock_m2 * option.electric_peak_w_per_m2 / 1e6


def _carbon_kt(used_gwh, carriers, years_passed):
    """Return the carbon dioxide [kt] of what is used of each carrier."""
    return sum(
        gwh
        * carriers[name].carbon_kg_per_kwh
        * (1 + carriers[name].carbon_growth_per_year) ** years_passed
        for name, gwh in used_gwh.items()
    )


def _year_result(study, index, year, totals):
    """Return the results of a year as they stand in the JSON file."""
    carriers = study.assumptions.carriers
    saved_of_cases = [saved[index] for saved in study.saved_in_year_gwh]
    low, high = low_and_high(saved_of_cases)
    baseline_gwh = sum(totals.baseline_gwh.values())
    used_gwh = sum(totals.used_gwh.values())
    saved_gwh = saved_of_cases[0]
    require_equal(
        used_gwh + saved_gwh, baseline_gwh, f"{year}: GWh used and saved"
    )
    return {
        "year": year,
        "baseline_gwh": baseline_gwh,
        "used_gwh": used_gwh,
        "saved_gwh": saved_gwh,
        "saved_low_gwh": low,
        "saved_high_gwh": high,
        "potential_gwh": totals.potential_gwh,
        "used_by_carrier_gwh": totals.used_gwh,
        "baseline_carbon_kt": _carbon_kt(totals.baseline_gwh, carriers, index),
        "carbon_kt": _carbon_kt(totals.used_gwh, carriers, index),
        "baseline_electric_peak_mw": totals.baseline_peak_mw,
        "electric_peak_mw": totals.peak_mw,
    }


def year_results(study):
    """Return the results of each year."""
    all_totals = [
        YearTotals(study.assumptions.carriers)
        for _ in study.assumptions.years
    ]
    for market, index, year, state in study.states():
        all_totals[index].add(market, index, year, state)
    return [
        _year_result(study, index, year, totals)
        for (index, year), totals in zip(
            enumerate(study.assumptions.years), all_totals
        )
    ]


def measure_results(study):
    """Return what each measure serves and saves in the last year."""
    measures = {
        name: {"name": name, "stock_million_m2": 0.0, "saved_gwh": 0.0}
        for name in _measure_names(study.markets)
    }
    for market, course in zip(study.markets, study.courses):
        state = course[-1]
        for option, stock_m2, saved_gwh in list(
            zip(market.options, state.stock_m2, state.saved_gwh)
        )[1:]:
            measures[option.name]["stock_million_m2"] += stock_m2 / 1e6
            measures[option.name]["saved_gwh"] += saved_gwh
    return sorted(
        measures.values(), key=lambda measure: -measure["saved_gwh"]
    )


def write_results(study, json_path, csv_path):
    """Write the totals as JSON and the options' course as CSV."""
    write_json(
        json_path,
        {
            "format": "results 1",
            "cases": len(study.saved_gwh),
            "years": year_results(study),
            "measures": measure_results(study),
        },
    )
    write_rows(csv_path, COLUMNS, result_rows(study))
