#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check the files of the example workflow, apart from its own code.

    check_workflow.py prepared FILE DATA_DIR    made with one weather year
    check_workflow.py results JSON CSV PREPARED
    check_workflow.py profile FILE              with the peak block behind it
    check_workflow.py block FILE                a peak block and nothing else

Prints what is wrong, a line each; the status is 1 if there is anything.
"""

import csv
import json
import math
import re
import sys
from collections import defaultdict

DAYS_IN_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
SEASON_OF_MONTH = (
    ["winter"] * 2 + ["spring"] * 3 + ["summer"] * 3 + ["autumn"] * 3
) + ["winter"]

BLOCK = (
    rb"\n# Elapsed time,CPU \(%\),Peak Real \(MB\),Peak Virtual \(MB\)\n"
    rb"\d+\.\d{3},\d+\.\d{3},\d+\.\d{3},\d+\.\d{3}\n"
)
PROFILE = (
    rb"\d+ function calls(?: \(\d+ primitive calls\))? in \d+\.\d{3} seconds\n"
    rb"\n"
    rb"Ordered by: cumulative time\n"
    rb"\n"
    rb"ncalls,tottime,percall,cumtime,percall,filename:lineno\(function\)\n"
    rb"(?:\d+(?:/\d+)?(?:,\d+\.\d{3}){4},[^\n]*[^\n ]\n)+"
    rb"\n\n"
)


def close(found, wanted):
    """Tell whether two figures agree as far as six decimals of terms can."""
    return math.isclose(found, wanted, rel_tol=1e-6, abs_tol=1e-4)


def read_csv(path):
    """Return the rows of a CSV file as dictionaries."""
    with open(path, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def read_json(path):
    """Return what a JSON file holds."""
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def given_use_kwh(folder):
    """Return {(building type, end use): kWh/m2 a year} of the typical days."""
    count = defaultdict(int)
    for row in read_csv(f"{folder}/weather.csv"):
        season = SEASON_OF_MONTH[int(row["month"]) - 1]
        weekend = int(row["weekday"]) > 5
        count[season, "weekend" if weekend else "weekday"] += 1
    use_kwh = defaultdict(float)
    for row in read_csv(f"{folder}/hourly_loads.csv"):
        hours = sum(float(row[f"h{hour:02d}"]) for hour in range(24))
        days = count[row["season"], row["day_type"]]
        use_kwh[row["building_type"], row["end_use"]] += days * hours / 1000
    return use_kwh


def check_prepared(path, folder):
    """Yield what is wrong with the prepared measures."""
    given = given_use_kwh(folder)
    markets = read_json(path)["markets"]
    keys = [(market["building_type"], market["end_use"]) for market in markets]
    if sorted(keys) != sorted(given):
        yield "the markets are not those of the loads"
    measures = {
        measure["name"]: measure
        for measure in read_json(f"{folder}/measures.json")["measures"]
    }
    for key, market in zip(keys, markets):
        base = market["options"][0]
        if not close(base["use_kwh_per_m2"], given[key]):
            yield f"{key}: {base['use_kwh_per_m2']} is not {given[key]}"
        for option in market["options"]:
            use = option["use_kwh_per_m2"]
            if not 0 <= use <= base["use_kwh_per_m2"] * (1 + 1e-9):
                yield f"{key}, {option['name']}: uses more than the base"
            if not close(sum(option["monthly_kwh_per_m2"]), use):
                yield f"{key}, {option['name']}: the months differ"
        for option in market["options"][1:]:
            measure = measures[option["name"]]
            varies = {"active_hours", "relative_use_per_c"} & set(measure)
            wanted = measure["relative_use"] * base["use_kwh_per_m2"]
            if not varies and not close(option["use_kwh_per_m2"], wanted):
                yield f"{key}, {option['name']}: not {wanted}"
            types = measure["building_types"]
            if types != "all" and key[0] not in types:
                yield f"{key}, {option['name']}: is not meant for it"


def check_market_year(key, rows, market, years_passed):
    """Yield what is wrong with a market's rows of one year."""
    year = int(rows[0]["year"])
    area = market["floor_area_m2"] / 1e6
    area *= (1 + market["growth_per_year"]) ** years_passed
    total = {
        column: sum(float(row[column]) for row in rows)
        for column in rows[0]
        if column not in ("building_type", "end_use", "option", "carrier")
    }
    base = market["options"][0]
    baseline = area * base["use_kwh_per_m2"]
    if not close(total["market_share"], 1):
        yield f"{key}, {year}: the shares sum to {total['market_share']}"
    if not close(total["stock_million_m2"], area):
        yield f"{key}, {year}: the stock is not {area}"
    if not close(total["used_gwh"] + total["saved_gwh"], baseline):
        yield f"{key}, {year}: used and saved are not {baseline}"
    if not 0 <= total["saved_gwh"] <= baseline:
        yield f"{key}, {year}: saves more than there is"
    for row, option in zip(rows, market["options"]):
        sold = year >= option["market_entry_year"]
        if not sold and (float(row["market_share"]) or float(row["used_gwh"])):
            yield f"{key}, {row['option']}: sold before its time"
        if float(row["saved_low_gwh"]) > float(row["saved_high_gwh"]):
            yield f"{key}, {row['option']}: low is above high"


def check_results(json_path, csv_path, prepared_path):
    """Yield what is wrong with the results."""
    groups = defaultdict(list)
    used, saved = defaultdict(float), defaultdict(float)
    for row in read_csv(csv_path):
        key = row["building_type"], row["end_use"]
        groups[key, int(row["year"])].append(row)
        used[int(row["year"])] += float(row["used_gwh"])
        saved[int(row["year"])] += float(row["saved_gwh"])
    years = [year["year"] for year in read_json(json_path)["years"]]
    if years != list(range(2025, 2051)):
        yield f"the years are {years}"
    for market in read_json(prepared_path)["markets"]:
        key = market["building_type"], market["end_use"]
        for years_passed, year in enumerate(years):
            rows = groups.pop((key, year))
            yield from check_market_year(key, rows, market, years_passed)
    if groups:
        yield "there are rows of no market"
    for year in read_json(json_path)["years"]:
        name = year["year"]
        if not math.isclose(year["used_gwh"], used[name], abs_tol=0.01):
            yield f"{name}: the rows use {used[name]}"
        if not math.isclose(year["saved_gwh"], saved[name], abs_tol=0.01):
            yield f"{name}: the rows save {saved[name]}"
        if not math.isclose(
            year["used_gwh"] + year["saved_gwh"], year["baseline_gwh"]
        ):
            yield f"{name}: used and saved are not the baseline"
        if not math.isclose(
            sum(year["used_by_carrier_gwh"].values()), year["used_gwh"]
        ):
            yield f"{name}: the carriers do not sum to what is used"
        if not 0 <= year["saved_gwh"] <= year["potential_gwh"]:
            yield f"{name}: saves more than is possible"


def check_profile(path):
    """Yield what is wrong with a profile, byte for byte."""
    with open(path, "rb") as stream:
        found = stream.read()
    if re.fullmatch(PROFILE + BLOCK, found) is None:
        yield f"{path} is not a profile with one peak block at its end"


def check_block(path):
    """Yield what is wrong with a profile CSV of a step without a profiler."""
    with open(path, "rb") as stream:
        found = stream.read()
    if re.fullmatch(BLOCK, found) is None:
        yield f"{path} is not one peak block alone"


def main():
    """Run the check that the command line names; return the status."""
    checks = {
        "prepared": check_prepared,
        "results": check_results,
        "profile": check_profile,
        "block": check_block,
    }
    problems = list(checks[sys.argv[1]](*sys.argv[2:]))
    for problem in problems[:10]:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
