"""Which classifier the settings ask for: a model only with a key, by the distiller's caller and under its caps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schema.database import Database
from workers.settings import WorkerSettings

if TYPE_CHECKING:
    from backlog.classify.boundary import Classifier


def chosen(settings: WorkerSettings, database: Database) -> Classifier:
    """Return the classifier for every client of ``database``; what it asks a model is reserved in the same ledger."""
    if settings.distiller == "anthropic" and settings.anthropic_key:
        from backlog.classify.model import ModelClassifier
        from distill.anthropic.distiller import build
        from distill.spend import caps

        distiller = build(
            database,
            settings.anthropic_key,
            model=settings.model,
            caps=caps(settings.daily_usd, settings.session_usd),
            base_url=settings.anthropic_url,
        )
        return ModelClassifier(distiller.caller, at_cap=settings.at_cap)
    from backlog.classify.offline import OfflineClassifier

    return OfflineClassifier()
