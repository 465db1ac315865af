"""Rendering of the pages, whose templates are in the folder templates/. Needs no package for pictures."""

import os
import re

import jinja2
from markupsafe import Markup, escape

ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(os.path.join(os.path.dirname(__file__), "templates")), autoescape=True,
    undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
OPTIONAL = {"facts": (), "figures": (), "tables": (), "reasons": (), "folded": (), "has_film": False,
            "has_script": False}


def unbroken(sentence):
    """Returns a sentence of HTML in which no line ends within a power of ten."""
    return Markup(re.sub(r"\d+e-\d+", r"<span>\g<0></span>", str(escape(sentence))))


def cell_text(value):
    """Returns four digits of a number; a text stays."""
    return value if isinstance(value, str) else f"{value:.4g}"


ENVIRONMENT.filters.update(unbroken=unbroken, cell_text=cell_text)


def render(template, **values):
    """Returns a page of HTML; texts in the values of the template are escaped."""
    return ENVIRONMENT.get_template(template).render({**OPTIONAL, **values})
