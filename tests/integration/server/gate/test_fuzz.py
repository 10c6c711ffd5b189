"""Whatever the OpenAPI document lets one send, and much that it does not: nothing is answered with a 5xx."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.generation import GenerationMode

from server.operations import ALL
from server.rest.openapi import document

from .conftest import bearer

EXAMPLES = {GenerationMode.POSITIVE: 6, GenerationMode.NEGATIVE: 6}


@pytest.fixture(scope="module")
def described():
    """Each operation as schemathesis read it from the document."""
    schema = schemathesis.openapi.from_dict(document(ALL, "0.0.1"))
    found = (result.ok() for result in schema.get_all_operations())
    return {operation.definition.raw["operationId"]: operation for operation in found}


@pytest.mark.parametrize("mode", EXAMPLES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("name", [operation.operation_id for operation in ALL])
def test_no_input_is_answered_with_a_5xx(name, mode, described, house, served):
    token = house.token()

    @settings(
        max_examples=EXAMPLES[mode],
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=described[name].as_strategy(generation_mode=mode))
    def run(case):
        for name in [name for name in case.headers or {} if name.lower() == "authorization"]:
            del case.headers[name]  # without a token nothing would be reached
        response = case.call(base_url=served, headers=bearer(token))
        assert response.status_code < 500, (case.as_curl_command(), response.text)
        assert response.status_code != 422

    run()
