# SPDX-License-Identifier: MIT
"""The prepared measures: what the first step hands to the second."""

from dataclasses import asdict, dataclass
from typing import Tuple

from .checks import require, require_equal
from .fields import Fields
from .files import read_json, write_json

FILE_NAME = "prepared_measures.json"
_FORMAT = "prepared measures 1"
_USES = ("use_kwh_per_m2", "use_low_kwh_per_m2", "use_high_kwh_per_m2")


@dataclass(frozen=True)
class Option:
    """A technology that one market's buyers can choose.

    Uses are a year's per m2 of floor, as the mean, lowest and highest of
    the weather years, and for each month of the mean. priced_kwh_per_m2 is
    the use weighted with the price of its hours over the mean price.
    electric_peak_w_per_m2 is its mean load in today's peak hours.
    """

    name: str
    carrier: str
    cost_per_m2: float
    lifetime_years: int
    market_entry_year: int
    use_kwh_per_m2: float
    use_low_kwh_per_m2: float
    use_high_kwh_per_m2: float
    priced_kwh_per_m2: float
    electric_peak_w_per_m2: float
    monthly_kwh_per_m2: Tuple[float, ...]


@dataclass(frozen=True)
class Market:
    """An end use of a building type; the first option is today's stock."""

    building_type: str
    end_use: str
    floor_area_m2: float
    growth_per_year: float
    options: Tuple[Option, ...]

    @property
    def base(self):
        """The technology of today's stock."""
        return self.options[0]


def check_market(market, first_year, place):
    """Check what must hold in a market for the competition to be right.

    The place is what messages begin with.
    """
    require(
        market.base.market_entry_year <= first_year,
        f"{place}: {market.base.name} is not sold in {first_year}",
    )
    for option in market.options:
        require_equal(
            sum(option.monthly_kwh_per_m2),
            option.use_kwh_per_m2,
            f"{place}, {option.name}: kWh/m2 in the months",
        )
        for key in _USES:
            used, base = getattr(option, key), getattr(market.base, key)
            require(
                0 <= used <= base * (1 + 1e-9),
                f"{place}, {option.name}: {key} is {used:.6g};"
                f" 0 to {base:.6g}, what {market.base.name} uses, is needed",
            )


def write_prepared(path, weather_years, markets):
    """Write the markets, prepared for a number of weather years."""
    write_json(
        path,
        {
            "format": _FORMAT,
            "weather_years": weather_years,
            "markets": [asdict(market) for market in markets],
        },
    )


def _option(fields, carriers):
    """Take an option out of its fields."""
    option = Option(
        name=fields.text("name"),
        carrier=fields.text("carrier", carriers),
        cost_per_m2=fields.number("cost_per_m2", 0, 10**5),
        lifetime_years=fields.whole("lifetime_years", 1, 100),
        market_entry_year=fields.whole("market_entry_year", 1900, 2300),
        monthly_kwh_per_m2=fields.numbers("monthly_kwh_per_m2", 12, 0, 10**6),
        **{
            key: fields.number(key, 0, 10**6)
            for key in (
                *_USES,
                "priced_kwh_per_m2",
                "electric_peak_w_per_m2",
            )
        },
    )
    fields.done()
    return option


def _market(fields, assumptions):
    """Take a market out of its fields."""
    place = f"{fields.place}: option"
    market = Market(
        building_type=fields.text("building_type"),
        end_use=fields.text("end_use"),
        floor_area_m2=fields.number("floor_area_m2", 0, 10**12),
        growth_per_year=fields.number("growth_per_year", 0, 0.2),
        options=tuple(
            _option(Fields(value, f"{place} {number}"), assumptions.carriers)
            for number, value in enumerate(fields.items("options"), start=1)
        ),
    )
    require(market.options, f"{fields.place}: options is empty")
    fields.done()
    check_market(market, assumptions.first_year, fields.place)
    return market


def read_prepared(path, assumptions):
    """Return the markets of a file that write_prepared made."""
    require(path.exists(), f"{path} is not there; run ecm_prep first")
    fields = Fields(read_json(path), path)
    found = fields.text("format")
    require(found == _FORMAT, f"{path}: format is not '{_FORMAT}'")
    fields.whole("weather_years", 1, 10**6)
    markets = tuple(
        _market(Fields(value, f"{path}: market {number}"), assumptions)
        for number, value in enumerate(fields.items("markets"), start=1)
    )
    require(markets, f"{path}: markets is empty")
    fields.done()
    return markets
