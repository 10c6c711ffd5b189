"""Whether a sentence says of a value that stands that it is left: by the place of its name beside words of ending.

The name is replaced by a mark first, so that the patterns speak of places alone: the object of a verb of ending,
the subject of a predicate of ending, what stands after "instead of", "off", "no more". A noun after the name makes it
part of another thing ("the Redis call"), and nothing is said of the value then.
"""

from __future__ import annotations

import re

from distill.inflection import any_form, any_participle

MARK = "\x01"
_M = (
    rf"(?:the |our |my |that |this |old |legacy |ageing |good old |all |any |every |last |its |their )*{MARK}"
)

# Verbs that end the use of their object.
_ENDING = (
    "drop ditch remove retire replace swap kill bin axe scrap sunset deprecate decommission abandon cancel quit "
    "leave "
    "evacuate vacate bury ban banish yank purge nuke uninstall unhook unplug disconnect eliminate discontinue dump "
    "toss outgrow dismantle discard forget trade exchange supersede supplant oust displace archive shelve sack "
    "dethrone "
    "terminate delete excise expel eject junk chuck desert forsake relinquish divest offboard mothball eradicate "
    "strip "
    "lose stop veto obsolete revoke withdraw wipe prune cull evict boot outlaw shed"
)
# Verbs that do so with a particle, on either side of their object.
_WITH_PARTICLE = (
    "rip tear pull take throw kick phase turn switch shut wind power carve yank strip factor root weed clear swap "
    "move "
    "put retire cut rotate wean send close pack cast sign spin scale write rule push leave"
)
_AWAY = r"(?:out|off|down|away|aside|behind|to (?:sleep|rest|bed|death|pasture)|into retirement)"
# Verbs that lead away from what follows "from", "off" or "out of".
_GOING = (
    "move migrate switch jump cut convert port come go get transition escape graduate lift walk run step pivot shift "
    "change ship relocate flee wean drift break hop upgrade depart retreat pull transfer inherit cut_over jump_ship"
)
_SET_PHRASES = (
    r"(?:get|gets|got|getting) rid of",
    r"(?:do|did|does|done|doing) away with",
    r"(?:say|said|saying|wave|waved|waving|bid|kiss|kissed) (?:good-?bye|bye|bye-bye|farewell|adieu|so long) to",
    r"(?:good-?bye|bye(?:[- ]bye)?|so long|farewell|adios|ciao|rip|r\.i\.p\.)(?: to)?,?",
    r"(?:part|parts|parted|parting) (?:ways|company) with",
    r"(?:break|broke|broken|breaking|split|splitting) up? ?(?:with|from)",
    r"pull(?:ed|ing|s)? the plug on|turn(?:ed|ing)? (?:our|its|their|the) backs? on",
    r"(?:put|set|close|closed|shut) (?:the |an )?(?:lid|book|books|door|end|stop)s? (?:on|to)",
    r"(?:done|finished|through) with|had enough of|(?:we're|we are|are|is|it's|long|well|now) past",
    r"(?:instead|in place|in lieu|in the place|in the stead) of|rather than",
    r"no more|no longer (?:use|uses|using|need|needs|have|has|run|runs|rely on|relies on|support|supports|on|in|with|"
    r"depend on|depends on|do|does|touch|ship|pay for)",
    r"(?:stop|stops|stopped|stopping|quit|cease|ceased|ended|ending) (?:using|with|doing|running|paying for|"
    r"the use of)",
    r"(?:gave|give|given|giving) up(?: on)?|(?:had|have) to let go of|let go of|(?:lost|losing) the",
    r"where|what|used to be|formerly|previously|once was",
)
_FROM = r"(?:away |over |ship |on |back |up |\w+ly )*(?:from|off|off of|out of)"

_VERBS, _DONE = any_form(_ENDING), any_participle(_ENDING)
_MOVING, _MOVED = any_form(_WITH_PARTICLE), any_participle(_WITH_PARTICLE)
_GOES = any_form(_GOING)

# What may follow a name that is the whole object: an end, or a word that begins something else.
_PLACES = (
    r"stack|project|repo\w*|code ?base|monorepo|team|company|tree|product|fleet|cluster|system|toolchain"
)
_TIMES = (
    r"week|month|year|quarter|sprint|release|end|start|weekend|holidays|morning|night|spring|summer|autumn|winter|"
    r"fall"
)
_WHOLE = (
    rf"(?!['’]s?\b)(?!-?\w)(?! (?:in|on|from|at|for|of) (?:my|his|her|your|the|that|one|two|a|an)\b"
    rf"(?! (?:\w+ )?(?:{_PLACES}|{_TIMES})\b))"
    r"(?=\s*$|\s*[.,;:!)(=+&/–—-]|\s+(?:and|or|but|so|for|with|in|from|to|at|after|before|because|since|as|by|"
    r"over|when|"
    r"once|last|this|today|yesterday|tonight|now|entirely|completely|fully|for good|everywhere|any|anymore|anywhere|"
    r"altogether|finally|onto|into|out|off|down|away|left|was|were|is|used|does|did|4|on|ages|long|years|months|"
    r"weeks|"
    r"days|earlier|already|here|across|throughout|where|which|who|that|until|we|it|they|everyone|all|too|while|then|"
    r"either|end|wherever)\b)"
)
_HOW = r"(?: (?:has|have|had|will|now|all|both|long|already|just|today|since|\w+ly))*"
_BE = rf"{_HOW}(?: (?:is|was|are|were|been|being|be|got|gets|getting)|['’]s| ?=)+{_HOW}"
_ENDED = (
    rf"(?:{_DONE}|(?:{_MOVED}) {_AWAY}|gone|dead|history|out|off|over|no more|toast|eol|end[- ]of[- ]life|not used|"
    r"off the (?:table|books|menu|cards|list)|no longer (?:used|needed|in use|supported|ours|part|with us|on|"
    r"running|around|maintained|paid for)|past tense|"
    r"a thing of the past|on its way out|yesterday)(?! of (?:memory|date|disk|sync|space|scope))"
    r"(?=\s*$|\s*[.,;:!)–—-]|\s+(?:and|so|but|for|as|since|in|on|by|with|from|here|now|last|this|today|yesterday|"
    r"at|after|"
    r"because|because of|everywhere|of service|due|over|completely|entirely|good|with)\b)"
)
_WENT = (
    r"(?: (?:finally|now|has|have|had|just|already|long|recently|quietly))* "
    r"(?:went (?:away|out|the way|into retirement|to)|gone away|goes away|left(?= the (?:building|stack|house|"
    r"stage|team|"
    r"project|company|picture)|\s*[.,;!]|\s*$)|leaves(?=\s*[.,;!]|\s*$)|(?:made|makes|making) (?:way|room) for|"
    r"(?:gave|gives|given) way to|had to (?:go|leave|make)|has to go|stepped (?:down|back|aside)|steps down|"
    r"bit the dust|"
    r"(?:moved|moves) (?:on|to another|away|over to another)|(?:got|gets|getting|was given|were given) the "
    r"(?:boot|axe|sack|chop|push|hook|bullet|heave)|lost (?:its|the) (?:job|place|seat|crown|spot|battle|fight)|"
    r"(?:died|dies) (?:for good|with)|reached (?:its|the) end|retired|disappeared|vanished|"
    r"(?:ceased|stopped) (?:to exist|existing|being)|bowed out|faded out|is on (?:its|the) way out)"
)
_ITS_END = (
    r"['’]s (?:\w+ ){1,2}(?:(?:is|are|was|were|has|have|got|been|now) )*"
    r"(?:over|out|up|ended|ends|expired|gone|deleted|removed|numbered|cancell?ed|ran out|runs out|came to an end|"
    r"terminated|not renewed|lapsed|done|retired|archived|switched off|turned off)"
)
_NEGATIVE = (
    r"(?:\b(?:no|not|dont|doesnt|nobody|no ?one|nothing|none|never|nowhere|neither|hardly|zero|"
    r"without)|n['’]t)"
)

_LEFT = re.compile(
    "|".join(
        (
            rf"(?:(?<=\s)|(?<=^)|(?<=[,;:(-]))(?:{_VERBS})(?: (?:using|out|off|with|away|support for))? {_M}{_WHOLE}",
            rf"\b(?:{_MOVING}) {_AWAY} {_M}{_WHOLE}",
            rf"\b(?:{_MOVING}) {_M} {_AWAY}\b",
            rf"\b(?:{_GOES}) (?:[\w/-]+ ){{0,4}}?{_FROM} {_M}{_WHOLE}",
            rf"(?:^|[\s,;:(])(?:{'|'.join(_SET_PHRASES)}) {_M}{_WHOLE}",
            rf"{MARK}(?!-?\w){_BE} {_ENDED}",
            rf"{MARK}(?: ?=| is|['’]s|s)? (?:out|dead|gone|history)(?=\s*[,.;:!]|\s*$)",
            rf"\b(?:with|now that|since) {MARK}(?: is| was)? (?:dead|gone|out|history|off|over)\b",
            # A headline leaves the verb out: not for what a running thing does by itself.
            rf"{MARK} (?!drop|los|quit|cut|stop|kill|terminat|shed|wip|purg|boot|evict|disconnect|left|strip)"
            rf"(?:{_DONE})"
            r"(?=\s*[.,;!)]|\s*$)",
            rf"{MARK}{_WENT}",
            rf"{MARK}{_ITS_END}",
            rf"{MARK} ?(?:->|=>|→|➜)",
            rf"{_NEGATIVE}\b[^.;:!?]*{_M}(?!-?\w)[^.;:!?,]{{0,40}}\b(?:any ?more|any longer|left|anywhere|since)\b",
            rf"{MARK}(?: is| was| are|['’]s)?(?: not|n['’]t) (?:used|needed|ours|part|running|around|with|there|"
            rf"here|on|in|a "
            r"thing|supported|maintained|the)\b[^.;:!?,]*\b(?:any ?more|any longer)\b",
            rf"{_NEGATIVE} {_M} (?:left|any ?more|anywhere|any longer|from)\b",
            rf"\b(?:last|final) {MARK} \w+ (?:was|is|got|has been|is now )?(?:\w+ly )?{_ENDED}",
            rf"\b(?:lost|losing|lose|remove[sd]?|delete[sd]?|dropp?e?d?) (?:its|our|the|their) (?:last|"
            rf"final) {MARK}\b",
            rf",? (?:and )?not (?:on |in |to |with |at |by |through |via )?{_M}(?: any ?more)?(?=\s*[,.;!]|\s*$)",
            rf"\b(?:forget|skip) (?:about )?{_M}{_WHOLE}",
        )
    ),
    re.IGNORECASE,
)
_CUE = re.compile(
    rf"\b(?:{_VERBS}|{_MOVING}|{_GOES}|no more|no longer|any ?more|any longer|instead|rather|past|where|used to|"
    r"gone|dead|history|over|out|off|not|left|toast|eol|rid|good-?bye|bye|farewell|rip|plug|ways?|away|done|finished|"
    r"room|job|dust|seat|end(?:s|ed)?|expired?|vanished|disappeared|ceased|bowed|faded|stepped|died|retired|down|"
    r"'s|’s)\b|"
    r"n['’]t|->|=>|→",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|nobody|no ?one|neither|nor|refus\w+|avoid\w*|against|no (?:plans?|need|reason|intention|wish|"
    r"point|"
    r"way|talk|thought|desire)|nonsense|rumou?rs?|hearsay|joke|joking|kidding|pretend\w*|rather not|stay\w*|"
    r"remain\w*|"
    r"keep(?:s|ing)?|kept|hate to|afraid|sad|hope|hoping|wish|tempted|almost|nearly|came close|failed to|unable|"
    r"impossible|instead of|rather than|without|how|why|what|who|whether|if|unless|until|would|could|might|may|"
    r"should|"
    r"think\w*|thought|discuss\w*|debat\w*|talk(?:ed|ing)? about|propos\w*|suggest\w*|consider\w*|wonder\w*|"
    r"ask(?:ed|s|ing)?|"
    r"said we|plan(?:s|ned|ning)?|want(?:s|ed)?|todo|later|soon|tomorrow|eventually|next|accident\w*|by mistake|"
    r"locally|my laptop|my machine|dry run|for a (?:moment|minute|second|test|while)|temporar\w+)\b|n['’]t\b|"
    r"\bdont\b",
    re.IGNORECASE,
)
_OWN_NEGATION = re.compile(
    r"^(?:no more|no longer|not|no|nothing|nobody|none|never|instead of|rather than|where|what|in|and not)\b|"
    r"not renewed|any ?more|any longer|\bleft\b|\bwithout\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;:!?]\s|,\s+(?=(?:so|but|and|we|it|the|our|they)\b)|\s+(?:but|so)\s+|\s[–—-]\s")
_FALSE_START = re.compile(r"^(?:accidentally|briefly|almost|nearly)\b", re.IGNORECASE)


def may_leave(text: str) -> bool:
    """Say whether ``text`` has a word of ending at all: what has none need not be held against anything."""
    return bool(_CUE.search(text))


def leaves(marked: str) -> bool:
    """Say whether ``marked``, a sentence with MARK in the place of a value, tells that the value is in use no longer.

    Denials, wishes and what may come say nothing: "we are not dropping it", "if it ever goes".
    """
    return any(not _is_denied(marked, match) for match in _LEFT.finditer(marked))


def _is_denied(marked: str, match: re.Match[str]) -> bool:
    """Whether the clause of what was found takes it back, before or after it."""
    start = max((m.end() for m in _CLAUSE.finditer(marked, 0, match.start())), default=0)
    following = _CLAUSE.search(marked, match.end())
    after = marked[match.end() : following.start() if following else len(marked)]
    found = match[0].strip(" ,;:(")
    before = marked[start : match.start()]
    if _FALSE_START.search(found):
        return True
    inside = "" if _OWN_NEGATION.search(found) else found
    return any(_DENIED.search(part) for part in (before, inside)) or bool(_UNSURE_AFTER.search(after))


_UNSURE_AFTER = re.compile(
    r"^\s*(?:is|was|would be|seems) (?:not|nonsense|a (?:rumou?r|joke|bad|mistake|lie))|\bby (?:accident|mistake)\b|"
    r"\b(?:locally|on my (?:laptop|machine|box))\b|\bnot yet\b|\b(?:next|some) (?:year|day|time)\b|\bmaybe\b|"
    r"\bfor a (?:moment|minute|second|test|while)\b",
    re.IGNORECASE,
)
