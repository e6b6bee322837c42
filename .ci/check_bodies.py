#!/usr/bin/env python3
"""Holds the requests that our wire cases expect against the types of the providers' own SDKs.

A provider whose SDK is not installed is skipped, and said to be:
    pip install --target DIR openai anthropic botocore && PYTHONPATH=DIR .ci/check_bodies.py
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


def anthropic_messages():
    """A request as the beta types have it, which know all that a model's turn may hold; and each echo in one."""
    from anthropic.types.beta.message_create_params import MessageCreateParamsBase
    from pydantic import TypeAdapter

    adapter = TypeAdapter(MessageCreateParamsBase)

    def check(body):
        consume(adapter.validate_python(body))

    def echo(message):
        check({"model": "any", "max_tokens": 9, "messages": [{"role": "user", "content": "Go on."}, message]})

    return check, echo


def bedrock_converse():
    """A request and each echo by the service's own model; the model's id stands in the path."""
    from botocore.session import Session
    from botocore.validate import ParamValidator

    shape = Session().get_service_model("bedrock-runtime").operation_model("Converse").input_shape

    def check(body):
        report = ParamValidator().validate({"modelId": "any", **body}, shape)
        if report.has_errors():
            raise ValueError(report.generate_report())

    def echo(message):
        check({"messages": [{"role": "user", "content": [{"text": "Go on."}]}, message]})

    return check, echo


# Echoes of bodies that are broken on purpose go back as they came: no SDK would have them.
BROKEN = {"malformed-names", "odd-items", "lone-surrogate", "unknown-block"}

PROVIDERS = {
    "openai_responses": ("openai", openai_responses),
    "anthropic_messages": ("anthropic", anthropic_messages),
    "bedrock_converse": ("botocore", bedrock_converse),
}


def main():
    failed = 0
    for provider, (package, checks) in PROVIDERS.items():
        if not (CASES / provider).is_dir():
            print(f"skipped: {provider}: there are no cases of it")
            continue
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
