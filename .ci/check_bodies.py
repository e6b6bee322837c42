#!/usr/bin/env python3
"""Holds the requests that our wire cases expect against the types of the providers' own SDKs.

A provider whose SDK is not installed is skipped, and said to be:
    pip install --target DIR openai anthropic google-genai ollama mistralai botocore
    PYTHONPATH=DIR .ci/check_bodies.py
"""

import importlib.metadata
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


def lost(ours, theirs, at=""):
    """Members of ours that a type did not keep: it does not know them."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key, member in ours.items():
            if key not in theirs:
                yield f"{at}/{key}"
            else:
                yield from lost(member, theirs[key], f"{at}/{key}")
    elif isinstance(ours, list) and isinstance(theirs, list):
        for place, (member, kept) in enumerate(zip(ours, theirs)):
            yield from lost(member, kept, f"{at}/{place}")


def keeps_all(body, kept):
    unknown = list(lost(body, kept))
    if unknown:
        raise ValueError("unknown members: " + ", ".join(unknown))


def openai_chat():
    """A request without `stream`, which the SDK types apart; and each echo in one, without what dialects add to it."""
    from openai.types.chat.completion_create_params import CompletionCreateParamsBase
    from pydantic import TypeAdapter

    adapter = TypeAdapter(CompletionCreateParamsBase)

    def check(body):
        body.pop("stream", None)
        keeps_all(body, consume(adapter.validate_python(body)))

    def echo(message):
        call = {"id", "type", "function"}
        calls = [{key: call_[key] for key in call_ if key in call} for call_ in message["tool_calls"]]
        known = {key: message[key] for key in ("role", "content", "refusal") if key in message}
        check({"model": "any", "messages": [{**known, "tool_calls": calls}]})

    return check, echo


def openrouter():
    """As chat completions have it, without the members that OpenRouter adds."""
    check, echo = openai_chat()
    own = {"provider", "reasoning", "models", "route", "transforms", "plugins", "usage"}

    def request(body):
        messages = [
            {key: member for key, member in message.items() if key not in ("reasoning", "reasoning_details")}
            for message in body["messages"]
        ]
        check({key: member for key, member in {**body, "messages": messages}.items() if key not in own})

    return request, echo


def mistral():
    """A request, and each echo in one, by the types that the SDK itself reads a request into."""
    from mistralai.client.models import ChatCompletionRequest

    def check(body):
        kept = ChatCompletionRequest.model_validate(body)
        keeps_all(body, kept.model_dump(mode="json", by_alias=True))

    def echo(message):
        check({"model": "any", "messages": [{"role": "user", "content": "Go on."}, message]})

    return check, echo


def gemini():
    """The parts of a request, whose types take no member that they do not know; and each echo as one of its contents."""
    from google.genai import types

    parts = {
        "systemInstruction": types.Content,
        "toolConfig": types.ToolConfig,
        "generationConfig": types.GenerationConfig,
    }
    lists = {"contents": types.Content, "tools": types.Tool, "safetySettings": types.SafetySetting}
    others = {field.alias or name for name, field in types.GenerateContentConfig.model_fields.items()}

    def check(body):
        for key, member in body.items():
            if key in parts:
                parts[key].model_validate_json(json.dumps(member))
            elif key in lists:
                [lists[key].model_validate_json(json.dumps(element)) for element in member]
            elif key not in others:
                raise ValueError(f"unknown member: {key}")

    def echo(content):
        check({"contents": [{"role": "user", "parts": [{"text": "Go on."}]}, content]})

    return check, echo


def ollama():
    """A request, and each echo in one."""
    from ollama._types import ChatRequest, Message

    def check(body):
        for message in body["messages"]:
            # Arguments that are no object go back as they came.
            for call in message.get("tool_calls") or []:
                if isinstance(call["function"].get("arguments"), str):
                    call["function"]["arguments"] = {}
            keeps_all(message, Message.model_validate(message).model_dump(exclude_unset=True))
        # The client's own types keep of a schema what they know; the server takes all of it.
        for tool in body.get("tools", []):
            tool["function"].pop("parameters", None)
        keeps_all(body, ChatRequest.model_validate(body).model_dump(exclude_unset=True))

    def echo(message):
        # Ids and numbers of calls come from newer servers than the client knows, and go back to them.
        calls = message["tool_calls"]
        for call in calls if isinstance(calls, list) else []:
            call.pop("id", None)
            call["function"].pop("index", None)
        check({"model": "any", "messages": [{"role": "user", "content": "Go on."}, message]})

    return check, echo


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
BROKEN = {
    "gemini/malformed-arguments",
    "lone-surrogate",
    "malformed-names",
    "odd-items",
    "ollama/calls-without-a-list",
    "ollama/malformed-arguments",
    "unknown-block",
}

PROVIDERS = {
    "openai_chat": ("openai", openai_chat),
    "azure_openai": ("openai", openai_chat),
    "openrouter": ("openai", openrouter),
    "mistral": ("mistralai", mistral),
    "gemini": ("google-genai", gemini),
    "ollama": ("ollama", ollama),
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
            version = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            print(f"skipped: {provider}: the package `{package}` is not installed")
            continue
        request, echo = checks()
        held = 0
        for case in sorted((CASES / provider).iterdir()):
            work = []
            if (case / "request.json").exists():
                work.append((request, json.loads((case / "request.json").read_text())))
            if (case / "decoded.json").exists() and BROKEN.isdisjoint({case.name, f"{provider}/{case.name}"}):
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
