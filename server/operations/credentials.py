"""Tokens: who may ask, until when; made here once and never shown again."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from schema.projects import every
from server.errors import NotAllowed
from server.operation import Call, Input, Operation, Output
from server.principal import Right
from server.reach import everywhere
from server.tokens import store

TAG = "Tokens"
Label = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")]


class ListTokensInput(Input):
    """Nothing needs to be said."""


class TokenOutput(Output):
    """A token without its secret."""

    id: str
    name: str
    user: str
    agent: str | None
    projects: list[str] | None = Field(description="Names of the projects it may see; null for all.")
    right: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    used_at: datetime | None


class TokensOutput(Output):
    """Tokens, newest first."""

    tokens: list[TokenOutput]


class CreateTokenInput(Input):
    """Whom it speaks for and what it may do."""

    name: Label = Field(description="What you will know it by.")
    user: Label = Field(description="Whom it speaks for.")
    agent: Label | None = Field(None, description="The agent it is for, as claude or codex.")
    projects: list[Label] | None = Field(
        None, min_length=1, max_length=100, description="Projects it may see; left out, all of them."
    )
    right: Literal["read", "write", "admin"] = "write"
    days: Annotated[int | None, Field(ge=1, le=3650, description="Days until it ends; else it does not.")] = (
        None
    )


class CreatedToken(Output):
    """The new token, this one time."""

    id: str
    token: str


class RevokeTokenInput(Input):
    """Which token."""

    id: str = Field(pattern="^[0-9a-f]{16}$", description="Its id.")


class RevokedToken(Output):
    """What ended."""

    revoked: list[str]


def list_tokens(call: Call, _: ListTokensInput) -> TokensOutput:
    """Every token of the client. Raises NotAllowed."""
    everywhere(call, "the list of tokens")
    client = call.principal.client
    with call.tenant() as connection:
        rows = store.listed(connection, client)
        names = dict(every(connection, client))
    return TokensOutput(
        tokens=[
            TokenOutput(
                user=row["user_name"],
                right=row["may"],
                projects=None
                if row["projects"] is None
                else [names.get(one, one) for one in row["projects"]],
                **{
                    key: row[key]
                    for key in ("id", "name", "agent", "created_at", "expires_at", "revoked_at", "used_at")
                },
            )
            for row in rows
        ]
    )


def create_token(call: Call, given: CreateTokenInput) -> CreatedToken:
    """Make a token, for any user of the client. Raises NotAllowed, BadInput, and Missing for a project that is none."""
    everywhere(call, "making a token")
    right = Right(given.right)
    if not call.principal.right.covers(right):
        raise NotAllowed(why=f"nobody makes a token with a wider right ({right}) than their own")
    with call.tenant() as connection:
        projects = None
        if given.projects is not None:
            projects = [call.project(connection, name) for name in given.projects]
        made = store.create(
            connection,
            call.principal.client,
            name=given.name,
            user=given.user,
            agent=given.agent,
            projects=projects,
            right=right,
            now=call.now,
            expires=None if given.days is None else call.now + timedelta(days=given.days),
        )
    return CreatedToken(id=made.id, token=made.text)


def revoke_token(call: Call, given: RevokeTokenInput) -> RevokedToken:
    """End a token and every visit that began with it. Raises Missing, NotAllowed."""
    everywhere(call, "the list of tokens")
    with call.tenant() as connection:
        return RevokedToken(revoked=store.revoke(connection, call.principal.client, given.id, call.now))


OPERATIONS = (
    Operation(
        name="list_tokens",
        purpose="Who may ask the server, with which right, until when, and when each was last used?",
        input=ListTokensInput,
        output=TokensOutput,
        right=Right.ADMIN,
        method="GET",
        path="/v1/tokens",
        run=list_tokens,
        tag=TAG,
        tool=False,
        by_hand=True,
    ),
    Operation(
        name="create_token",
        purpose="Make a token for a person or an agent. It is shown this one time.",
        input=CreateTokenInput,
        output=CreatedToken,
        right=Right.ADMIN,
        method="POST",
        path="/v1/tokens",
        run=create_token,
        tag=TAG,
        status=201,
        tool=False,
        by_hand=True,
    ),
    Operation(
        name="revoke_token",
        purpose="End a token from now on; whoever is signed in with it is signed out.",
        input=RevokeTokenInput,
        output=RevokedToken,
        right=Right.ADMIN,
        method="DELETE",
        path="/v1/tokens/{id}",
        run=revoke_token,
        tag=TAG,
        tool=False,
        by_hand=True,
    ),
)
