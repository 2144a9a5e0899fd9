"""Schema-driven fuzzing: whatever a body holds, the answer is one that the API documents, and never a 500."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.serve.conftest import serving

EXAMPLES = 20
# A body may give so little time that it is over before the body is found to be wrong.
REFUSED = ["400", "404", "408", "409", "413", "415", "422", "5xx"]
LIMITS = settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def operations(copier):
    with serving(copier, deadline_s=2.0) as running:
        config = SchemathesisConfig.from_dict(
            {
                "request-timeout": 30,
                "checks": {"negative_data_rejection": {"expected-statuses": REFUSED}},
            }
        )
        schema = schemathesis.openapi.from_url(f"{running.url}/openapi.json", config=config)
        yield [found.ok() for found in schema.get_all_operations()]


def test_every_operation_is_in_the_schema(operations):
    assert {operation.label for operation in operations} == {
        "POST /v1/edits",
        "POST /v1/edits:rebase",
        "POST /v1/changes",
        "GET /v1/operations",
        "POST /v1/code/apply",
        "POST /v1/chat/completions",
        "GET /v1/models",
        "GET /v1/status",
        "GET /health",
        "GET /ready",
        "GET /metrics",
    }


@pytest.mark.parametrize("mode", [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE])
def test_every_answer_is_a_documented_one(operations, mode):
    for operation in operations:
        if mode is schemathesis.GenerationMode.NEGATIVE and operation.method == "get":
            continue  # it takes nothing that could be wrong

        # A schema cannot say that a wish must say something, or that an update must fit its file.
        @LIMITS
        @given(case=operation.as_strategy(generation_mode=mode))
        def fuzz(case):
            case.call_and_validate(excluded_checks=[positive_data_acceptance])

        fuzz()
