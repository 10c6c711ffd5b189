"""Typed tokens whose fixed part stands inside: name, literals, how far back to look, pattern, sample, near miss."""

# fmt: off
ROWS: tuple[tuple[str, tuple[str, ...], int, str, str, str], ...] = (
    ("openai-key", ("T3BlbkFJ",), 200, "sk-[A-Za-z0-9_-]{10,200}T3BlbkFJ[A-Za-z0-9_-]{16,200}",
     "sk-<w20>T3BlbkFJ<w20>", "T3BlbkFJ<w20>"),
    ("newrelic-key", ("NRAL",), 36, "[0-9a-f]{36}NRAL", "<h36>NRAL", "<h9>NRAL"),
    ("service-key", ("_live_", "_test_", "_prod_", "_sandbox_"), 16,
     "(?<![A-Za-z0-9])[a-z]{2,12}_(?:live|test|prod|sandbox)_[A-Za-z0-9]{20,80}(?![A-Za-z0-9_])",
     "acme_live_<w32>", "acme_live_<a6>"),
    ("telegram-token", (":AA",), 11, "(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{31,35}(?![A-Za-z0-9_-])",
     "<D9>:AA<u33>", "<D9>:AA<u9>"),
    ("mailchimp-key", ("-us",), 32, "[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9_])", "<h32>-us12",
     "<h12>-us12"),
    ("maxmind-key", ("_mmk",), 37, "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", "<w6>_<w29>_mmk", "<w6>_mmk"),
    ("azure-secret", ("Q~",), 4, "[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,37}", "<w3>8Q~<w34>",
     "<w3>8Q~<w9>"),
    ("azure-devops-token", ("AZDO",), 76, "[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}", "<w76>AZDO<w4>",
     "<w9>AZDO<w4>"),
    ("azure-storage-key", ("+ASt",), 80, r"[A-Za-z0-9+/]{70,80}\+ASt[A-Za-z0-9+/]{6,8}={0,2}",
     "<b76>+ASt<w6>==", "<w9>+ASt<w6>"),
    ("azure-key", ("JQQJ99", "AzSe", "ACDb", "AzCa", "AzFu", "+ARm", "+ABa", "AIoT", "+ASb", "+AEh"), 76,
     r"[A-Za-z0-9+/_-]{30,80}(?:JQQJ99|AzSe|ACDb|AzCa|AzFu|\+ARm|\+ABa|AIoT|\+ASb|\+AEh)[A-"
     "Za-z0-9+/]{5,30}={0,2}", "<w52>JQQJ99<w26>", "<w9>JQQJ99<w4>"),
    ("terraform-token", (".atlasv1.",), 14, r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,90}",
     "<w14>.atlasv1.<w67>", "<w14>.atlasv1.<w6>"),
    ("gocardless-token", ("live_", "sandbox_"), 0, r"(?:live|sandbox)_[A-Za-z0-9_-]{40}(?![\w-])",
     "live_<w40>", "live_<a9>"),
    ("sumologic-key", ("su",), 0, "(?<![A-Za-z0-9])su[A-Za-z0-9]{12}:[A-Za-z0-9]{64}", "su<w12>:<w64>",
     "su<w12>"),
    ("generic-key", ("_sk_", "_pat_", "_key_", "_token_", "_secret_", "_api_", "-pat-", "-key-",
     "-token-", "-secret-", "-api-"), 24,
     "(?<![A-Za-z0-9])[a-z][a-z0-9]{1,14}[_-](?:sk|pat|key|token|secret|api)[_-](?=[A-Za-z"
     "]{0,40}[0-9])(?=[a-z0-9]{0,40}[A-Z]|[0-9a-f]{32})[A-Za-z0-9]{20,120}(?![A-Za-z0-9_-]" ")",
     "acme_pat_<w32>", "acme_key_<a24>"),
)
