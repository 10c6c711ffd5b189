"""How a sentence is meant: asked, guessed, planned, tried, reported, decided, ruled."""

from __future__ import annotations

import re
from enum import StrEnum

from distill.offline.clauses import main_clause, without_reason
from distill.offline.spelling import in_full


class Mood(StrEnum):
    """The force of a sentence; only STATED, DECIDED and RULED can carry facts."""

    QUESTION = "question"
    GUESS = "guess"
    PLAN = "plan"
    REPORTED = "reported"
    DEAD_END = "dead end"
    DECIDED = "decided"
    RULED = "ruled"
    STATED = "stated"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_QUESTION = _any(
    r"\?\s*[\"')]*$",
    r"^(?:what|why|how|where|when|who|which|is|are|was|were|do|does|did|can|could|would|shall|should (?:we|i))\b"
    r"(?!.*[.!]$)",
)
_GUESS = _any(
    r"\b(?:maybe|perhaps|might|possibly|probably|presumably|hypothes\w*|suspect\w*|wonder\w*|guess\w*|assum\w+)\b",
    r"\b(?:could|would)\b(?! not\b)|"
    r"(?<!\d )(?<!\dth )(?<!of )(?<!in )(?<!by )(?<!mid )(?<!early )(?<!late )\bmay\b(?! (?:not|\d))",
    r"\b(?:i'd|recommend\w*|imo|afaik)\b|\bonce (?:the|we|it|this|that)\b",
    r"\b(?:not sure|unsure|unclear|i think|i believe|i feel|seems?|looks like|appears to|in theory|what if)\b",
    r"\b(?:some ?day|next (?:year|quarter|month|week|sprint)|eventually|at some point|in the future|one day)\b",
    r"\b(?:considering|consider|thinking about|options?|alternatives?|candidates?|proposals?|proposed|suggest\w*)\b",
    r"^(?:if|unless|whether|suppose|imagine)\b|\bshould we\b|\bwe should probably\b|, if\b|\bif (?:we|it|you|i)\b",
)
_PLAN = _any(
    r"\b(?:plan(?:s|ned|ning)? (?:to|on|for)|intend(?:s|ed)? to|want(?:s|ed)? to|would like|hope to)\b",
    r"\b(?:going to|need to)\b",
    r"\b(?:todo|to do|next steps?|later on|soon|upcoming|roadmap|sketch\w*|draft\w*|prototype\w*|spike)\b",
    r"\b(?:try|trying|tried|let me|experiment\w*|play with)\b",
    r"\b(?:evaluat\w+|test(?:ing)? out|explor(?:e|es|ed|ing)|investigat\w+)\b",
    r"\bi(?:'ll| will)\b",
)
_NOT_SO = _any(
    # what has not happened, and what is meant to pass
    r"\b(?:not|never)\b[^.;]*\byet\b|n['’]t\b[^.;]*\byet\b",
    r"(?:\b(?:have|has|had|did|are|is|was|were)(?: not|n['’]t)|\bnever) (?:\w+ )?"
    r"(?:mov|switch|migrat|replac|chang|adopt|introduc|approv|decid)\w*",
    r"\b(?:(?:just|only) for (?:today|this|the (?:demo|test|debugging|session))|temporar(?:y|ily)|throw-?away)\b",
    r"\bfor (?:today|tonight|(?:the next )?(?:an|few|\d+) (?:hours?|minutes)|this (?:debugging )?session|an hour)\b",
    r"\buntil (?:you|i|further notice|tomorrow|tonight|then)\b",
    r"\b(?:open|pending|unmerged|draft) (?:prs?|pull requests?|mrs?|merge requests?)\b",
)
_REPORTED = _any(
    r"\b(?:page|docs?|documentation|readme|vendor|article|blog|website|log|output|error|they|he|she|someone|it|comment|"
    r"issue|ticket|paper|tutorial|chatgpt)\b (?:\w+ )?(?:says?|said|claims?|claimed|recommends?|states?|"
    r"stated|reads|suggests?|tells?|told|wants?)\b",
    r"\b(?:the|an?|their|some|another|other) (?!team|whole|entire)\w+ teams?\b.*\b(?:uses?|runs?|has|have)\b",
    # what somebody else changed or has
    r"\b(?:(?:the|an?|one|our|this|that|their|another|some) (?:\w+ )?(?:customer|vendor|competitor|partner|supplier|"
    r"tenant|agency|parent company)s?|competitors|customers|they)\b (?:have |has |had |all |just |recently |already )*"
    r"(?:now )?(?:replac|mov|switch|migrat|dropp|ditch|adopt|chang|trad|swapp|retir)\w*ed?\b",
    r"\b(?:my|his|her) (?:last|previous|old|former) (?:job|company|team|employer)\b|\bblog post\b",
    r"\b(?:says?|said|wrote|writes|claims?|claimed|asks?|asked|suggests?|reads?)\s*:",
    r"\baccording to\b|\bfor example\b|\be\.g\.|\bsuch as\b|\bimagine\b",
)
_DEAD_END = _any(
    r"\b(?:did|does|do|was|is)(?:n't| not) (?:help|work|pan out|solve|fix|scale|worth)\w*\b",
    r"\b(?:won't|will not|cannot|can't) work\b|\bnever worked\b|\bfailed to (?:help|solve|fix)\b",
    r"\bdead[- ]end\b|\bgave up on\b|\bgiv(?:e|ing) up on\b|\babandon(?:ed|ing)?\b|\bruled out\b|\bno improvement\b",
    r"\bback(?:ed|ing) (?:it|that|this|them|the change|the \w+) out\b|\bback(?:ed|ing) out\b",
    r"\broll(?:ed|ing) back\b|\bturned out (?:to be )?(?:wrong|useless|not)\b|\bwrong (?:approach|track|path|turn)\b",
    r"\b(?:i|we) reverted\b(?!.*\bto\b)|\breverted (?:it|that|this|the (?:change|attempt|experiment))\b",
    r"\bcould(?:n't| not) get\b|\bput (?:it|that|everything) back\b|\breverted everything\b",
    r"\bmade (?:it|things) worse\b|\bonly hid\b|\bscrapped\b|\bthrew (?:it|that) away\b|\bto no avail\b",
)
_DECIDED = _any(
    r"\bdecid(?:ed|es?|ing)\b|\bdecision\b(?! (?:is|was) (?:open|pending))|\b(?:chose|chosen|choose|picked|opted)\b",
    r"\bsettl(?:ed|e|ing) (?:on|for)\b|\bagreed (?:on|to|upon)\b|\bwe(?:'ve| have)? agreed\b",
    r"\b(?:go|goes|going|went|gone) (?:with|for|back to)\b|\bstick(?:ing)? (?:with|to)\b|\bit is\b(?=\s*[.!,;]|$)",
    r"\blet'?s (?:use|go|keep|stick|switch|move|drop|make|adopt|replace|stay|standardi[sz]e|migrate|store|put|run)\b",
    r"\bwe(?:'ll| will|'re| are) (?:use|using|go|going|keep|keeping|switch|switching|move|moving|migrat\w+|adopt\w*|"
    r"drop|dropping|replac\w+|stay|staying|standardi[sz]\w+|stick|sticking)\b(?! to (?:try|plan))",
    r"\b(?:instead of|rather than|in favou?r of)\b|\bstandardi[sz](?:e|ed|ing) on\b|\badopt(?:ed|ing)?\b",
    r"\b(?:switch|mov|migrat|chang|convert|port)(?:es|e|ed|ing|s)?\b[^.]{0,60}"
    r"\b(?:from\b.{1,40}\bto|over to|back to)\b",
    r"^(?:please )?(?:use|switch|migrate|replace)\b.{1,60}\b(?:for|as|with|to)\b",
    r"\bwe drop\b|\breplac(?:e|es|ed|ing)\b.{1,40}\b(?:with|by)\b",
)
_RULED = _any(
    r"(?<!\bis )(?<!\bwas )\b(?:always|never)\b(?! (?!pass|process|access|use|focus|discuss|express)\w{2,}s\b)",
    r"\bfrom now on\b|\bconventions?\b|\bhouse rule\b",
    r"^(?:the )?rule\b|\brule (?:for|is|of|here)\b",
    r"\b(?:in|across|throughout) (?:this|the|our) (?:repo\w*|project|code ?base|team|monorepo)\b|\bproject-wide\b",
    r"\beverywhere\b|\bmake sure (?:to|that|every|all|each)\b|\bprefer\b.+\b(?:over|to)\b",
    r"\b(?:every|all|each|any|no)\b[^.,;]{0,60}"
    r"\b(?:must|should|shall|has to|have to|needs? to|go(?:es)?|gets?|lives?)\b",
    r"\bmust(?: not|n't)?\b|^(?:\w+ )?\w+s should\b",
    r"^(?:please )?keep \w+(?: \w+)? (?:under|below|within|short|small|at most|to)\b",
    r"^(?:please )?(?:don't|do not|avoid)\b(?!.*\b(?:the|this|that|it|yet|now|me)\b)",
    r"\b(?:follow|follows|are named|is named|are written|are prefixed|begin|start) (?:with |in |the )?\S+.*\bhere\b",
    r"\bour (?:convention|standard|style|policy|practice) is\b|\bby convention\b|\bthe convention\b|\bas a rule\b",
)
_PLANNED_DECISION = _any(
    r"\b(?:we(?:'re| are) going (?:with|for|to (?:use|stick|keep|move|switch|drop|go)))\b",
    r"\bwe(?:'ll| will) (?:use|go|keep)\b",
    r"\bdecided\b|\bsettled on\b|\bagreed (?:on|to)\b|\bchose\b",
)
_HARD_GUESS = _any(
    r"\b(?:maybe|perhaps|might|not sure|unsure|wonder|what if|should we|some ?day|next (?:year|quarter)|could|would)\b",
    r"^(?:if|unless|suppose|imagine)\b",
)


def mood(sentence: str) -> Mood:
    """Return the force of one sentence. Doubt wins over everything, a firm decision over a plan's words."""
    said = in_full(sentence.strip())
    text, whole = main_clause(said), without_reason(said)
    firm = bool(_PLANNED_DECISION.search(text)) and not _HARD_GUESS.search(text)
    checks = (
        (Mood.QUESTION, bool(_QUESTION.search(text)) and not firm),
        (Mood.REPORTED, bool(_REPORTED.search(text)) and not firm),
        (Mood.DEAD_END, bool(_DEAD_END.search(text)) and not (firm and _DECIDED.match(text))),
        (Mood.PLAN, bool(_NOT_SO.search(whole))),
        (Mood.GUESS, bool(_GUESS.search(text)) and not firm),
        (Mood.PLAN, bool(_PLAN.search(text)) and not firm and not _RULED.search(text)),
    )
    for found, holds in checks:
        if holds:
            return found
    ruled, decided = bool(_RULED.search(text) or _RULED.search(whole)), bool(_DECIDED.search(text))
    if decided and (firm or not ruled):
        return Mood.DECIDED
    return Mood.RULED if ruled else Mood.STATED
