"""OpenTelemetry spans, where the SDK is installed."""

from __future__ import annotations

import sys

import pytest

from fastedit.errors import UsageError
from fastedit.serve.settings import ServerSettings
from fastedit.serve.telemetry.tracing import Tracing
from tests.serve.conftest import SKETCH, SOURCE, serving
from tests.waiting import eventually

CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_request_and_its_edit_are_spans_below_the_callers_and_hold_no_code(copier):
    sdk = pytest.importorskip("opentelemetry.sdk.trace", reason="opentelemetry-sdk is not installed")
    export = pytest.importorskip("opentelemetry.sdk.trace.export")
    memory = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
    spans = memory.InMemorySpanExporter()
    provider = sdk.TracerProvider()
    provider.add_span_processor(export.SimpleSpanProcessor(spans))
    with serving(copier) as traced:
        traced.service.tracing = Tracing(provider)
        wish = {"content": SOURCE, "update": SKETCH, "policy": "merge"}
        traced.http.post("/v1/edits", json=wish, headers={"traceparent": CALLER})
        assert eventually(lambda: len(spans.get_finished_spans()) == 2)
    found = {span.name: span for span in spans.get_finished_spans()}
    request, edit = found["request"], found["edit"]
    assert f"{request.context.trace_id:032x}" in CALLER
    assert edit.parent.span_id == request.context.span_id
    assert request.attributes["path"] == "/v1/edits"
    assert request.attributes["status"] == 200
    assert edit.attributes["fastedit.status"] == "ok"
    assert [event.name for event in edit.events] == ["running"]
    assert "merge(base" not in str([span.to_json() for span in found.values()])


def test_a_collector_without_the_sdk_is_one_line_that_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(UsageError, match=r"\.\[otel\]"):
        Tracing.of(ServerSettings(otlp="http://127.0.0.1:4318"))


def test_without_a_collector_nothing_is_traced():
    assert Tracing.of(ServerSettings()).edit()._span is None
