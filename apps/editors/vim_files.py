"""Syntax of parameter files for Vim, and the table from which Vim completes names and values."""

import json
import re

from reference import Entry, Reference, Section, identifier, is_placeholder, sections

HEAD = """\
" Vim syntax file of cases of Percussion {version}, written by write_files.py.
if exists('b:current_syntax')
  finish
endif
let b:current_syntax = 'percussion'
syntax case match
syntax sync fromstart

syntax region percussionComment start=/#/ skip=/\\\\\\s*$/ end=/$/ contains=@Spell
syntax match percussionUnknown /[^[:blank:]#][^#]*/
syntax region percussionUnknownSection matchgroup=percussionUnknown
  \\ start=/^\\s*\\%(subsection\\|SUBSECTION\\)\\>[^#]*/ {end}
  \\ contains=percussionComment,percussionUnknown,percussionUnknownSection
syntax match percussionStatement /^\\s*\\%(include\\|INCLUDE\\)\\s\\ze\\s*[^[:blank:]#]/ nextgroup=percussionFile
syntax match percussionFile /[^#]*/ contained
syntax match percussionNumber /\\%(\\w\\|\\.\\)\\@1<!\\%(\\d\\+\\.\\?\\d*\\|\\.\\d\\+\\)\\%([eE][-+]\\?\\d\\+\\)\\?\\%(\\w\\|\\.\\)\\@!/ contained
syntax region percussionText start=/"/ end=/"/ oneline contained
syntax region percussionValue matchgroup=percussionOperator start=/=/ skip=/\\\\\\s*$/ end=/$/ contained keepend
  \\ contains=percussionComment,percussionNumber,percussionText
syntax match percussionWrong /[^[:blank:]#\\\\]\\+/ contained
"""

TAIL = """
highlight default link percussionComment Comment
highlight default link percussionStatement Statement
highlight default link percussionSection Type
highlight default link percussionName Identifier
highlight default link percussionOperator Operator
highlight default link percussionNumber Number
highlight default link percussionText String
highlight default link percussionFile String
highlight default link percussionChoice Constant
highlight default link percussionUnknown Error
highlight default link percussionWrong Error
"""

END = r"matchgroup=percussionStatement end=/^\s*\%(end\|END\)\ze\s*\%(#\|$\)/"


def words(name: str) -> str:
    """Returns the pattern of a name, whose words any blanks may separate."""
    return r"\s\+".join(re.sub(r"([\\/.*$~^\[\]])", r"\\\1", word) for word in name.split())


def alternatives(patterns) -> str:
    """Returns the pattern of any of these patterns."""
    return r"\%(" + r"\|".join(patterns) + r"\)"


def choice_rules(entry: Entry, group: str) -> list:
    """Returns the rules of an entry that is a selection, and of its value."""
    selection = alternatives(words(value) for value in entry.choices)
    return [rf"syntax match {group} /{words(entry.name)}\ze\s*=/ contained skipwhite "
            rf"nextgroup={group}Value",
            rf"syntax region {group}Value matchgroup=percussionOperator start=/=/ skip=/\\\s*$/ "
            rf"end=/$/ contained keepend contains=percussionComment,percussionWrong,{group}Choice",
            rf"syntax match {group}Choice /{selection}\ze\s*\%(#\|\\\?\s*$\)/ contained",
            f"highlight default link {group} percussionName",
            f"highlight default link {group}Choice percussionChoice"]


def entry_rules(section: Section, word: str) -> list:
    """Returns the rules of `set` and of the entries of a section."""
    rules, groups = [], []
    for entry in section.entries.values():
        if entry.choices:
            groups.append(f"percussion_{word}_{identifier(entry.name)}")
            rules += choice_rules(entry, groups[-1])
    names = [r"\w\+" if is_placeholder(entry.name) else words(entry.name)
             for entry in section.entries.values() if not entry.choices]
    if names:
        groups.append(f"percussion_{word}_names")
        rules += [rf"syntax match {groups[-1]} /{alternatives(names)}\ze\s*=/ contained skipwhite "
                  "nextgroup=percussionValue",
                  f"highlight default link {groups[-1]} percussionName"]
    return rules + [rf"syntax match percussion_{word}_set /^\s*\%(set\|SET\)\ze\s/ contained "
                    f"skipwhite nextgroup={','.join(groups)}",
                    f"highlight default link percussion_{word}_set percussionStatement"]


def section_rules(section: Section) -> list:
    """Returns the rules of a section. Of two rules that begin at one position, Vim takes the
    last, so that subsections that a case names come before the others."""
    word, name = identifier(section.path), section.path.split("/")[-1]
    pattern = r"[^#/]*[^#/[:blank:]]" if is_placeholder(name) else words(name)
    contained = [f"percussion_{identifier(subsection.path)}_section"
                 for subsection in section.subsections.values()]
    rules = entry_rules(section, word) if section.entries else []
    if section.entries:
        contained.append(f"percussion_{word}_set")
    is_top = "" if "/" not in section.path else "contained "
    return rules + [
        rf"syntax region percussion_{word}_section matchgroup=percussionSection {is_top}fold "
        rf"start=/^\s*\%(subsection\|SUBSECTION\)\s\+{pattern}\ze\s*\%(#\|$\)/ {END} contains="
        + ",".join(["percussionComment", "percussionUnknown", "percussionUnknownSection",
                    "percussionStatement", *contained])]


def syntax(reference: Reference) -> str:
    """Returns the syntax file."""
    lines = [HEAD.format(version=reference.version, end=END)]
    for section in sections(reference.top):
        if section.path:
            lines += section_rules(section)
    return "\n".join(lines) + "\n" + TAIL


def table(reference: Reference) -> str:
    """Returns the file with entries, values and subsections of each section, for completion."""
    lines = [f'" Sections and entries of Percussion {reference.version}, written by '
             "write_files.py.", "let percussion#reference#sections = {"]
    for section in sections(reference.top):
        entries = {entry.name: {"allowed": entry.allowed, "choices": entry.choices,
                                "documentation": entry.documentation}
                   for entry in section.entries.values() if not is_placeholder(entry.name)}
        content = {"entries": entries, "subsections": list(section.subsections)}
        lines.append(f"\\ {json.dumps(section.path)}: {json.dumps(content)},")
    return "\n".join(lines + ["\\ }", ""])
