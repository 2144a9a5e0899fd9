"""OpenTelemetry spans: one a request, below it one an edit. They hold names, numbers and times, never code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from fastedit.errors import UsageError, not_installed
from fastedit.result import Receipt
from fastedit.serve.settings import ServerSettings

_COUNTS = (
    "prompt_tokens",
    "output_tokens",
    "generated_tokens",
    "passes",
    "undrafted_passes",
    "rewritten_chars",
)


class Tracing:
    """Spans for a provider of the OpenTelemetry SDK; without one nothing happens."""

    def __init__(self, provider: Any = None) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("fastedit") if provider is not None else None

    @classmethod
    def of(cls, settings: ServerSettings) -> Tracing:
        """Sends to the collector that the settings name. Raises UsageError where the SDK is not installed."""
        if settings.otlp is None:
            return cls()
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ModuleNotFoundError as error:
            raise UsageError(f"otlp: {not_installed(str(error.name), 'otel')}") from None
        provider = TracerProvider(resource=Resource.create({"service.name": "fastedit"}))
        exporter = OTLPSpanExporter(endpoint=settings.otlp.rstrip("/") + "/v1/traces")
        provider.add_span_processor(BatchSpanProcessor(exporter))
        return cls(provider)

    @contextmanager
    def request(self, headers: Mapping[str, str]) -> Iterator[Any]:
        """The span of a request, below the caller's own where it sends a `traceparent`; None without a provider."""
        if self._tracer is None:
            yield None
            return
        from opentelemetry import propagate, trace

        caller = propagate.extract(headers)
        with self._tracer.start_as_current_span("request", caller, trace.SpanKind.SERVER) as span:
            yield span

    def edit(self) -> EditSpan:
        """The span of an edit that was just asked for, below the current request's."""
        return EditSpan(self._tracer.start_span("edit") if self._tracer is not None else None)

    def close(self) -> None:
        """Sends what is left."""
        if self._provider is not None:
            self._provider.shutdown()


class EditSpan:
    """Begins in the queue; its event `running` is where a worker took the edit."""

    def __init__(self, span: Any) -> None:
        self._span = span

    @contextmanager
    def running(self) -> Iterator[None]:
        """On the worker's thread; the span ends with the edit, also where that is cancelled."""
        if self._span is None:
            yield
            return
        self._span.add_event("running")
        try:
            yield
        finally:
            self._span.end()

    def note(self, receipt: Receipt, status: str) -> None:
        """What the edit came to."""
        if self._span is None:
            return
        self._span.set_attribute("fastedit.status", status)
        self._span.set_attribute("fastedit.policy", receipt.policy)
        for name in _COUNTS:
            self._span.set_attribute(f"fastedit.{name}", getattr(receipt, name))
        if receipt.first_hunk_ms is not None:
            self._span.set_attribute("fastedit.first_hunk_ms", receipt.first_hunk_ms)
