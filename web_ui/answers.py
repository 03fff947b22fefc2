"""How the API says no: one line for a person, a key for a program."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify, request

from web_ui.words import negotiate


def refusal(status: int, key: str, en: str, zh: str, **more: Any) -> Response:
    """A JSON answer {"error", "key", "zh", "en"}; `error` is in the language that the caller prefers, else English."""
    language = negotiate(request.headers.get("Accept-Language"), "en")
    response = jsonify({"error": en if language == "en" else zh, "key": key, "zh": zh, "en": en, **more})
    response.status_code = status
    return response
