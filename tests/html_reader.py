"""Reads a report as a browser would have to: every tag closes, and what it refers to is known."""

from __future__ import annotations

from html.parser import HTMLParser

__all__ = ["HtmlReader", "read_html"]


class HtmlReader(HTMLParser):
    """Collects references and text, and checks that tags close."""

    VOID = ("meta", "img", "br", "path", "rect")

    def __init__(self) -> None:
        super().__init__()
        self.references: list[str] = []
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.references += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "action")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.references += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "action")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read_html(html: str) -> HtmlReader:
    """The references and the text of a page."""
    reader = HtmlReader()
    reader.feed(html)
    assert reader.open == []
    return reader
