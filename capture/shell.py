"""A shell command as words and operators: enough of the grammar to know what is literal and what is not."""

from __future__ import annotations

OPERATORS = ("&&", "||", "|&", ";;", "|", ";", "&", "(", ")")
BLANK = " \t\r"
ENDS = " \t\r\n;&|()<>"


class Word:
    """One word: ``text`` without quotes, ``literal`` unless something is expanded, ``quoted`` where quotes stood."""

    __slots__ = ("literal", "quoted", "text")

    def __init__(self, text: str, literal: bool, quoted: bool) -> None:
        """Hold the parts."""
        self.text = text
        self.literal = literal
        self.quoted = quoted


def tokens(command: str, whole: bool = True) -> list[Word | str]:
    """Return the words and, as plain strings, the operators of ``command``.

    A redirection is the operator ``>`` or ``<`` (``<<<`` for a here-string) followed by its word. Bodies of
    here-documents, comments and descriptors are dropped. An unclosed quote makes one word of all the rest that
    is not literal. ``whole`` False says that the text was cut, so that its last word is not literal either.
    """
    reader = _Reader(command)
    reader.run()
    found = reader.found
    if not whole and found and isinstance(found[-1], Word):
        found[-1].literal = False
    return found


class _Reader:
    __slots__ = ("at", "end", "found", "heredocs", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.end = len(text)
        self.found: list[Word | str] = []
        self.heredocs: list[str] = []

    def run(self) -> None:
        while self.at < self.end:
            sign = self.text[self.at]
            if sign in BLANK:
                self.at += 1
            elif self.text.startswith(("\\\n", "\\\r\n"), self.at):
                self.at = self.text.index("\n", self.at) + 1
            elif sign == "\n":
                self.newline()
            elif sign == "#":
                self.skip_line()
            elif sign in "<>" or self.text.startswith("&>", self.at):
                self.redirection()
            else:
                self.operator_or_word()

    def newline(self) -> None:
        self.at += 1
        for mark in self.heredocs:
            self.skip_heredoc(mark)
        self.heredocs = []
        self.found.append(";")

    def skip_line(self) -> None:
        stop = self.text.find("\n", self.at)
        self.at = self.end if stop < 0 else stop

    def skip_heredoc(self, mark: str) -> None:
        while self.at < self.end:
            start = self.at
            self.skip_line()
            line = self.text[start : self.at]
            self.at += 1
            if line.strip() == mark:
                return

    def redirection(self) -> None:
        text = self.text
        if text.startswith("<<<", self.at):
            self.at += 3
            self.found.append("<<<")
            return
        if text.startswith("<<", self.at):
            self.at += 3 if text.startswith("<<-", self.at) else 2
            self.skip_blank()
            word = self.word()
            self.heredocs.append(word.text)
            return
        if text[self.at : self.at + 2] in ("<(", ">("):
            self.at += 1
            self.found.append(self.word())
            return
        self.at += 1 if text[self.at] in "<>" else 2
        while self.at < self.end and text[self.at] in "><|&":
            self.at += 1
        if text[self.at - 1] == "&":
            while self.at < self.end and text[self.at] in "0123456789-":
                self.at += 1
            return
        self.found.append(">" if text[self.at - 1] != "<" else "<")

    def skip_blank(self) -> None:
        while self.at < self.end and self.text[self.at] in BLANK:
            self.at += 1

    def operator_or_word(self) -> None:
        for operator in OPERATORS:
            if self.text.startswith(operator, self.at):
                self.at += len(operator)
                self.found.append(operator)
                return
        start = self.at
        word = self.word()
        follows = self.text[self.at : self.at + 1]
        if follows and follows in "<>" and self.text[start : self.at].isdigit():
            return  # the number of a descriptor
        self.found.append(word)

    def word(self) -> Word:
        """Read up to the next blank or operator; always moves on."""
        text, parts = self.text, list[str]()
        literal, quoted, start = True, False, self.at
        while self.at < self.end:
            sign = text[self.at]
            if sign == "(" and self.at == start:
                self.balanced()
                literal = False
            elif sign in ENDS:
                break
            elif sign == "\\":
                parts.append(text[self.at + 1 : self.at + 2].replace("\n", ""))
                self.at += 2
            elif sign == "'":
                quoted, closed = True, text.find("'", self.at + 1)
                literal = literal and closed >= 0
                parts.append(text[self.at + 1 : closed if closed >= 0 else self.end])
                self.at = closed + 1 if closed >= 0 else self.end
            elif sign == '"':
                quoted = True
                literal = self.double(parts) and literal
            elif sign in "$`":
                literal = False
                self.expansion()
            else:
                parts.append(sign)
                self.at += 1
        if self.at == start:
            self.at += 1
        return Word("".join(parts), literal, quoted)

    def double(self, parts: list[str]) -> bool:
        """Read a double-quoted part; False where it expands something or never closes."""
        text, literal = self.text, True
        self.at += 1
        while self.at < self.end:
            sign = text[self.at]
            if sign == '"':
                self.at += 1
                return literal
            if sign == "\\":
                parts.append(text[self.at + 1 : self.at + 2])
                self.at += 2
            elif sign in "$`":
                literal = False
                self.expansion()
            else:
                parts.append(sign)
                self.at += 1
        return False

    def expansion(self) -> None:
        """Step over ``$name``, ``${...}``, ``$(...)``, ``$'...'`` or a backtick part."""
        text = self.text
        if text[self.at] == "`":
            closed = text.find("`", self.at + 1)
            self.at = self.end if closed < 0 else closed + 1
            return
        self.at += 1
        follows = text[self.at : self.at + 1]
        if follows == "(":
            self.balanced()
        elif follows == "{":
            closed = text.find("}", self.at)
            self.at = self.end if closed < 0 else closed + 1
        elif follows == "'":
            self.ansi_quote()

    def ansi_quote(self) -> None:
        self.at += 1
        while self.at < self.end:
            sign = self.text[self.at]
            self.at += 2 if sign == "\\" else 1
            if sign == "'":
                return

    def balanced(self) -> None:
        """Step over a parenthesis and what it holds, quotes respected."""
        depth, text = 0, self.text
        while self.at < self.end:
            sign = text[self.at]
            self.at += 1
            if sign == "(":
                depth += 1
            elif sign == ")":
                depth -= 1
                if depth == 0:
                    return
            elif sign == "\\":
                self.at += 1
            elif sign in "'\"":
                closed = text.find(sign, self.at)
                self.at = self.end if closed < 0 else closed + 1
