#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run a composite action as a runner of GitHub does, as far as it is used.

    action_runner.py ACTION_YML CONTEXT_JSON

The context holds github, inputs (defaults are filled in) and labels of the
expressions. Files of the runner are made in RUNNER_TEMP. Prints each step as
`step NAME: STATUS` or `step NAME: skipped`, what upload-artifact would keep as
`kept NAME: FILE`, and `output NAME=VALUE`; exits with the action's status.
"""

import json
import os
import re
import subprocess
import sys

import yaml


class Runner:
    """The contexts of the expressions, and the files between the steps."""

    def __init__(self, action, context):
        self.action = action
        self.github = dict(context["github"])
        self.strategy = context.get("strategy", {})
        self.inputs = {
            name: self.fill(str(given.get("default", "")))
            for name, given in action["inputs"].items()
        }
        self.inputs.update(context["inputs"])
        self.steps = {}
        self.failed = 0
        self.folder = os.environ["RUNNER_TEMP"]
        self.path = os.environ["PATH"]
        self.summary = os.path.join(self.folder, "summary.md")

    def look_up(self, name):
        """Return what a name or a literal of an expression stands for."""
        if name.startswith("'"):
            return name[1:-1]
        parts = name.split(".")
        if parts[0] == "steps":
            return self.steps.get(parts[1], {}).get(parts[3], "")
        value = {
            "github": self.github,
            "inputs": getattr(self, "inputs", {}),
            "strategy": self.strategy,
        }
        for part in parts:
            value = value.get(part, "") if isinstance(value, dict) else ""
        return value

    def term(self, text):
        """Return the value of a term: a comparison or a name."""
        match = re.fullmatch(r"(\S+) (==|!=) (\S+)", text.strip())
        if match:
            same = self.look_up(match[1]) == self.look_up(match[3])
            return same == (match[2] == "==")
        if text.strip() == "always()":
            return True
        return self.look_up(text.strip())

    def expression(self, text):
        """Return the value of terms joined by && or by ||."""
        if "&&" in text:
            return all(self.term(part) for part in text.split("&&"))
        for part in text.split("||"):
            value = self.term(part)
            if value:
                break
        return value

    def fill(self, text):
        """Return text with its expressions replaced."""
        return re.sub(
            r"\$\{\{ (.*?) \}\}",
            lambda match: str(self.expression(match[1])),
            text,
        )

    def is_due(self, step):
        """Tell whether a step runs, after those before it."""
        condition = step.get("if", "success()")
        if self.failed and "always()" not in condition:
            return False
        return condition == "success()" or self.expression(condition)

    def read(self, name):
        """Return the lines of a file of the runner, which is then empty."""
        path = os.path.join(self.folder, name)
        with open(path, encoding="utf-8") as stream:
            lines = stream.read().splitlines()
        open(path, "w", encoding="utf-8").close()
        return lines

    def run_shell(self, step):
        """Run a step's lines; return the status."""
        script = os.path.join(self.folder, "script.sh")
        with open(script, "w", encoding="utf-8") as stream:
            stream.write(self.fill(step["run"]) + "\n")
        names = {"GITHUB_OUTPUT": "output", "GITHUB_PATH": "path"}
        environment = dict(os.environ, PATH=self.path)
        for variable, name in names.items():
            environment[variable] = os.path.join(self.folder, name)
            open(environment[variable], "a", encoding="utf-8").close()
        environment["GITHUB_STEP_SUMMARY"] = self.summary
        for name, value in step.get("env", {}).items():
            environment[name] = self.fill(str(value))
        assert step["shell"] == "bash"
        status = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
            env=environment,
            cwd=self.fill(step.get("working-directory", ".")),
            check=False,
        ).returncode
        outputs = dict(line.split("=", 1) for line in self.read("output"))
        self.steps[step.get("id", step["name"])] = outputs
        for line in self.read("path"):
            self.path = line + ":" + self.path
        return status

    def keep(self, step):
        """Say which files upload-artifact would keep."""
        assert step["uses"].startswith("actions/upload-artifact@")
        given = {key: self.fill(str(value)) for key, value in step["with"].items()}
        print(f"artifact {given['name']} overwrite {given['overwrite'].lower()}")
        for path in given["path"].splitlines():
            if os.path.exists(path):
                print(f"kept {given['name']}: {os.path.basename(path)}")
        return 0

    def run(self):
        """Run all steps; return the status of the first that failed."""
        for step in self.action["runs"]["steps"]:
            if not self.is_due(step):
                print(f"step {step['name']}: skipped")
                continue
            sys.stdout.flush()
            status = self.run_shell(step) if "run" in step else self.keep(step)
            print(f"step {step['name']}: {status}")
            self.failed = self.failed or status
        for name, output in self.action["outputs"].items():
            print(f"output {name}={self.fill(output['value'])}")
        return self.failed


def main():
    """Run the action that the arguments name."""
    with open(sys.argv[1], encoding="utf-8") as stream:
        action = yaml.safe_load(stream)
    with open(sys.argv[2], encoding="utf-8") as stream:
        context = json.load(stream)
    sys.exit(Runner(action, context).run())


main()
