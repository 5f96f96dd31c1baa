#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks JSON files against a schema of the project.

usage: check_schema.py SCHEMA FILE...

Knows the part of JSON Schema 2020-12 that those schemas use, and refuses a
schema with any other word, so that none is passed over in silence.  Prints
one line for each fault, "FILE: PATH: WHAT", and exits with 1 if there was one.
"""

import json
import sys

NOTES = {"$schema", "title", "description"}
WORDS = {"type", "enum", "const", "properties", "required",
         "additionalProperties", "items", "maxItems", "minimum", "maximum"}


def is_of_type(value, name):
    """Whether a value is of a type; true is no number, 1.0 no integer."""
    if name == "null":
        return value is None
    if name == "boolean":
        return isinstance(value, bool)
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, {"string": str, "array": list,
                              "object": dict}[name])


def is_same(value, other):
    """Equality that does not take true for 1."""
    return type(value) is type(other) and value == other


def check_schema(schema, path="schema"):
    """Refuses what is not checked below."""
    unknown = set(schema) - NOTES - WORDS
    if unknown:
        sys.exit("%s: %s is not known here" % (path, ", ".join(unknown)))
    others = schema.get("additionalProperties", False)
    if isinstance(others, dict):
        check_schema(others, path + ".*")
    elif others is not False:
        sys.exit(path + ": additionalProperties: false or a schema only")
    for key, below in schema.get("properties", {}).items():
        check_schema(below, path + "." + key)
    if "items" in schema:
        check_schema(schema["items"], path + "[]")


def faults_of_number(value, schema):
    """Its limits."""
    if value < schema.get("minimum", value):
        yield "%s is less than %s" % (value, schema["minimum"])
    if value > schema.get("maximum", value):
        yield "%s is more than %s" % (value, schema["maximum"])


def faults_of_object(value, schema, path):
    """Its keys, and what they hold."""
    properties = schema.get("properties", {})
    for key in schema.get("required", ()):
        if key not in value:
            yield path, key + " is missing"
    for key, below in value.items():
        if key in properties:
            yield from faults(below, properties[key], path + "." + key)
        elif isinstance(schema.get("additionalProperties"), dict):
            yield from faults(below, schema["additionalProperties"],
                              path + "." + key)
        elif "additionalProperties" in schema:
            yield path, key + " is not in the schema"


def faults(value, schema, path):
    """Pairs of a path and what is wrong there."""
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(is_of_type(value, name) for name in names):
        yield path, "%.60r is no %s" % (value, " or ".join(names))
        return
    if "const" in schema and not is_same(value, schema["const"]):
        yield path, "%.60r is not %r" % (value, schema["const"])
    if "enum" in schema and not any(is_same(value, one)
                                    for one in schema["enum"]):
        yield path, "%.60r is none of %r" % (value, schema["enum"])
    if isinstance(value, dict):
        yield from faults_of_object(value, schema, path)
    elif isinstance(value, list):
        if len(value) > schema.get("maxItems", len(value)):
            yield path, "%d items are too many" % len(value)
        for index, below in enumerate(value):
            if "items" in schema:
                yield from faults(below, schema["items"],
                                  "%s[%d]" % (path, index))
    elif is_of_type(value, "number"):
        for fault in faults_of_number(value, schema):
            yield path, fault


def no_constant(name):
    """NaN and Infinity are no JSON."""
    raise ValueError(name + " is no JSON")


def no_twins(pairs):
    """A key that stands twice is a fault that a dict would hide."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key stands twice")
    return value


def main():
    """Checks each file; 1 when one has a fault."""
    if len(sys.argv) < 3:
        sys.exit("usage: check_schema.py SCHEMA FILE...")
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    check_schema(schema)
    bad = False
    for name in sys.argv[2:]:
        try:
            with open(name, encoding="utf-8") as file:
                value = json.load(file, parse_constant=no_constant,
                                  object_pairs_hook=no_twins)
        except (OSError, ValueError) as error:
            print("%s: %s" % (name, error))
            bad = True
            continue
        for path, fault in faults(value, schema, "$"):
            print("%s: %s: %s" % (name, path, fault))
            bad = True
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
