# SPDX-License-Identifier: MIT
"""The second step's model: who buys what, and what the stock then uses.

In every year the part of the stock whose life has ended, and the floor area
that is new, is bought anew. The buyers' choice follows the yearly cost of
the options: the cheaper one wins more of the market, but never all of it.
"""

import math
from dataclasses import dataclass
from typing import Mapping, Sequence

from .checks import require, require_equal


@dataclass(frozen=True)
class Case:
    """One set of the assumptions that the competition depends on.

    prices holds each carrier's price of a kWh in each year; cost_factors
    each measure's cost over the one it was given with.
    """

    years: Sequence[int]
    prices: Mapping[str, Sequence[float]]
    cost_factors: Mapping[str, float]
    discount_rate: float
    choice_sensitivity: float


@dataclass(frozen=True)
class MarketYear:
    """What a market's options are in a year, one number for each.

    shares are those of what is bought, stock_m2 is the floor area served.
    """

    shares: Sequence[float]
    stock_m2: Sequence[float]
    used_gwh: Sequence[float]
    saved_gwh: Sequence[float]


def annuity(discount_rate, years):
    """Return the yearly payment that pays back 1 over a number of years."""
    if discount_rate == 0:
        return 1 / years
    return discount_rate / -math.expm1(-years * math.log1p(discount_rate))


def yearly_cost(option, case, year_index):
    """Return what an option bought in this year costs [1/m2 and year]."""
    bought = option.cost_per_m2 * case.cost_factors.get(option.name, 1)
    price = case.prices[option.carrier][year_index]
    return (
        bought * annuity(case.discount_rate, option.lifetime_years)
        + option.priced_kwh_per_m2 * price
    )


def market_shares(costs, sensitivity):
    """Return the shares of options by a logit of their cost.

    None as a cost means that the option is not sold; it gets 0. Where a cost
    grows by 1 % of the lowest one, the share shrinks by about as many
    percent as the sensitivity says.
    """
    lowest = min(cost for cost in costs if cost is not None)
    weights = [
        0.0
        if cost is None
        else math.exp(-sensitivity * (cost - lowest) / (lowest or 1))
        for cost in costs
    ]
    total = sum(weights)
    return [weight / total for weight in weights]


class Turnover:
    """The stock of a market by option [m2], and when it must be replaced."""

    def __init__(self, market, year_count):
        self.stock_m2 = [0.0] * len(market.options)
        self.stock_m2[0] = market.floor_area_m2
        self._lifetimes = [option.lifetime_years for option in market.options]
        self._retired_m2 = [[0.0] * year_count for _ in market.options]
        base_lifetime = market.base.lifetime_years
        for index in range(min(base_lifetime, year_count)):
            self._retired_m2[0][index] = market.floor_area_m2 / base_lifetime

    def advance(self, year_index, area_m2, shares):
        """Retire what is due, buy up to the area; return what was bought."""
        for option, retired in enumerate(self._retired_m2):
            self.stock_m2[option] -= retired[year_index]
        bought_m2 = area_m2 - sum(self.stock_m2)
        for option, share in enumerate(shares):
            self.stock_m2[option] += bought_m2 * share
            retired = self._retired_m2[option]
            due = year_index + self._lifetimes[option]
            if due < len(retired):
                retired[due] += bought_m2 * share
        return bought_m2


def area_in(market, years_passed):
    """Return a market's floor area [m2] after a number of years."""
    return market.floor_area_m2 * (1 + market.growth_per_year) ** years_passed


def potential_gwh(market, year, area_m2):
    """Return what is saved if all use the best option sold by a year."""
    best = min(
        option.use_kwh_per_m2
        for option in market.options
        if option.market_entry_year <= year
    )
    return area_m2 * (market.base.use_kwh_per_m2 - best) / 1e6


def check_stock(market, area_m2, bought_m2, state):
    """Check a year's shares and stock, of which some was just bought."""
    what = f"{market.building_type}, {market.end_use}"
    require_equal(sum(state.shares), 1, f"{what}: sum of the shares")
    require(min(state.shares) >= 0, f"{what}: a share is below 0")
    require_equal(sum(state.stock_m2), area_m2, f"{what}: stock in m2")
    slack_m2 = 1e-9 * area_m2
    require(
        min(state.stock_m2) >= -slack_m2 and bought_m2 >= -slack_m2,
        f"{what}: more is retired than there is",
    )


def check_energy(market, year, area_m2, state):
    """Check a year's use and savings against the base technology's use."""
    what = f"{market.building_type}, {market.end_use}"
    saved_gwh = sum(state.saved_gwh)
    baseline_gwh = area_m2 * market.base.use_kwh_per_m2 / 1e6
    require_equal(
        sum(state.used_gwh) + saved_gwh,
        baseline_gwh,
        f"{what}: GWh used and saved",
    )
    possible_gwh = potential_gwh(market, year, area_m2)
    slack_gwh = 1e-9 * baseline_gwh
    require(
        -slack_gwh <= saved_gwh <= possible_gwh + slack_gwh,
        f"{what}: {saved_gwh:.6g} GWh are saved in {year};"
        f" 0 to {possible_gwh:.6g} are possible",
    )


def compete(market, case):
    """Return the course of a market in a case: a MarketYear for each year."""
    turnover = Turnover(market, len(case.years))
    uses = [option.use_kwh_per_m2 for option in market.options]
    course = []
    for index, year in enumerate(case.years):
        costs = [
            yearly_cost(option, case, index)
            if option.market_entry_year <= year
            else None
            for option in market.options
        ]
        shares = market_shares(costs, case.choice_sensitivity)
        area_m2 = area_in(market, index)
        bought_m2 = turnover.advance(index, area_m2, shares)
        stock_m2 = list(turnover.stock_m2)
        state = MarketYear(
            shares=shares,
            stock_m2=stock_m2,
            used_gwh=[area * use / 1e6 for area, use in zip(stock_m2, uses)],
            saved_gwh=[
                area * (uses[0] - use) / 1e6
                for area, use in zip(stock_m2, uses)
            ],
        )
        check_stock(market, area_m2, bought_m2, state)
        check_energy(market, year, area_m2, state)
        course.append(state)
    return course
