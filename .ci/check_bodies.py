#!/usr/bin/env python3
"""Holds the requests that our wire cases expect against the types of the providers' own SDKs.

A provider whose SDK is not installed is skipped, and said to be:
    pip install --target DIR openai && PYTHONPATH=DIR .ci/check_bodies.py
"""

import importlib
import json
import pathlib
import sys

CASES = pathlib.Path(__file__).resolve().parent.parent / "crates/runner/tests/wire"


def consume(value):
    """Lists of a typed request are checked as they are walked."""
    if isinstance(value, dict):
        return {key: consume(member) for key, member in value.items()}
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return [consume(element) for element in value]


def openai_responses():
    """A request without `stream`, which the SDK types apart; and each echo of a whole turn as a request's input."""
    from openai.types.responses.response_create_params import ResponseCreateParamsBase
    from pydantic import TypeAdapter

    adapter = TypeAdapter(ResponseCreateParamsBase)

    def check(body):
        body.pop("stream", None)
        consume(adapter.validate_python(body))

    def echo(items):
        # What a server sends as null goes back to it as null; the types do not know of it.
        items = [{key: member for key, member in item.items() if member is not None} for item in items]
        check({"model": "any", "input": items})

    return check, echo


# Echoes of bodies that are broken on purpose go back as they came: no SDK would have them.
BROKEN = {"malformed-names", "odd-items", "lone-surrogate"}

PROVIDERS = {"openai_responses": ("openai", openai_responses)}


def main():
    failed = 0
    for provider, (package, checks) in PROVIDERS.items():
        try:
            version = importlib.import_module(package).__version__
        except ImportError:
            print(f"skipped: {provider}: the package `{package}` is not installed")
            continue
        request, echo = checks()
        held = 0
        for case in sorted((CASES / provider).iterdir()):
            work = []
            if (case / "request.json").exists():
                work.append((request, json.loads((case / "request.json").read_text())))
            if (case / "decoded.json").exists() and case.name not in BROKEN:
                decoded = json.loads((case / "decoded.json").read_text())
                if "echo" in decoded:
                    work.append((echo, decoded["echo"]))
            for check, body in work:
                try:
                    check(body)
                    held += 1
                except Exception as error:
                    failed += 1
                    print(f"{provider}/{case.name}: {str(error)[:2000]}", file=sys.stderr)
        print(f"{provider}: {held} bodies hold against {package} {version}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
