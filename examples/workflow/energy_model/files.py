# SPDX-License-Identifier: MIT
"""Read and write the model's files, with errors that name file and line."""

import csv
import json
import os

from .checks import ModelError, require


def read_text(path):
    """Return the text of a UTF-8 file."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ModelError(f"{path}: not a UTF-8 text") from None


def write_text(path, text):
    """Write a text over what a file holds, as UTF-8."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None


def read_json(path):
    """Return the value that a JSON file holds."""
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ModelError(
            f"{path}:{error.lineno}: not JSON: {error.msg}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path}: not usable JSON: {error}") from None


def read_rows(path, columns):
    """Yield (place, fields) for each row of a CSV file with these columns.

    The place, FILE:LINE, is for messages; the fields are texts without
    quotes and commas.
    """
    lines = read_text(path).split("\n")
    require(
        lines[0].rstrip("\r") == ",".join(columns),
        f"{path}:1: the columns must be {','.join(columns)}",
    )
    for number, line in enumerate(lines[1:], start=2):
        place = f"{path}:{number}"
        fields = line.rstrip("\r").split(",")
        if fields == [""]:
            continue
        require(
            len(fields) == len(columns),
            f"{place}: {len(fields)} fields where {len(columns)} are needed",
        )
        yield place, fields


def _write(path, write_to):
    """Write a whole file or leave the one that is there."""
    partial = path.with_name(path.name + ".partial")
    try:
        with open(partial, "w", encoding="utf-8", newline="") as stream:
            write_to(stream)
        os.replace(partial, path)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror}") from None
    finally:
        partial.unlink(missing_ok=True)


def write_json(path, value):
    """Write a value as JSON."""

    def write_to(stream):
        json.dump(value, stream, indent=1, allow_nan=False)
        stream.write("\n")

    _write(path, write_to)


def write_rows(path, columns, rows):
    """Write rows of texts and numbers as CSV under a header line."""

    def write_to(stream):
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)

    _write(path, write_to)
