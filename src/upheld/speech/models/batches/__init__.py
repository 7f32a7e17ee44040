"""Requests as files that a provider answers overnight, and what came back: the batch format of OpenAI, JSONL.

Replies are matched by ``custom_id``, never by place: providers answer in any order, and leave some out.
"""

from upheld.speech.models.batches.exporting import export_requests
from upheld.speech.models.batches.importing import Imported, responses_as_recording
from upheld.speech.models.batches.responses import Problem, Response, Responses, read_responses

__all__ = [
    "Imported",
    "Problem",
    "Response",
    "Responses",
    "export_requests",
    "read_responses",
    "responses_as_recording",
]
