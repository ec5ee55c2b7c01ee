"""Files for the command line: found as git sees them, read whatever their bytes, no silent drops."""

from __future__ import annotations

import os
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.cli.files import decode, find, read_all
from haversack.exceptions import InputError

pytest.importorskip("pathspec", reason="needs pathspec: pip install 'haversack[cli]'")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A small repository, as the working directory."""
    monkeypatch.chdir(tmp_path)
    files = {
        ".git/config": "x",
        ".git/info/exclude": "excluded.txt\n",
        ".gitignore": "*.log\n/build/\n!keep.log\nsecret/\n",
        "README.md": "read me",
        "excluded.txt": "x",
        "a.log": "x",
        "keep.log": "kept",
        "build/out.txt": "built",
        "secret/key.txt": "x",
        "src/.gitignore": "!*.log\n*.tmp\n/gen/*\n!/gen/kept.py\n",
        "src/a.py": "a = 1",
        "src/b.log": "logged",
        "src/c.tmp": "x",
        "src/gen/made.py": "x",
        "src/gen/kept.py": "kept",
        "src/deep/er/d.py": "d = 1",
        "src/deep/build/e.py": "e = 1",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def paths(*asked):
    return [file.path for file in find(asked)]


SOURCES = [
    "src/.gitignore",
    "src/a.py",
    "src/b.log",
    "src/deep/build/e.py",
    "src/deep/er/d.py",
    "src/gen/kept.py",
]


class TestFinding:
    def test_a_directory_is_what_git_would_take(self, tree):
        assert [".gitignore", "README.md", "keep.log", *SOURCES] == paths(".")

    def test_git_agrees(self, tree):
        git = {"GIT_DIR": str(tree / "other.git"), "GIT_WORK_TREE": str(tree), "PATH": os.environ["PATH"]}
        if subprocess.run(["git", "init", "-q", str(tree / "x")], check=False).returncode:
            pytest.skip("needs git")
        subprocess.run(["git", "init", "-q"], check=True, env=git)
        (tree / "other.git/info").mkdir(exist_ok=True)
        (tree / "other.git/info/exclude").write_text("excluded.txt\n/other.git/\n/x/\n")
        asked = ["git", "ls-files", "--others", "--exclude-standard"]
        listed = subprocess.run(asked, check=True, env=git, capture_output=True, text=True).stdout.split()

        (tree / ".git/info/exclude").write_text("excluded.txt\n/other.git/\n/x/\n")
        assert sorted(listed) == sorted(paths("."))

    def test_the_rules_of_folders_above_hold_inside(self, tree, monkeypatch):
        assert paths("src") == SOURCES
        monkeypatch.chdir(tree / "src")
        assert [path.removeprefix("src/") for path in SOURCES] == paths(".")

    def test_what_is_named_is_taken_even_if_git_would_not(self, tree):
        assert paths("a.log", "build") == ["a.log", "build/out.txt"]

    def test_patterns(self, tree):
        assert paths("src/**/*.py") == [
            "src/a.py",
            "src/deep/build/e.py",
            "src/deep/er/d.py",
            "src/gen/kept.py",
        ]
        assert paths("*.log") == ["keep.log"]

    def test_files_are_told_from_findings_and_come_once(self, tree):
        found = find(["src", "./src/a.py", "README.md"])

        assert {"src/a.py": True, "README.md": True, "src/b.log": False}.items() <= {
            file.path: file.named for file in found
        }.items()
        assert len({file.path for file in found}) == len(found) == len(SOURCES) + 1

    def test_outside_a_repository_the_gitignore_files_inside_count(self, tree):
        import shutil

        shutil.rmtree(tree / ".git")
        assert "excluded.txt" in paths(".")
        assert "a.log" not in paths(".")

    @pytest.mark.parametrize("missing", ["nothing.txt", "src/*.rs", ""])
    def test_what_is_not_there_is_an_error_naming_it(self, tree, missing):
        with pytest.raises(InputError, match=r"no file, directory or pattern|matches no file") as caught:
            find([missing])
        assert missing == caught.value.found

    def test_links_in_a_directory_are_listed_and_not_followed(self, tree):
        (tree / "src/loop").symlink_to(tree / "src")
        found = {file.path: file.skipped for file in find(["src"])}

        assert (found["src/loop"], found["src/a.py"]) == ("a link", None)
        assert len(SOURCES) + 1 == len(found)


class TestReading:
    def test_what_cannot_be_read_comes_back_with_the_reason(self, tmp_path):
        contents = {
            "binary.bin": b"\x7fELF\0\0",
            "empty.txt": b" \n",
            "latin.txt": "café".encode("latin-1"),
            "large.txt": b"x" * 2001,
            "ok.txt": "café".encode(),
        }
        for name, data in contents.items():
            (tmp_path / name).write_bytes(data)
        os.mkfifo(tmp_path / "pipe")
        found = {
            os.path.basename(f.path): (f.text, f.skipped) for f in read_all([str(tmp_path)], max_bytes=2000)
        }

        assert found == {
            "binary.bin": (None, "binary"),
            "empty.txt": (None, "empty"),
            "large.txt": (None, "too large: 2,001 bytes, the limit is 2,000"),
            "latin.txt": (None, "not UTF-8: byte 0xe9 at offset 3"),
            "ok.txt": ("café", None),
            "pipe": (None, "not a regular file"),
        }

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
    @given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"), max_size=20))
    def test_unicode_is_decoded_and_its_mark_taken_off(self, encoding, text):
        assert (text, None) == decode(text.encode(encoding))

    def test_big_endian_marks_are_known(self):
        assert decode(b"\xfe\xff" + "hé".encode("utf-16-be")) == ("hé", None)
        assert decode(b"\x00\x00\xfe\xff" + "hé".encode("utf-32-be")) == ("hé", None)

    def test_broken_utf_16_says_where(self):
        assert decode(b"\xff\xfea\0A") == (None, "not UTF-16: byte 0x41 at offset 4")

    @given(st.binary(max_size=40))
    def test_any_bytes_give_a_text_or_a_reason(self, data):
        text, reason = decode(data)

        assert (text is None) != (reason is None)
