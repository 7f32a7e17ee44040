import json
from pathlib import Path

from upheld.speech.formats.reading import read_transcripts, taken_from
from upheld.speech.formats.writing import write_transcript

call = {"id": "c1", "type": "function", "function": {"name": "tides", "arguments": '{"port": "Roscoff"}'}}
lines = [
    {"custom_id": "monday", "messages": [{"role": "user", "content": "Is the ferry late?"}]},
    {
        "custom_id": "tuesday",
        "messages": [
            {"role": "user", "content": "When is high water?"},
            {"role": "assistant", "reasoning_content": "Look it up.", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "07:12"},
            {"role": "assistant", "content": "At 07:12."},
        ],
    },
]
log = Path("log.jsonl")
log.write_text("\n".join(json.dumps(line) for line in lines) + "\n{broken\n", "utf-8")

transcripts = read_transcripts(log)
for transcript in transcripts:
    print(transcript.id, len(transcript.turns), "turns")
print(transcripts.form, dict(transcripts.left_out))
for damaged in transcripts.damaged:
    print(damaged.place, "-", damaged.why)

tuesday = taken_from(log, conversation="tuesday").transcript
for turn in tuesday.turns:
    print(f"{turn.speaker}: {turn.text}")
print(write_transcript(tuesday, form="sharegpt").count("observation"))
