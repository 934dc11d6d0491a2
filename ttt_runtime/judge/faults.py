"""What is wrong with an input, in words, and what to do about it."""

from ..boards import MARKS, SLIPS, hint

PACKED = {
    b"\x1f\x8b": "a gzip file",
    b"PK\3\4": "a zip file",
    b"\xfd7zXZ": "an xz file",
    b"(\xb5/\xfd": "a Zstandard file",
    b"BZh": "a bzip2 file",
}


def described(text: bytes, found: str, expected: str, symbols: str = "") -> str:
    """Say what was found, what was expected, and what to write instead.

    Parameters
    ----------
    text : bytes
        The input from the faulty token on.
    found : str
        What leads up to the token in the message.
    expected : str
        What should stand there.
    symbols : str
        The marks that may stand there.

    Examples
    --------
    >>> described(b"x.. ...", "row 1 is", "3 marks", ".XO")
    "row 1 is 'x..', expected 3 marks; write X in upper case"
    """
    token = text.split(None, 1)[0]
    if remedy := _no_text(token, text):
        return remedy
    foreign = token.strip(symbols.encode())
    return f"{found} {quoted(token)}, expected {expected}{_hint(foreign, symbols)}"


def quoted(token: bytes) -> str:
    """Return the token as it stood there, in ASCII, cut short if it is long."""
    return repr(token[:40])[1:] + "..." * (len(token) > 40)


def _no_text(token: bytes, text: bytes) -> str:
    """Say what the input is if it is not plain text, or ''."""
    for start, kind in PACKED.items():
        if token.startswith(start):
            return f"found {kind}, expected plain text; unpack it first"
    if kind := _wide(text[:64]):
        return (
            f"found text in {kind}, expected ASCII or UTF-8; in PowerShell write the "
            "file with '| Out-File -Encoding ascii FILE' and not with '> FILE'"
        )
    for mark, name in ((b"\0", "a NUL byte"), (b"\x1a", "Ctrl-Z")):
        if mark in token:
            rest = text[text.index(mark) :].strip(b"\0\x1a\t\n\r ")
            remedy = "" if rest else "; remove it"
            return f"found {name} ({quoted(mark)}), expected plain text{remedy}"
    return ""


def _wide(sample: bytes) -> str:
    """Return the encoding if a character takes two or four bytes, or ''."""
    for encoding in ("UTF-32-LE", "UTF-32-BE", "UTF-16-LE", "UTF-16-BE"):
        # A character may be cut off at the end. What is in another encoding gives NULs
        # here, or characters from far beyond.
        text = sample.decode(encoding, "replace").rstrip("\ufffd")
        latin = len(text) > 1 and min(text) > "\0" and max(text) < "\u0100"
        if latin or text.startswith("\ufeff"):
            return encoding[:6]
    return ""


def _hint(foreign: bytes, symbols: str) -> str:
    """Say which mark is meant, if it is one that may stand here."""
    given = foreign.decode(errors="ignore")[:1]
    if "X" in symbols and not given.isascii():
        what, _, remedy = hint(given).partition(", ")
        return f"; {what}" + f", {remedy}" * (symbols == MARKS)
    if given in SLIPS and SLIPS[given][0] in symbols:
        return f"; {hint(given)}"
    if given in ("o", "O") and symbols == ".X0":
        return "; write the digit 0"
    return ""
