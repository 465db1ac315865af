#!/usr/bin/env python3
"""Writes files for editors from the reference of parameters.

    write_files.py PROGRAM FOLDER

PROGRAM is percussion. FOLDER gets vim/ (syntax and table for completion), vscode/ (an extension
with the TextMate grammar) and percussion.schema.json.
"""

import json
import sys
from pathlib import Path

import reference
import schema
import textmate
import vim_files


def extension(version: str) -> dict:
    """Returns the description of the extension of VS Code."""
    return {"name": "percussion", "displayName": "Percussion", "publisher": "percussion",
            "description": "Cases of Percussion (.prm)", "version": version,
            "license": "LGPL-2.1-or-later", "engines": {"vscode": "^1.50.0"},
            "categories": ["Programming Languages"],
            "contributes": {
                "languages": [{"id": "percussion", "aliases": ["Percussion"],
                               "extensions": [".prm"],
                               "configuration": "./language-configuration.json"}],
                "grammars": [{"language": "percussion", "scopeName": f"source.{textmate.SCOPE}",
                              "path": "./percussion.tmLanguage.json"}]}}


def main() -> None:
    """Writes all files."""
    parameters, folder = reference.read(sys.argv[1]), Path(sys.argv[2])
    documents = {"percussion.schema.json": schema.schema(parameters),
                 "vscode/percussion.tmLanguage.json": textmate.grammar(parameters),
                 "vscode/package.json": extension(parameters.version)}
    texts = {name: json.dumps(content, indent=1) + "\n" for name, content in documents.items()}
    texts["vim/syntax/percussion.vim"] = vim_files.syntax(parameters)
    texts["vim/autoload/percussion/reference.vim"] = vim_files.table(parameters)
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
