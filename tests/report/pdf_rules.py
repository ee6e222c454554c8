"""What PDF/A-2a and PDF/UA-1 ask of a file, as far as it can be read off with pikepdf: each rule
gives the faults it finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pikepdf

Rule = Callable[[pikepdf.Pdf], list[str]]

HEADINGS = re.compile(r"/H([1-6])")
PAINTING = {
    *("f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "sh", "Do", "Tj", "TJ", "'", '"'),
    *("EI", "INLINE IMAGE"),
}
EMBEDDED = ("/FontFile", "/FontFile2", "/FontFile3")


def dictionaries(file: pikepdf.Pdf) -> Iterator[pikepdf.Dictionary]:
    """Every indirect dictionary of the file."""
    return (item for item in file.objects if isinstance(item, pikepdf.Dictionary))


def elements(file: pikepdf.Pdf) -> Iterator[tuple[pikepdf.Dictionary, tuple[str, ...]]]:
    """The structure elements in reading order, each with the types above it."""
    waiting: list[tuple[Any, tuple[str, ...]]] = [
        (file.Root.get("/StructTreeRoot", pikepdf.Dictionary()), ())
    ]
    while waiting:
        node, above = waiting.pop()
        if "/S" in node:
            yield node, above
            above = (*above, str(node.S))
        kids = node.get("/K", [])
        children = list(kids) if isinstance(kids, pikepdf.Array) else [kids]
        waiting += [
            (kid, above)
            for kid in reversed(children)
            if isinstance(kid, pikepdf.Dictionary) and ("/S" in kid or "/K" in kid)
        ]


def syntax(file: pikepdf.Pdf) -> list[str]:
    """qpdf reads every stream and object without a complaint."""
    return list(file.check_pdf_syntax() if hasattr(file, "check_pdf_syntax") else file.check())


def fonts(file: pikepdf.Pdf) -> list[str]:
    """Every font is embedded and says which characters its glyphs are."""
    faults = []
    for font in dictionaries(file):
        if font.get("/Type") == "/FontDescriptor" and not any(key in font for key in EMBEDDED):
            faults.append(f"{font.get('/FontName')} is not embedded")
        if (
            font.get("/Type") == "/Font"
            and font.get("/Subtype") in ("/Type0", "/TrueType", "/Type1", "/Type3")
            and "/ToUnicode" not in font
        ):
            faults.append(f"{font.get('/BaseFont')} has no ToUnicode")
        if (
            font.get("/Type") == "/Font"
            and font.get("/Subtype") != "/Type0"
            and "/FontDescriptor" not in font
        ):
            faults.append(f"{font.get('/BaseFont')} has no descriptor")
    return faults


def marks(file: pikepdf.Pdf) -> list[str]:
    """Tagged, in a language, and shown under its title."""
    root = file.Root
    title = str(file.open_metadata().get("dc:title") or "")
    asked = {
        "it isn't marked as tagged": bool(root.get("/MarkInfo", {}).get("/Marked", False)),
        "it has no structure tree": "/StructTreeRoot" in root,
        "it names no language": bool(str(root.get("/Lang", ""))),
        "it has no title": bool(title),
        "viewers don't show its title": bool(
            root.get("/ViewerPreferences", {}).get("/DisplayDocTitle", False)
        ),
        "metadata and document information have different titles": (
            title == str(file.docinfo.get("/Title", ""))
        ),
    }
    return [fault for fault, met in asked.items() if not met]


def conformance(file: pikepdf.Pdf) -> list[str]:
    """It says that it is PDF/A-2a and PDF/UA-1, and has an output intent with a colour profile, an
    identity, no encryption.
    """
    metadata = file.open_metadata()
    said = {
        name: str(metadata.get(name))
        for name in ("pdfaid:part", "pdfaid:conformance", "pdfuaid:part")
    }
    faults = (
        []
        if said == {"pdfaid:part": "2", "pdfaid:conformance": "A", "pdfuaid:part": "1"}
        else [f"it says {said}"]
    )
    intents = [
        intent for intent in file.Root.get("/OutputIntents", []) if intent.get("/S") == "/GTS_PDFA1"
    ]
    faults += (
        []
        if intents and all("/DestOutputProfile" in intent for intent in intents)
        else ["no output intent with a profile"]
    )
    faults += ["it is encrypted"] if file.is_encrypted else []
    return faults + ([] if "/ID" in file.trailer else ["no file identifier"])


def inert(file: pikepdf.Pdf) -> list[str]:
    """Nothing runs, nothing is attached, nothing leads out of the file."""
    faults = [f"{key} in the catalogue" for key in ("/OpenAction", "/AA") if key in file.Root]
    faults += [
        f"{key} among the names"
        for key in ("/JavaScript", "/EmbeddedFiles")
        if key in file.Root.get("/Names", {})
    ]
    for item in dictionaries(file):
        actions = [item.get("/A"), item] if "/A" in item else [item]
        for action in actions:
            kind = action.get("/S") if isinstance(action, pikepdf.Dictionary) else None
            if kind in (
                "/JavaScript",
                "/Launch",
                "/URI",
                "/SubmitForm",
                "/ImportData",
                "/GoToR",
                "/Movie",
                "/Sound",
            ):
                faults.append(f"an action {kind}")
        if "/JS" in item:
            faults.append("a script")
    return faults


def alternatives(file: pikepdf.Pdf) -> list[str]:
    """Every figure and every formula has a text instead."""
    return [
        f"{node.S} without a text"
        for node, _ in elements(file)
        if node.S in ("/Figure", "/Formula") and not str(node.get("/Alt", ""))
    ]


def headings(file: pikepdf.Pdf) -> list[str]:
    """Headings begin with the first level and skip none on the way down."""
    faults, before = [], 0
    for node, _ in elements(file):
        if match := HEADINGS.fullmatch(str(node.S)):
            level = int(match[1])
            if level > before + 1:
                faults.append(f"a heading of level {level} after one of level {before}")
            before = level
    return faults


def nesting(file: pikepdf.Pdf) -> list[str]:
    """Rows stand in tables, cells in rows, items in lists; header cells say what they head; all in
    one document.
    """
    inside = {
        "/THead": {"/Table"}, "/TBody": {"/Table"}, "/TR": {"/Table", "/THead", "/TBody", "/TFoot"}, "/TD": {"/TR"}, "/TH": {"/TR"},
        "/LI": {"/L"}, "/LBody": {"/LI"},
    }  # fmt: skip
    faults = []
    for node, above in elements(file):
        kind = str(node.S)
        if kind in inside and (not above or above[-1] not in inside[kind]):
            faults.append(f"{kind} in {above[-1] if above else 'nothing'}")
        if kind == "/TH" and "/Scope" not in str(node.get("/A", "")):
            faults.append("a header cell without a scope")
        if not above and kind != "/Document":
            faults.append(f"{kind} at the top")
    return faults


def destinations(file: pikepdf.Pdf) -> set[str]:
    """The named destinations that lead to a page of the file."""
    pages = {page.obj.objgen for page in file.pages}
    names: set[str] = set()
    waiting = [file.Root.get("/Names", pikepdf.Dictionary()).get("/Dests", pikepdf.Dictionary())]
    while waiting:
        node = waiting.pop()
        waiting += list(node.get("/Kids", []))
        pairs = list(node.get("/Names", []))
        for name, target in zip(pairs[::2], pairs[1::2], strict=True):
            place = target.D if isinstance(target, pikepdf.Dictionary) else target
            if place[0].objgen in pages:
                names.add(str(name))
    return names


def _leads(target: Any, pages: set[Any], names: set[str]) -> bool:
    if isinstance(target, pikepdf.Array):
        return target[0].objgen in pages
    return target is not None and str(target) in names


def links(file: pikepdf.Pdf) -> list[str]:
    """Every link leads to a page of the file, is told to a screen reader, and belongs to the
    structure.
    """
    pages, names = {page.obj.objgen for page in file.pages}, destinations(file)
    faults = []
    for number, page in enumerate(file.pages, 1):
        notes = list(page.obj.get("/Annots", []))
        if notes and page.obj.get("/Tabs") != "/S":
            faults.append(f"page {number}: no order of tabs")
        for note in notes:
            if note.get("/Subtype") != "/Link":
                faults.append(f"page {number}: an annotation {note.get('/Subtype')}")
                continue
            action = note.get("/A", pikepdf.Dictionary())
            if not _leads(note.get("/Dest", action.get("/D")), pages, names):
                faults.append(f"page {number}: a link that leads nowhere")
            if not str(note.get("/Contents", "")):
                faults.append(f"page {number}: a link without a text")
            if "/StructParent" not in note:
                faults.append(f"page {number}: a link outside the structure")
    return faults


def bookmarks(file: pikepdf.Pdf) -> list[str]:
    """There is an outline; every entry leads to a page, and they are in the order of the pages."""
    pages, names = [page.obj.objgen for page in file.pages], destinations(file)
    faults, before, number = [], 0, 0
    with file.open_outline() as outline:
        waiting = list(reversed(outline.root))
        while waiting:
            item = waiting.pop()
            waiting += list(reversed(item.children))
            number += 1
            target = (
                item.destination if item.destination is not None else (item.action or {}).get("/D")
            )
            if not _leads(target, set(pages), names):
                faults.append(f"the bookmark {item.title!r} leads nowhere")
            elif isinstance(target, pikepdf.Array):
                page = pages.index(target[0].objgen)
                faults += [f"the bookmark {item.title!r} leads back"] if page < before else []
                before = page
    return faults if number else ["no bookmarks"]


def marked_content(file: pikepdf.Pdf) -> list[str]:
    """All that is painted on a page is either part of the structure or declared an artifact, and
    the structure knows it.
    """
    faults = []
    known = (
        dict(_numbers(file.Root.StructTreeRoot.ParentTree))
        if "/StructTreeRoot" in file.Root
        else {}
    )
    for number, page in enumerate(file.pages, 1):
        parents = known.get(int(page.obj.get("/StructParents", -1)), [])
        depth, marked = 0, []
        for operands, operator in pikepdf.parse_content_stream(page):
            name = str(operator)
            if name in ("BDC", "BMC"):
                properties = operands[1] if len(operands) > 1 else None
                mcid = (
                    properties.get("/MCID") if isinstance(properties, pikepdf.Dictionary) else None
                )
                if mcid is not None and (
                    int(mcid) >= len(parents)
                    or not isinstance(parents[int(mcid)], pikepdf.Dictionary)
                ):
                    faults.append(f"page {number}: content {int(mcid)} belongs to no element")
                marked.append(mcid is not None or str(operands[0]) == "/Artifact")
                depth += marked[-1]
            elif name == "EMC":
                depth -= marked.pop()
            elif name in PAINTING and not depth:
                faults.append(f"page {number}: {name} paints outside the structure")
    return faults


def _numbers(node: Any) -> Iterator[tuple[int, Any]]:
    pairs = list(node.get("/Nums", []))
    yield from ((int(key), value) for key, value in zip(pairs[::2], pairs[1::2], strict=True))
    for kid in node.get("/Kids", []):
        yield from _numbers(kid)


RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        syntax,
        fonts,
        marks,
        conformance,
        inert,
        alternatives,
        headings,
        nesting,
        links,
        bookmarks,
        marked_content,
    )
}
