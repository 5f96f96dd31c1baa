# SPDX-License-Identifier: MIT
"""Read what the model is given, and refuse what cannot be meant."""

from .checks import require
from .domain import (
    DAY_KINDS,
    DAY_TYPES,
    DAYS_A_YEAR,
    DAYS_IN_MONTH,
    HOURS_A_DAY,
    SEASONS,
    Assumptions,
    Building,
    Carrier,
    Day,
    Inputs,
    Measure,
    Technology,
)
from .fields import Fields, number_of, text_in, whole_of
from .files import read_json, read_rows


def read_days(path):
    """Return the 365 days of the weather file."""
    columns = ("month", "day", "weekday", "low_c", "high_c")
    calendar = [
        (month, day)
        for month, count in enumerate(DAYS_IN_MONTH, start=1)
        for day in range(1, count + 1)
    ]
    days = []
    for place, fields in read_rows(path, columns):
        month = whole_of(fields[0], 1, 12, f"{place}: month")
        date = month, whole_of(fields[1], 1, 31, f"{place}: day")
        require(
            len(days) < DAYS_A_YEAR and date == calendar[len(days)],
            f"{place}: the days must be those of a year of {DAYS_A_YEAR}",
        )
        low_c = number_of(fields[3], -60, 60, f"{place}: low_c")
        days.append(
            Day(
                month=month,
                weekday=whole_of(fields[2], 1, 7, f"{place}: weekday"),
                low_c=low_c,
                high_c=number_of(fields[4], low_c, 60, f"{place}: high_c"),
            )
        )
    require(
        len(days) == DAYS_A_YEAR,
        f"{path}: {len(days)} days where {DAYS_A_YEAR} are needed",
    )
    return tuple(days)


def read_buildings(path):
    """Return the building types in the file's order."""
    columns = ("building_type", "floor_area_million_m2", "growth_per_year")
    buildings = {}
    for place, (name, area, growth) in read_rows(path, columns):
        require(name not in buildings, f"{place}: {name} stands there twice")
        buildings[name] = Building(
            building_type=name,
            floor_area_m2=1e6 * number_of(area, 0, 10**6, f"{place}: area"),
            growth_per_year=number_of(growth, 0, 0.2, f"{place}: growth"),
        )
    require(buildings, f"{path}: has no building type")
    return tuple(buildings.values())


def read_loads(path, building_types, end_uses):
    """Return the typical days' hourly use of the base technologies [W/m²].

    The keys are (building type, end use), and in them (season, day type).
    """
    columns = ("building_type", "end_use", "season", "day_type") + tuple(
        f"h{hour:02d}" for hour in range(HOURS_A_DAY)
    )
    loads = {(name, use): {} for name in building_types for use in end_uses}
    for place, fields in read_rows(path, columns):
        text_in(fields[0], building_types, f"{place}: building_type")
        text_in(fields[1], end_uses, f"{place}: end_use")
        text_in(fields[2], SEASONS, f"{place}: season")
        text_in(fields[3], DAY_TYPES, f"{place}: day_type")
        days = loads[fields[0], fields[1]]
        kind = fields[2], fields[3]
        require(kind not in days, f"{place}: this day stands there twice")
        days[kind] = tuple(
            number_of(text, 0, 10**4, f"{place}: {column}")
            for column, text in zip(columns[4:], fields[4:])
        )
    for (name, use), days in loads.items():
        for kind in DAY_KINDS:
            require(
                kind in days,
                f"{path}: {name}, {use}, {', '.join(kind)} is missing",
            )
    return loads


def _carrier(fields):
    """Take a carrier out of its fields."""
    carrier = Carrier(
        price_per_kwh=fields.number("price_per_kwh", 0, 10),
        price_growth_per_year=fields.number("price_growth_per_year", -0.5, 1),
        carbon_kg_per_kwh=fields.number("carbon_kg_per_kwh", 0, 5),
        carbon_growth_per_year=fields.number(
            "carbon_growth_per_year", -0.5, 1
        ),
        price_by_hour=fields.numbers(
            "price_by_hour", HOURS_A_DAY, 0, 10, default=(1,) * HOURS_A_DAY
        ),
    )
    fields.done()
    mean = sum(carrier.price_by_hour) / HOURS_A_DAY
    require(
        abs(mean - 1) < 1e-6,
        f"{fields.place}: price_by_hour has a mean of {mean:.6g};"
        " a mean of 1 is needed",
    )
    return carrier


def _base_technology(fields, carriers, first_year):
    """Take the technology of today's stock out of its fields."""
    technology = Technology(
        name=fields.text("name"),
        carrier=fields.text("carrier", carriers),
        cost_per_m2=fields.number("cost_per_m2", 0, 10**5),
        lifetime_years=fields.whole("lifetime_years", 1, 100),
        market_entry_year=first_year,
    )
    fields.done()
    return technology


def read_assumptions(path):
    """Return the assumptions."""
    fields = Fields(read_json(path), path)
    first_year = fields.whole("first_year", 1900, 2200)
    carriers = {
        name: _carrier(inner) for name, inner in fields.children("carriers")
    }
    uncertainty = fields.child("uncertainty")
    assumptions = Assumptions(
        first_year=first_year,
        last_year=fields.whole("last_year", first_year, first_year + 100),
        discount_rate=fields.number("discount_rate", 0, 1),
        choice_sensitivity=fields.number("choice_sensitivity", 0, 100),
        heating_base_c=fields.number("heating_base_c", -20, 40),
        cooling_base_c=fields.number("cooling_base_c", -20, 40),
        peak_hours=fields.whole("peak_hours", 1, DAYS_A_YEAR * HOURS_A_DAY),
        carriers=carriers,
        base_technologies={
            end_use: _base_technology(inner, carriers, first_year)
            for end_use, inner in fields.children("base_technologies")
        },
        uncertainty={
            key: uncertainty.number(key, 0, 1)
            for key in ("choice_sensitivity", "measure_cost")
            + tuple(f"{carrier}_price" for carrier in carriers)
        },
    )
    uncertainty.done()
    fields.done()
    return assumptions


def _measure(fields, building_types, assumptions):
    """Take a measure out of its fields."""
    end_use = fields.text("end_use", tuple(assumptions.base_technologies))
    base = assumptions.base_technologies[end_use]
    technology = Technology(
        name=fields.text("name"),
        carrier=fields.text(
            "carrier", tuple(assumptions.carriers), default=base.carrier
        ),
        cost_per_m2=fields.number("cost_per_m2", 0, 10**5),
        lifetime_years=fields.whole("lifetime_years", 1, 100),
        market_entry_year=fields.whole("market_entry_year", 1900, 2300),
        relative_use=fields.number("relative_use", 0, 1),
        relative_use_per_c=fields.number(
            "relative_use_per_c", -1, 1, default=0
        ),
        reference_c=fields.number("reference_c", -60, 60, default=0),
        active_hours=fields.numbers(
            "active_hours", 2, 0, HOURS_A_DAY, default=(0, HOURS_A_DAY)
        ),
        relative_use_outside_hours=fields.number(
            "relative_use_outside_hours", 0, 1, default=1
        ),
    )
    names = _building_types(fields, building_types)
    fields.done()
    return Measure(technology, end_use, names)


def _building_types(fields, known):
    """Take the building types that a measure is for: a list or "all"."""
    names = fields.take("building_types")
    if names == "all":
        return known
    require(
        isinstance(names, list) and names,
        f'{fields.place}: building_types: a list or "all" is needed',
    )
    for name in names:
        text_in(name, known, f"{fields.place}: building_types")
    return tuple(names)


def read_measures(path, building_types, assumptions):
    """Return the measures in the file's order."""
    fields = Fields(read_json(path), path)
    measures = []
    names = {base.name for base in assumptions.base_technologies.values()}
    for number, value in enumerate(fields.items("measures"), start=1):
        place = f"{path}: measure {number}"
        measure = _measure(Fields(value, place), building_types, assumptions)
        name = measure.technology.name
        require(name not in names, f"{place}: the name {name} is taken")
        names.add(name)
        measures.append(measure)
    fields.done()
    return tuple(measures)


def read_inputs(folder):
    """Return all that the preparation step needs from a data folder."""
    assumptions = read_assumptions(folder / "assumptions.json")
    buildings = read_buildings(folder / "buildings.csv")
    names = tuple(building.building_type for building in buildings)
    return Inputs(
        assumptions=assumptions,
        buildings=buildings,
        days=read_days(folder / "weather.csv"),
        loads=read_loads(
            folder / "hourly_loads.csv",
            names,
            tuple(assumptions.base_technologies),
        ),
        measures=read_measures(
            folder / "measures.json", names, assumptions
        ),
    )
