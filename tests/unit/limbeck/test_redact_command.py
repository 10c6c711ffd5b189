"""``limbeck redact`` on files, on JSON lines, and on what is neither."""

import json

import pytest

from limbeck.commands.redact import FileUnreadable, Nets, NoSuchField, NotAJsonLine, redact

SECRET = "Zk39qqd8fj" + "Aa7"


@pytest.mark.parametrize("net", list(Nets))
def test_a_file_goes_through_each_net_and_keeps_its_other_bytes(tmp_path, capsysbinary, net):
    path = tmp_path / "notes"
    path.write_bytes(b"caf\xe9 \xff\r\nDB_PASSWORD=" + SECRET.encode() + b"\r\nlast line")
    assert redact([path], net=net) == 0
    assert capsysbinary.readouterr().out == b"caf\xe9 \xff\r\nDB_PASSWORD=[REDACTED:password]\r\nlast line"


def test_the_named_field_of_each_line_is_redacted_and_the_rest_unchanged(tmp_path, capsysbinary):
    lines = [
        '{"id":1,  "text": "plain"}',
        json.dumps({"id": SECRET, "text": f"password={SECRET}"}),
        '{"text": 3}',
        "",
        json.dumps({"text": {"password": SECRET, "n": [1, "x"]}}),
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(lines) + "\n")
    assert redact([path], jsonl="text", counts=True) == 0
    captured = capsysbinary.readouterr()
    out = captured.out.decode().split("\n")
    assert out[0] == lines[0]
    assert json.loads(out[1]) == {"id": SECRET, "text": "password=[REDACTED:password]"}
    assert out[2:4] == ['{"text": 3}', ""]
    assert json.loads(out[4]) == {"text": {"password": "[REDACTED:password]", "n": [1, "x"]}}
    assert json.loads(captured.err) == {"password": 2}


def test_a_line_without_the_named_field_is_an_error_and_not_printed(tmp_path, capsysbinary):
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps({"text": "x"}) + "\n" + json.dumps({"other": SECRET}) + "\n")
    with pytest.raises(NoSuchField, match=r"Line 2 of .*in\.jsonl has no field text"):
        redact([path], jsonl="text")
    assert SECRET.encode() not in capsysbinary.readouterr().out


def test_bad_input_is_told_in_a_sentence(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"text": "x"}\n[1]\n')
    with pytest.raises(NotAJsonLine, match=r"Line 2 of .*in\.jsonl is not a JSON object: it is a list"):
        redact([path], jsonl="text")
    with pytest.raises(FileUnreadable, match="none cannot be read: No such file"):
        redact([tmp_path / "none"])
