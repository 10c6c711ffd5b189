"""A large index made up of Zipf words and clustered vectors, written by binary COPY past the application role.

COPY is not to be had under row security, so the owner loads; the questions are asked as the application role.
"""

from __future__ import annotations

import struct
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
import psycopg
from numpy.typing import NDArray

from recall.embedding.minilm import DIMENSION, MODEL
from recall.postings import BLOCK

CLIENT = "scale"
VOCABULARY = 40_000
WORDS = 30  # of a unit
TURNS = 40  # of a session
KIND = "turn"
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
HEADER = b"PGCOPY\n\xff\r\n\x00" + struct.pack(">ii", 0, 0)
TRAILER = struct.pack(">h", -1)

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Project:
    """A made project: its size, its first unit's number, and the words of each unit (as numbers)."""

    id: str
    units: int
    first: int
    words: NDArray[np.int32]


def vocabulary() -> list[str]:
    """Made-up words that look like words, the commonest first."""
    onsets, vowels = "bdfgklmnprtvz", "aeou"
    syllables = [onset + vowel for onset in onsets for vowel in vowels]
    count = len(syllables)
    return [
        syllables[n % count] + syllables[n // count % count] + syllables[n // count**2 % count] + "k"
        for n in range(VOCABULARY)
    ]


def make(sizes: list[int], seed: int = 7) -> list[Project]:
    """Draw the words of every unit of projects of these sizes."""
    random = np.random.default_rng(seed)
    projects, first = [], 1
    for size in sizes:
        drawn = np.minimum(
            random.zipf(1.15, size=(size, WORDS)) * 3 + random.integers(0, 60, (size, WORDS)), 10**9
        )
        words = (drawn % VOCABULARY).astype(np.int32)
        projects.append(Project(str(uuid.UUID(int=size)), size, first, words))
        first += size
    return projects


def load(url: str, projects: list[Project], vectors_up_to: int) -> None:
    """Write projects as the owner at ``url``; vectors for projects of at most ``vectors_up_to`` units."""
    names = vocabulary()
    with psycopg.connect(url) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("INSERT INTO clients (client) VALUES (%s)", (CLIENT,))
        connection.execute("DROP INDEX search_vectors_minilm")
        rows = connection.execute(
            "SELECT coalesce((ts_lexize('english_stem', w))[1], w) FROM unnest(%s::text[]) WITH ORDINALITY AS t(w, n)"
            " ORDER BY n",
            (names,),
        )
        lexemes = [row[0].encode() for row in rows]
        for project in projects:
            connection.execute(
                "INSERT INTO projects (client, project, name) VALUES (%s, %s, 'made')", (CLIENT, project.id)
            )
            _units(connection, project, names)
            _postings(connection, project, lexemes)
            if project.units <= vectors_up_to:
                _vectors(connection, project)
        connection.execute(
            "SELECT setval(pg_get_serial_sequence('search_units', 'unit'), (SELECT max(unit) FROM search_units))"
        )
        connection.execute("SET maintenance_work_mem = '1GB'")
        connection.execute(
            "CREATE INDEX search_vectors_minilm ON search_vectors"
            " USING hnsw ((embedding::halfvec(384)) halfvec_cosine_ops)"
            " WHERE model = 'all-MiniLM-L6-v2-int8-weighted'"
        )
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE search_units, search_postings, search_stats, search_vectors")


def _units(connection: psycopg.Connection, project: Project, names: list[str]) -> None:
    columns = "client, unit, project, kind, ref, session, at, title, text, digest, own_length, whole_length"
    with connection.cursor().copy(f"COPY search_units ({columns}) FROM STDIN") as copy:
        for place in range(project.units):
            number = project.first + place
            said = " ".join([names[word] for word in project.words[place].tolist()])
            at = BEGIN + timedelta(seconds=number)
            copy.write(
                f"{CLIENT}\t{number}\t{project.id}\t{KIND}\t{number}\ts{number // TURNS}\t{at.isoformat()}\t\t{said}"
                f"\t\\\\x00\t{WORDS}\t{WORDS}\n"
            )
    connection.execute(
        "INSERT INTO search_stats (client, project, kind, units, own, whole) VALUES (%s, %s, %s, %s, %s, %s)",
        (CLIENT, project.id, KIND, project.units, project.units * WORDS, project.units * WORDS),
    )


def _postings(connection: psycopg.Connection, project: Project, lexemes: list[bytes]) -> None:
    """Count words by unit, order by word and count, and write blocks."""
    units = np.repeat(np.arange(project.units, dtype=np.int64), WORDS)
    keys = project.words.reshape(-1).astype(np.int64) * project.units + units
    distinct, counts = np.unique(keys, return_counts=True)
    words, owners = distinct // project.units, distinct % project.units + project.first
    order = np.lexsort((owners, -counts, words))
    words, owners, counts = words[order], owners[order], counts[order]
    starts = np.flatnonzero(np.r_[True, words[1:] != words[:-1]])
    ends = np.r_[starts[1:], len(words)]
    columns = "client, lexeme, project, kind, best, n, units, own, whole, own_lengths, whole_lengths"
    with connection.cursor().copy(f"COPY search_postings ({columns}) FROM STDIN (FORMAT binary)") as copy:
        copy.write(HEADER)
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            lexeme = lexemes[int(words[start])]
            for begin in range(start, end, BLOCK):
                stop = min(begin + BLOCK, end)
                copy.write(_block(project.id, lexeme, owners[begin:stop], counts[begin:stop]))
        copy.write(TRAILER)


def _block(project: str, lexeme: bytes, units: Integers, counts: Integers) -> bytes:
    many = int(counts[0])
    best = many / (many + 0.3 + 0.9 * WORDS / 100)
    small, lengths = _array(counts, "i2", 21), _array(np.full(len(units), WORDS), "i2", 21)
    fields = (
        CLIENT.encode(),
        lexeme,
        uuid.UUID(project).bytes,
        KIND.encode(),
        struct.pack(">f", best),
        struct.pack(">i", len(units)),
        _array(units, "i8", 20),
        small,
        small,
        lengths,
        lengths,
    )
    return struct.pack(">h", len(fields)) + b"".join(
        struct.pack(">i", len(field)) + field for field in fields
    )


def _array(values: Integers, kind: str, oid: int) -> bytes:
    """A one-dimensional array as the binary protocol has it: each element after its length."""
    width = int(kind[1])
    elements = np.empty(len(values), dtype=[("size", ">i4"), ("value", f">{kind}")])
    elements["size"], elements["value"] = width, values
    return struct.pack(">iiiii", 1, 0, oid, len(values), 1) + elements.tobytes()


def directions(count: int, seed: int) -> NDArray[np.float32]:
    """Vectors around 500 centres, so that nearest ones exist."""
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(1).standard_normal((500, DIMENSION)).astype(np.float32)
    found: NDArray[np.float32] = centres[random.integers(0, 500, count)] + random.standard_normal(
        (count, DIMENSION)
    ).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def _vectors(connection: psycopg.Connection, project: Project) -> None:
    columns = "client, project, model, kind, unit, dimension, embedding"
    head = struct.pack(">h", 7) + b"".join(
        struct.pack(">i", len(field)) + field
        for field in (CLIENT.encode(), uuid.UUID(project.id).bytes, MODEL.encode(), KIND.encode())
    )
    with connection.cursor().copy(f"COPY search_vectors ({columns}) FROM STDIN (FORMAT binary)") as copy:
        copy.write(HEADER)
        for numbers, rows in _batches(project):
            for number, row in zip(numbers, rows, strict=True):
                copy.write(
                    head
                    + struct.pack(">iqiii", 8, number, 4, DIMENSION, 4 + 2 * DIMENSION)
                    + struct.pack(">hh", DIMENSION, 0)
                    + row.tobytes()
                )
        copy.write(TRAILER)


def _batches(project: Project) -> Iterator[tuple[range, NDArray[np.float16]]]:
    for begin in range(0, project.units, 10_000):
        count = min(10_000, project.units - begin)
        numbers = range(project.first + begin, project.first + begin + count)
        yield numbers, directions(count, seed=project.units + begin).astype(">f2")
