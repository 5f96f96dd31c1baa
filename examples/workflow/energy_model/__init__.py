# SPDX-License-Identifier: MIT
"""A small energy model of a building stock, in two steps.

preparation    hourly use of every measure, from typical days and weather
competition    who buys what, and what the stock then uses
"""
