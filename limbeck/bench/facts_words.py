"""Words and wordings of the fact measures. The product imports none of them."""

from __future__ import annotations

ROLES = (
    "message bus|session store|error tracking|feature flag service|object storage|job scheduler|image resizer|"
    "log shipper|metrics backend|secret store|payment provider|PDF renderer|API gateway|rate limiter|"
    "identity provider|translation service|push notification service|address lookup|tax calculator|geocoder|"
    "video transcoder|data warehouse|audit trail|content delivery network|web server|template engine|"
    "validation library|charting library|build tool|deployment target|database|cache|search engine|task queue|"
    "test framework|linter|code formatter|package manager|email delivery|backup tool|schema registry|"
    "vector store|workflow engine|form builder|markdown parser|date library|icon set|websocket server|"
    "currency converter|fraud checker"
).split("|")

KNOWN = (
    "Postgres|MySQL|SQLite|Redis|Memcached|Kafka|RabbitMQ|NATS|Celery|Temporal|Elasticsearch|Meilisearch|pytest|"
    "Jest|Ruff|Biome|Prettier|pnpm|Bazel|Nomad|Kubernetes|Vault|Stripe|Adyen|Sentry|Loki|Grafana|Caddy|Envoy|"
    "Keycloak|Unleash|MinIO|Typst|Weaviate|Snowflake|ClickHouse|Postmark|Terraform"
).split("|")

ONSETS = "B C D F G H J K L M N P R S T V W Z Br Cr Dr Fl Gl Kr Pl Qu Sk St Tr Vl".split(" ")
MIDDLES = "a e i o u ai ea ou io ar en il or un".split(" ")
ENDS = "bex dora fik gano lume mint nex pod quil rast sero tiva vex wick xon yard zen lith motion forge".split(" ")

REASONS = (
    "it is easier to run|the old one was too slow|it scales better|the licence is friendlier|"
    "two teams already know it|it costs less|it needs no extra server|support answers within a day"
).split("|")

FIRST = (
    "We use {v} for the {r}.",
    "The {r} is {v}.",
    "{v} is our {r}.",
    "{R}: {v}",
    "For the {r} we use {v}.",
    "We decided on {v} for the {r} because {why}.",
    "Let's go with {v} for the {r}, {why}.",
    "The {r} runs on {v}.",
    "Our {r} is {v}.",
    "We chose {v} as the {r}, since {why}.",
    "I set up {v} as our {r}. We use {v} for the {r} from here on.",
    "Decision: we use {v} as the {r}.",
)
CHANGE = (
    "We switched the {r} from {o} to {v}.",
    "The {r} is now {v}.",
    "We moved the {r} to {v}.",
    "{v} replaced {o} as the {r}.",
    "We use {v} instead of {o} for the {r} now.",
    "We replaced {o} with {v} for the {r}.",
    "The {r} moved from {o} to {v} because {why}.",
    "From now on we use {v} for the {r}.",
    "The {r} now runs on {v}.",
    "We migrated the {r} from {o} to {v} last week.",
    "As of today the {r} is {v}.",
    "We're switching from {o} to {v} for the {r} so that the build stays simple.",
    "We dropped {o} in favour of {v} for the {r}.",
    "The {r} was migrated to {v}.",
    "Let's use {v} rather than {o} for the {r}.",
)
REVERT = (
    "We went back to {v} for the {r}.",
    "We moved the {r} back to {v}.",
    "The {r} is {v} again.",
    "We switched the {r} back to {v} because {why}.",
    "The {r} is back on {v}.",
)
AGAIN = (
    "Remember that the {r} is {v}.",
    "As agreed, we use {v} for the {r}.",
    "{v} is still our {r}.",
    "We are sticking with {v} for the {r}.",
    "The {r} still runs on {v}.",
)
REQUEST = ("Please move the {r} to {v}.", "Switch the {r} to {v}, please.", "Move the {r} from {o} to {v}.")
REPORT = ("Done: the {r} now runs on {v}.", "The {r} is now {v}; I updated the settings.", "Switched the {r} to {v}.")
NOISE = (
    "Should we use {x} for the {r}?",
    "Maybe {x} would be better as the {r}.",
    "We could use {x} for the {r} one day.",
    "I wonder whether {x} is a good {r}.",
    "If {x} gets cheaper we might switch the {r} to {x}.",
    "What about {x} for the {r}?",
    "We plan to evaluate {x} for the {r} next quarter.",
    "The docs say that {x} is a popular {r}.",
    "I tried {x} for the {r} but it did not help.",
    "Yesterday I read that most teams use {x} for the {r}?",
)
CHATTER = (
    "Please rename the helper in utils.",
    "Can you explain how the retry works?",
    "The build is green again, thanks.",
    "Add a test for the empty list, please.",
    "Nice, ship it.",
)
PLATFORMS = (
    "Firefox|Safari|Chrome|Edge|Android|iOS|Windows|macOS|FreeBSD|Debian|Ubuntu|Alpine|ARM64|RISC-V|Node 20|Node 22|"
    "Python 3.12|Python 3.13|Java 21|PHP 8.3"
).split("|")
SUPPORT = ("We support {v}.", "We also support {v}.", "The project supports {v}.", "We now support {v} too.")
UNSUPPORT = ("We no longer support {v}.", "We dropped support for {v}.", "The project no longer supports {v}.")
QUESTIONS = (
    "What do we use for the {r}?",
    "Which {r} do we use?",
    "What is the {r} now?",
    "what is our current {r}",
    "{r}",
)
