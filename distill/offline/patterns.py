"""The sentence patterns of the grammar, most telling first.

A pattern is a clause with holes in braces: S a subject, V a value, O the value it replaced, P a purpose,
OF an owner, NOW a word that says the value is new. Names in small letters are the fragments below; what
stands between angle brackets may be absent.
"""

from __future__ import annotations

import re

from distill.shapes import DATE, DURATION, NUMBER, PATH, QUANTITY

FRAGMENTS: dict[str, str] = {
    "we": r"(?:we|i|the team|the project|this project|our team|it)",
    "lead": (
        r"(?:(?:we(?:'ve| have|'re| are|'ll| will)?|i(?:'ve)?|the team|the project|let'?s|please|to|and|"
        r"i(?:'d| would) like (?:us |you )?to|(?:can|could|would) you(?: please)?) )?"
        r"(?:(?:have|has|are|now|just|already|recently|finally|decided (?:to|that|we)|agreed (?:to|that)|"
        r"(?:opted|chose) to|going to|will|officially|ended up|been|keep|keep on|continue(?: to)?) )*"
    ),
    "move": r"(?:switch|mov|migrat|chang|convert|port|upgrad)(?:es|ed|ing|e|s)?",
    "swap": r"(?:replac(?:es|ed|ing|e)|swap(?:s|ped|ping)?)",
    "drop": r"(?:drop(?:s|ped|ping)?|ditch(?:ed|ing)?|retir(?:e|ed|ing)|remov(?:e|ed|ing))",
    "back": r"(?:(?:go|goes|going|went|gone|switch|switched|switching|move|moved|revert|reverted|fell) back)",
    "pick": (
        r"(?:use|uses|using|run(?: on)?|adopt|adopts|adopted|choose|choosing|chose|picked|picking|pick|selected|"
        r"introduced|on|"
        r"(?:go|going|went|stick|sticking|stay|staying) with|(?:settled?|decided|agreed) on|standardi[sz]ed? on|"
        r"opted for|rely on)"
    ),
    "must": r"(?:(?:must|should|shall|always|has to|have to|generally|all) )*",
    "on": (
        r"(?P<R>(?:comes|come) from|(?:runs|run|relies|rely|sits|lives|live) (?:on|in|under)|follows|follow|"
        r"(?:goes|go) (?:to|into|"
        r"through|via)|"
        r"(?:is|are) (?:now )?(?:built|backed|powered|handled|served|stored|kept|based|managed|done|deployed|hosted|"
        r"published|packaged|provided|driven) (?:on|with|by|in|to|through|via|under|at|from)|(?:is|"
        r"are) (?:now )?(?:in|on))"
    ),
    "done": (
        r"(?P<R>(?:is|are) (?:now )?"
        r"(?!caused|used|triggered|called|introduced|affected|blocked|set|fixed|added|made (?!with)|named)"
        r"(?:\w+(?:ed|en|un|nt)|made) (?:with|by|using|via|through|per)|"
        r"(?:is|are) (?:now )?(?:shipped|sent|written|pushed|logged|published|exported|forwarded|synced) to|"
        r"stores? (?:its|their) \w+ in)"
    ),
    "rel": (
        r"(?P<R>listens? on|exposes?|authenticates? (?:with|via|through)|logs? to|publish(?:es)? to|reads? from|"
        r"writes? to|deploys? to|ships? with|(?:is|are) owned by|(?:is|are) maintained by|expires? after|"
        r"times? out after|defaults? to|returns?|emits?|validates? with|caches? in|reports? to|belongs? to|speaks?|"
        r"(?:is|are) licensed under|(?:is|are) scheduled on)"
    ),
    "instead": r"(?:instead of|rather than|in place of|over|in favou?r of|,? ?not)",
    "be": r"(?:is|are|'s|has become|became|(?:should|must|has to) be)",
    "was": r"(?:was|were|has been|have been|is|are|has|have|got|gets)",
    "write": r"(?:rewrite|rewrote|rewritten|reimplemented|ported|port|write|wrote|implemented)",
    "written": r"(?:written|rewritten|implemented|reimplemented|coded|programmed)",
    "gone": r"(?:no longer|don't|do not|doesn't|does not)",
    "set": (
        r"(?:set|sets|setting|bump\w*|rais(?:e|es|ed|ing)|increas(?:e|es|ed|ing)|lower(?:s|ed|ing)?|decreas(?:e|"
        r"es|ed|ing)|"
        r"reduc(?:e|es|ed|ing)|chang(?:e|es|ed|ing)|upgrad(?:e|es|ed|ing)|downgrad(?:e|es|ed|ing)|pin(?:s|ned)?)"
    ),
    "practice": (
        r"(?:send|draw|render|store|keep|save|write|ship|deploy|host|run|serve|build|bundle|package|publish|"
        r"monitor|trace|"
        r"cache|queue|schedule|format|lint|style|take|accept|process|handle|manage|index|upload|merge|release|sign|"
        r"authenticate|validate|do|compile|test|log|document|generate|translate|search|encrypt|charge|bill|track|"
        r"show|display|make|create|produce|scan|review|provision|configure|measure|profile|resize|convert|"
        r"version|stream|"
        r"sync|back up|handle)"
    ),
    "with": r"(?:with|via|through|using|in|on|to|into)",
    "role": r"(?: (?:for|as) (?P<P>.+?))?",
    "use": r"(?: (?:for|as) (?P<P>.+?)| (?:in|by|across|throughout) .+?)?",
}

SOURCES: tuple[tuple[str, str], ...] = (
    # the end of something
    ("{we} {gone} support {V}< any ?more>", "gone supports"),
    ("{S} {gone} supports? {V}< any ?more>", "gone supports"),
    ("{we} {gone} (?:use|run|need) {V}< any ?more>{role}", "gone"),
    ("{S} {gone} (?:uses?|runs? on|rely on|relies on|needs?|depends? on) {V}< any ?more>{role}", "gone"),
    ("{we} <have >stopped using {V}{role}", "gone"),
    ("{we} <have >stopped supporting {V}", "gone supports"),
    ("{S} <has >stopped using {V}{role}", "gone"),
    ("{V} (?:is|are) no longer (?:our|the) {P}", "gone"),
    ("{V} (?:is|are|was|were) (?:no longer|not) (?:used|supported|in use|needed)< any ?more>{use}", "gone"),
    ("{lead}(?:removed|dropped|retired) support for {V}", "gone supports"),
    ("support for {V} (?:was|is|has been) (?:removed|dropped|gone)", "gone supports"),
    # what has its own kind of value
    ("{lead}{set} {S} <from (?:v|version )?{ON} >to (?:v|version )?{VN}", "set"),
    ("{lead}(?:{set} )?{S} {ON} ?(?:->|→|=>) ?{VN}", "set"),
    ("{lead}{set} {S} <from {OQ} >to {VQ}(?: (?:for|on|in) {OF})?", "set"),
    ("{S} (?:goes|went|is|was|got|has been) <now ><{set} ><up |down >(?:from {OQ} )?to {VQ}(?: (?:for|on|"
     "in) {OF})?", "set"),
    ("{S} <{was} ><now >(?:listens|runs|is|lives|served|starts|moved|goes|reachable|serves) <now >(?:on|to|at) "
     "<the >port {VN}", "port"),
    ("{S} (?:are|is|may be|must be|should be) (?:at most|no longer than|limited to|capped at) {VQ}", "at most"),
    (r"{OF}\s*:\s*{K}\s*=\s*{VQ}", "setting"),
    (r"{K}\s*=\s*{VQ} for {OF}", "setting"),
    ("{S} older than {VT} (?:is|are|gets?) <now ><automatically >{END}", "retention"),
    ("{S} (?:is|are|gets?) <now ><only ><automatically >{END} (?:after|for) <at most |up to >{VT}", "retention"),
    ("{lead}(?:keep|retain|store|hold|archive|delete|purge|drop|erase) <all |the |our >{S} (?:after|for) "
     "<at most |up to >{VT}", "retention"),
    ("<the |our >retention (?:period )?(?:of|for) {S} {be} {NOW}{VT}", "retention"),
    ("{lead}renam(?:e|es|ed|ing) {S} (?:to|into|->|→) {V}", "renamed"),
    ("{S} {was} <now >(?:renamed to|called) {V}", "renamed"),
    ("{lead}(?:mov(?:e|es|ed|ing)|relocat(?:e|es|ed|ing)|renam(?:e|ed)) {OP} (?:to|into|->|→) {VP}", "relocated"),
    ("{OP} {was} <now >(?:moved|relocated|renamed) to {VP}", "relocated"),
    (r"{OF} <now >(?:has|have|runs? with|needs?|gets?|uses?) {I} {C}(?: now)?", "setting"),
    (r"{lead}scal(?:e|ed|ing) {OF} <up |down >(?:from \d+ )?to {I} {C}", "setting moved"),
    ("{VP} is (?:now )?where {S} (?:lives?|is|are|sits?)", "kept"),
    ("{V} {NOW}owns? <the |all >{S}", "owner"),
    ("{S} {be} {NOW}(?:owned|maintained) by {V}", "owner"),
    ("{V} is <now >(?:responsible for|in charge of|the contact for|the owner of|on point for) {S}", "owner"),
    ("{V} <now >(?:takes care of|looks after|maintains|leads) {S} instead of {O}", "owner moved"),
    ("{V} <now >(?:takes care of|looks after|maintains|leads) {S}", "owner"),
    ("(?:contact|owner|maintainer) (?:for|of) {S} is <now >{V}", "owner"),
    ("{S} belongs to {V}", "owner"),
    ("{S} is {V}(?:'s|’s) now", "owner moved"),
    ("{V} (?:takes|took|has taken|is taking) over {S} from {O}", "owner moved"),
    ("{V} (?:takes|took|has taken|is taking) over {S}", "owner moved"),
    ("<the >ownership of {S} (?:goes|went|moves|moved|passes|passed|"
     "is handed) <over ><from {O} >to {V}", "owner moved"),
    ("{lead}make {V} <the >owner of {S}", "owner moved"),
    ("we (?:gave|handed|passed) <over >(?:the )?{S} <over >to {V}", "owner moved"),
    ("{S} <now >(?:ships|launches|goes live|is due|is released|releases|is planned|goes out) (?:on|by|at|"
     "in) {VD}", "deadline"),
    ("{S} <{was} ><now >(?:pushed|postponed|delayed|moved|brought forward|slipped|shifted|rescheduled) <back >"
     "<from {OD} >(?:to|until|by) {VD}", "deadline moved"),
    ("{S} (?:is|are) <now >(?:(?:on|for|due|due on|due by|set for|planned for|"
     "scheduled for) )?{VD}(?: now)?(?:, not (?:on |"
     "for )?{OD})?", "deadline"),
    ("{S} (?:slips|moves|shifts) <back >(?:to|until|by) {VD}", "deadline moved"),
    (r"(?:[\w-]+ ){1,2}(?:moved|pushed|postponed|rescheduled|shifted) {S} <back >(?:to|until|"
     r"by) {VD}", "deadline moved"),
    ("we {L} <on >{VD}", "deadline"),
    # from one thing to another
    (r"{LABEL}\s*:\s*{O}\s*(?:->|→|=>)\s*{V}", "moved"),
    (r"{O}\s*(?:->|→|=>)\s*{V} (?:for|as) {P}", "moved"),
    ("{O} is out,?(?: and)? {V} is in{role}", "moved"),
    ("(?:instead of|rather than) {O},? {we} <now >{pick} {V}{role}", "moved"),
    ("{lead}{move} <over ><{S} ><over >from {O} to <using >{V}{role}", "moved"),
    ("{S} <{was} ><now ><being >{move} <over >from {O} to {V}{role}", "moved"),
    ("{S} (?:went|goes) from {O} to {V}{role}", "moved"),
    ("{lead}{swap} <out >{O} (?:with|by|for) {V}{use}", "moved"),
    ("{O} {was} <now >(?:replaced|swapped|superseded) (?:with|by|for) {V}{use}", "moved"),
    (r"(?:[\w-]+ ){1,3}(?:replaced|swapped) <out >{O} (?:with|by|for) {V}{use}", "moved"),
    ("{V} <has |have ><now >(?:replaces?d?|supersedes?d?|takes over from|took over from) {O}{use}", "moved"),
    ("{lead}{drop} {O} (?:and <now >(?:use|adopt|go with|run|moved to|switched to)|in favou?r of) {V}{role}", "moved"),
    ("{lead}{back} to <using >{V}{role}", "changed"),
    ("it(?:'s| is) (?:now|again) {V}", "changed"),
    ("it(?:'s| is) {V} (?:now|again|from now on|from here on)", "changed"),
    ("{lead}back (?:to|on|with) <using >{V}{role}", "changed"),
    ("{lead}return(?:s|ed|ing)? to <using >{V}{role}", "changed"),
    ("{lead}(?:{move}|revert|reverted|put|roll|rolled|took|brought) {S} <over |back >(?:on)?to <using >{V}", "changed"),
    ("{lead}{move} <over >to <using >{V}{role}", "changed"),
    ("{S} <{was} ><now >(?:{move}|went|goes|reverted) <over |back >(?:on)?to {V}", "changed"),
    ("{S} (?:is|are|goes|went) back (?:on|to|with) {V}", "changed"),
    # written in
    ("{S} (?:{be}|was|were|has been) {NOW}{written} <entirely |fully |mostly >in {V} {instead} {O}", "written"),
    ("{lead}{write} {S} (?:in|to) {V}", "written"),
    ("{S} (?:{be}|was|were|has been|got) {NOW}{written} <entirely |fully |mostly |mainly >in {V}", "written"),
    # beside others
    ("{lead}(?:also|additionally) (?:use|run|ship|need) {V}{role}", "also"),
    ("{S} (?:also|additionally) (?:uses?|runs?|needs?) {V}{role}", "also"),
    ("{we} use {V} (?:as well|too|in addition){role}", "also"),
    ("{S} uses? {V} (?:as well|too|in addition){role}", "also"),
    ("{we} <now ><also >supports? {V}", "supports"),
    ("{S} <now ><also >supports? {V}", "supports"),
    ("{S} <now ><also >depends? on {V}", "depends"),
    # chosen
    ("{V} it is{role}", "chosen"),
    ("<let's do >{V},? then", "picked"),
    ("let's do {V}", "picked"),
    ("(?:everything|all of it|it all) (?:is|gets|runs) <now ><deployed |hosted >(?:on|to|at) {V}", "hosted"),
    ("we {NOW}(?:deploy|host)<ed|ing> <everything |it >(?:on|to|at) {V}", "hosted"),
    ("we {NOW}{practice} <our |all |all our |the >{S} {with} {V}", "practice"),
    ("we {NOW}{D} {with} {V}", "practice"),
    ("{lead}(?:keep|store|put|save) {S} (?:in|on) {V} {instead} {O}", "kept over"),
    ("{lead}<{pick} >{V} {instead} {O} (?:for|as) {P}", "chosen over"),
    ("{lead}{pick} {V}{role},? {instead} {O}", "chosen over"),
    ("{S} <now >{must}uses? {V} {instead} {O}", "used over"),
    ("{S} <now >{must}{on} {V} {instead} {O}", "on over"),
    ("{S} {be} {NOW}{V} {instead} {O}", "is over"),
    ("{lead}{pick} {V} (?:for|as) {P}", "chosen"),
    ("(?:for|as) {P},? {we} {NOW}(?:are )?(?:{pick}|have) {V}", "chosen"),
    ("{S} {NOW}{must}uses? {V} (?:for|as) {P}", "used"),
    ("{S} {NOW}{must}{on} {V} (?:for|as) {P}", "used"),
    ("{we} {NOW}have {V} as {P}", "chosen"),
    ("{lead}{pick} {V}", "implied"),
    ("{S} {NOW}{must}{on} {V}", "on"),
    ("{S} {NOW}{must}uses? {V}", "used"),
    ("{S} {NOW}{done} {V}", "done"),
    ("{lead}(?:keep|store|put|save) {S} (?:in|on) {V}", "kept"),
    ("{S} {NOW}{rel} {V}", "related"),
    # is
    ("{V} {be} {NOW}(?:used|chosen|what we use) (?:for|as) {P}", "chosen"),
    ("{V} {NOW}(?:handles|serves as|acts as|remains|stays|powers|provides) (?:our|the) {P}", "chosen"),
    ("{V} {be} {NOW}our {P}", "chosen"),
    ("<the |our >{S} for {OF} {be} {NOW}<set to >{V}", "is"),
    ("<the |our >{S} of {OF} {be} {NOW}<set to >{V}", "is"),
    ("{OF}(?:'s|’s) {S} {be} {NOW}<set to >{V}", "is"),
    ("(?:the|our) new {S} {be} <now >{V}", "is now"),
    ("{V} {be} <now >(?:the|our) new {P}", "changed"),
    ("(?:the|our) {S} {be} {NOW}<set to |called |named >{V}", "is"),
    (r"{LABEL}\s*(?::(?!//)|=|->|→)\s*{V}", "label"),
    ("{V} {be} {NOW}the {P}", "chosen"),
    (r"(?:[\w'-]+ ){1,7}(?:with|to|in|on|by|through|via|from|into) {V} (?:instead of|rather than|"
     r"in place of) {O}", "swapped"),
    (r"(?:instead of|rather than) {O},? we (?:[\w-]+ ){1,5}(?:with|to|in|on|by|through|via|from|into) {V}", "swapped"),
    ("{S} {be} now {V}", "is now"),
    ("{S} {be} {NOW}<set to >{V}", "bare"),
    ("<the |our >{K} for {OF} {be} {NOW}<set to >{VQ}", "setting"),
)  # fmt: skip

AFTER = r"(?: (?:everywhere|now|already|today|again))?"
HOLES: dict[str, str] = {
    "NOW": r"(?:(?P<NOW>now |currently |again |from now on |officially |instead )|still |already )?",
    "OF": r"(?P<OF>[^,:;]+?)",
    "S": r"(?P<S>[^:;]+?)",
    "I": r"(?P<V>\d+)",
    "C": r"(?P<S>workers?|replicas?|instances?|nodes?|threads?|pods?|shards?|partitions?)",
    "L": r"(?P<S>launch|ship|release|go live|cut over)",
    "D": r"(?P<S>log|style|lint|format|bundle|monitor|search|cache|bill|authenticate|track)",
    "K": r"(?P<S>[A-Za-z][\w.-]{1,40})",
    "VQ": rf"(?P<V>{QUANTITY})(?: long| at most)?{AFTER}",
    "OQ": rf"(?P<O>{QUANTITY})",
    "VN": rf"(?P<V>{NUMBER}){AFTER}",
    "VT": rf"(?P<V>{DURATION}){AFTER}",
    "END": r"(?:deleted|removed|purged|dropped|erased|wiped|discarded|pruned|kept|retained|stored|archived|held)",
    "ON": rf"(?P<O>{NUMBER})",
    "VP": rf"(?P<V>{PATH})",
    "OP": rf"(?P<O>{PATH})",
    "VD": rf"(?P<V>{DATE})",
    "OD": rf"(?P<O>{DATE})",
    "LABEL": r"(?P<S>[A-Za-z][\w /-]{1,40}?)",
    "V": r"(?P<V>.+?)",
    "O": r"(?P<O>.+?)",
    "P": r"(?P<P>.+?)",
}


def _compiled(source: str) -> re.Pattern[str]:
    named = {**FRAGMENTS, **HOLES}
    optional = re.sub(r"<([^<>]*)>", r"(?:\1)?", source)
    filled = re.sub(r"\{([A-Za-z]+)\}", lambda match: named[match[1]], optional)
    return re.compile(filled, re.IGNORECASE)


PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = tuple((_compiled(s), sense) for s, sense in SOURCES)
