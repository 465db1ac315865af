"""Tables and marked blocks of a page."""
import re


def table_in_markdown(heads, rows):
    """Returns a table from its heads and rows."""
    return "\n".join(["| " + " | ".join(heads) + " |", "|---|" + "---|" * (len(heads) - 1)]
                     + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def replace_block(page, name, text):
    """Replaces the text of a page between `<!-- measured: name -->` and `<!-- end of measured -->`. Returns false if the
    page has no such block."""
    content = page.read_text(encoding="utf-8")
    content, n_blocks = re.subn(rf"(<!-- measured: {name} -->\n).*?(<!-- end of measured -->)",
                                lambda marks: f"{marks[1]}\n{text}\n\n{marks[2]}", content, flags=re.DOTALL)
    page.write_text(content, encoding="utf-8")
    return n_blocks > 0
