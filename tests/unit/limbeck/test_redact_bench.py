"""``limbeck bench redact`` tells recall by kind, damage, finds in code, and growth."""

import json

from limbeck.bench import redact as bench


def test_a_small_run_passes_and_says_what_it_measured(tmp_path, capsys):
    (tmp_path / "a.py").write_text(
        "password = getpass.getpass()\n" * 50 + "API_TOKEN = '" + "Zk39qqd8fjAa7Qx" + "'\n"
    )
    assert bench.run(each=1, code=tmp_path, hostile=False, show_json=True) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["passed"] is True
    assert found["damaged"] == []
    assert found["kinds"]["19-typed-token"]["hook_leaks"] == 0
    assert found["hook_hits"] == {"token": 1}
    assert bench.run(each=1, code=tmp_path, hostile=False, show_json=False) == 0
    assert "must be kept" in capsys.readouterr().out


def test_growth_is_told_apart_from_cost(monkeypatch):
    seconds = iter([0.010, 0.011, 0.040, 0.010, 0.010, 0.021])
    monkeypatch.setattr(bench, "_seconds", lambda _: next(seconds))
    assert bench.growth("x", tries=1) == (4.0, 40.0)
    ratio, slow = bench.growth("x", tries=1)
    assert ratio == 2.1
    assert slow == 21.0
