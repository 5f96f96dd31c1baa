# SPDX-License-Identifier: MIT
"""Take fields out of what a user wrote, each checked against its range."""

import json

from .checks import ModelError, require

_MISSING = object()


def number_in(value, low, high, what):
    """Return a number within low to high; what names it in the message."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and low <= value <= high:
        return value
    raise ModelError(
        f"{what} is {_shown(value)}; a number from {low} to {high} is needed"
    )


def whole_in(value, low, high, what):
    """Return a whole number within low to high."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if is_whole and low <= value <= high:
        return value
    raise ModelError(
        f"{what} is {_shown(value)};"
        f" a whole number from {low} to {high} is needed"
    )


def number_of(text, low, high, what):
    """Return the number that a CSV field holds, within low to high."""
    try:
        value = float(text)
    except ValueError:
        value = text
    return number_in(value, low, high, what)


def whole_of(text, low, high, what):
    """Return the whole number that a CSV field holds."""
    is_whole = text.isascii() and text.isdigit() and len(text) <= 9
    value = int(text) if is_whole else text
    return whole_in(value, low, high, what)


def text_in(value, choices, what):
    """Return a text that is one of the choices."""
    if isinstance(value, str) and value in choices:
        return value
    raise ModelError(
        f"{what} is {_shown(value)}; it must be one of {', '.join(choices)}"
    )


def _shown(value):
    """Return a value as JSON, cut to what fits on a line."""
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


class Fields:
    """One JSON object, of which fields are taken one after another.

    done() at the end refuses what is left over, so that a misspelt field is
    never ignored.
    """

    def __init__(self, value, place):
        require(isinstance(value, dict), f"{place}: an object is needed")
        self._left = dict(value)
        self.place = place

    def take(self, key, default=_MISSING):
        """Return a field of any type."""
        value = self._left.pop(key, default)
        require(value is not _MISSING, f"{self.place}: {key} is missing")
        return value

    def number(self, key, low, high, default=_MISSING):
        """Return a number within low to high."""
        return number_in(self.take(key, default), low, high, self._what(key))

    def whole(self, key, low, high):
        """Return a whole number within low to high."""
        return whole_in(self.take(key), low, high, self._what(key))

    def text(self, key, choices=None, default=_MISSING):
        """Return a text, one of the choices if there are any."""
        value = self.take(key, default)
        if choices is not None:
            return text_in(value, choices, self._what(key))
        if isinstance(value, str) and value.strip():
            return value
        raise ModelError(
            f"{self._what(key)} is {_shown(value)}; a text is needed"
        )

    def numbers(self, key, count, low, high, default=_MISSING):
        """Return a tuple of count numbers within low to high."""
        values = self.items(key, default)
        require(
            len(values) == count,
            f"{self._what(key)} has {len(values)} numbers;"
            f" {count} are needed",
        )
        return tuple(
            number_in(value, low, high, f"{self._what(key)}[{index}]")
            for index, value in enumerate(values)
        )

    def items(self, key, default=_MISSING):
        """Return a list."""
        value = self.take(key, default)
        if isinstance(value, (list, tuple)):
            return value
        raise ModelError(
            f"{self._what(key)} is {_shown(value)}; a list is needed"
        )

    def child(self, key):
        """Return an object, as Fields."""
        return Fields(self.take(key), self._what(key))

    def children(self, key):
        """Yield (key, Fields) for each field of an object."""
        inner = self.take(key)
        require(
            isinstance(inner, dict) and inner,
            f"{self._what(key)}: an object with fields is needed",
        )
        for name, value in inner.items():
            yield name, Fields(value, f"{self._what(key)}: {name}")

    def done(self):
        """Refuse the fields that nobody took."""
        if self._left:
            raise ModelError(
                f"{self.place}: {min(self._left)} is not one of its fields"
            )

    def _what(self, key):
        return f"{self.place}: {key}"
