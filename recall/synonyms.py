"""Short and long names of the same thing, as people in software use them; expanded at low weight."""

from __future__ import annotations

WEIGHT = 0.25

_GROUPS = """
    db database
    auth authentication authorization login signin
    k8s kubernetes
    config configuration settings
    env environment
    repo repository
    dir directory folder
    deps dependencies dependency
    pkg package
    fn function
    perf performance latency
    docs documentation
    msg message
    err error
    param parameter
    arg argument
    impl implementation
    prod production
    dev development
    infra infrastructure
    postgres postgresql pg
    mongo mongodb
    js javascript
    ts typescript
    py python
    rs rust
    tf terraform
    ci pipeline
    ui frontend
    api endpoint
    queue broker
    cache caching
    async asynchronous
    sync synchronous
    tz timezone
    ws websocket
    regex regexp
    id identifier
    admin administrator
    spec specification
    temp temporary tmp
    delete remove
    bug defect
    crash panic segfault
    creds credentials
    pwd password
    migrate migration
    deploy deployment
"""

EXPANSIONS: dict[str, tuple[str, ...]] = {
    word: tuple(other for other in group if other != word)
    for group in (line.split() for line in _GROUPS.strip().splitlines())
    for word in group
}
