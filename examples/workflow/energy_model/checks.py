# SPDX-License-Identifier: MIT
"""The model's one error, and the conditions that raise it."""

import math


class ModelError(Exception):
    """The input or a figure is wrong; its text is one line for the user."""


def require(condition, message):
    """Raise ModelError with the message unless the condition holds."""
    if not condition:
        raise ModelError(message)


def require_equal(found, expected, what):
    """Raise ModelError unless two figures of one unit are equal.

    They may differ by what rounding in long sums explains, 1e-9 of the
    larger one.
    """
    require(
        math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9),
        f"{what}: {found:.9g} where {expected:.9g} is needed",
    )
