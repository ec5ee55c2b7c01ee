"""Renderers: what is counted is what is sent, and no text gets out of its block."""

from __future__ import annotations

import pickle
import re
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from haversack import counters
from haversack._text import one_line, well_formed
from haversack.exceptions import InputError, InputTypeError
from haversack.renderers import MARKDOWN, NUMBERED, PLAIN, XML, Block, Renderer, charge, named
from tests.texts import HOSTILE, texts, unhurried

pytest.importorskip("toktok", reason="needs toktok-rs: pip install 'haversack[tokens]'")

EXACT = ["o200k_base", "cl100k_base"]
ADDITIVE = [MARKDOWN, XML, NUMBERED]
ALL = [PLAIN, *ADDITIVE, Renderer("* {title}: {text}", name="bullets", lines=True)]

names = st.one_of(st.none(), st.sampled_from(HOSTILE), st.sampled_from(["api", "docs/a b.md", "/etc/hosts"]))
sections = st.one_of(st.none(), st.sampled_from(["rules", "docs", '"><x', "a\nb", "/"]))


@st.composite
def block_lists(draw, most=8):
    """Blocks as a caller may have them."""
    one = st.builds(
        Block,
        names,
        st.one_of(st.none(), texts),
        names,
        sections,
        st.one_of(st.none(), st.just(3)),
        st.just(9),
    )
    return draw(st.lists(one, max_size=most))


def by_name(renderers):
    return pytest.mark.parametrize("renderer", renderers, ids=[renderer.name for renderer in renderers])


def full(renderer):
    """A renderer with everything switched on."""
    return renderer.replace(headings=True, notes=True, header="Context:\n\n", footer="\n\nAnswer briefly.")


def body_of(block):
    return block.text.rstrip()


def as_parsed(text):
    """Newlines as Markdown and XML parsers give them back."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class TestTheSum:
    @by_name(ADDITIVE)
    @pytest.mark.parametrize("encoding", EXACT)
    @unhurried
    @given(chosen=block_lists(), omitted=block_lists(most=2), data=st.data())
    def test_is_exact_for_the_formats_that_promise_it(self, renderer, encoding, chosen, omitted, data):
        counter = counters.resolve(encoding)
        order = data.draw(st.permutations(range(len(chosen))))
        for style in (renderer, full(renderer)):
            charges = charge(style, counter, [*chosen, *omitted], optional=omitted)
            text = style.render(chosen, order=order, omitted=omitted)

            present = {block.section for block in chosen if block.section and not block.is_empty}
            paid = [tokens for section, tokens in charges.headings.items() if section in present]
            assert counter(text) == charges.frame + sum(charges.blocks[: len(chosen)]) + sum(paid)

    @by_name(ALL)
    @pytest.mark.parametrize("encoding", EXACT)
    @unhurried
    @given(chosen=block_lists(), data=st.data())
    def test_of_one_block_is_exact_for_all_formats(self, renderer, encoding, chosen, data):
        counter = counters.resolve(encoding)
        for block in chosen:
            charges = charge(renderer, counter, [block])

            paid = charges.blocks[0] - (charges.refund if charges.blocks[0] else 0)
            assert counter(renderer.render([block])) == charges.frame + paid

    @unhurried
    @given(st.lists(st.text("abc d.,\n", min_size=1), max_size=6))
    def test_of_plain_texts_is_above_the_count_but_for_the_separator_that_is_refunded(self, some):
        counter = counters.resolve("cl100k_base")
        blocks = [Block(None, text) for text in some]
        charges = charge(PLAIN, counter, blocks)

        assert counter(PLAIN.render(blocks)) <= sum(charges.blocks) - (
            charges.refund if any(charges.blocks) else 0
        )

    def test_of_numbered_blocks_is_charged_at_the_widest_number(self):
        counter = counters.wrap(len)  # a token for every digit
        many = [Block(None, "x") for _ in range(120)]
        charges = charge(NUMBERED, counter, many)

        assert {len("[120]\nx\n")} == set(charges.blocks)
        assert counter(NUMBERED.render(many[:7])) < sum(charges.blocks[:7])

    def test_the_note_is_charged_at_its_longest(self):
        counter = counters.wrap(len)
        blocks = [Block(None, "x") for _ in range(100)]
        noted = MARKDOWN.replace(notes=True)

        assert len(noted.note_text(blocks)) == charge(noted, counter, blocks).frame
        assert len(noted.note_text(blocks[:9])) == charge(noted, counter, blocks, optional=blocks[:9]).frame

    def test_every_part_is_counted_once_in_one_batch(self):
        batches = []

        def count_many(batch):
            batches.append(batch)
            return [len(text) for text in batch]

        blocks = [Block("a", "one", section="s"), Block("b", "two", section="s"), Block("c", "other")]
        charge(full(MARKDOWN), counters.Counter("recorder", count_many, exact=True), blocks)

        assert len(batches) == 1
        assert sorted(set(batches[0])) == sorted(batches[0])

    def test_what_has_no_text_costs_nothing_and_renders_nothing(self):
        image, blank, note = Block("image", None), Block("blank", " \n"), Block("note", "hi", section="s")
        for renderer in ALL:
            charges = charge(renderer, counters.wrap(len), [image, blank, note])
            assert charges.blocks[:2] == [0, 0]
            assert renderer.render([image, note]) == renderer.render([Block(None, None), note])
        assert PLAIN.render([image, note, blank]) == "hi"


class TestBlocks:
    @unhurried
    @given(block_lists())
    @example([Block("a", "Run this:\n```sh\nmake build\n"), Block("b", "Then."), Block("c", "Four: ````")])
    @example([Block("a", "in\n```\nstill in"), Block("b", "in\n`````\n~~~\nstill in")])
    def test_markdown_keeps_each_text_whole_in_its_own_fence(self, chosen):
        markdown = pytest.importorskip("markdown_it", reason="needs markdown-it-py")
        tokens = markdown.MarkdownIt("commonmark").parse(MARKDOWN.render(chosen))
        present = [block for block in chosen if not block.is_empty]

        assert ["heading_open", "inline", "heading_close", "fence"] * len(present) == [t.type for t in tokens]
        fenced = [token.content for token in tokens if token.type == "fence"]
        assert [as_parsed(body_of(block)).replace("\0", "\ufffd") + "\n" for block in present] == fenced

    @unhurried
    @given(block_lists())
    def test_xml_keeps_each_text_whole_in_its_own_element(self, chosen):
        style = XML.replace(headings=True)
        root = ElementTree.fromstring(f"<all>{style.render(chosen)}</all>")
        present = [block for block in chosen if not block.is_empty]
        order = {None: 0, "": 0}
        for block in present:
            order.setdefault(block.section, len(order))
        present.sort(key=lambda block: order[block.section])

        illegal = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
        assert ["\n" + as_parsed(illegal.sub("\ufffd", body_of(block))) + "\n" for block in present] == [
            element.text for element in root.iter("snippet")
        ]
        assert [None if block.id is None else one_line(str(block.id)) for block in present] == [
            None if element.get("id") is None else element.get("id") for element in root.iter("snippet")
        ]

    @unhurried
    @given(block_lists())
    def test_xml_shows_its_own_tags_only_at_the_edges_even_to_a_naive_reader(self, chosen):
        text = XML.render(chosen)
        present = sum(not block.is_empty for block in chosen)

        assert (
            present
            == len(re.findall(r"(?i)<\s?snippet\b", text))
            == len(re.findall(r"(?i)<\s?/\s?snippet\b", text))
        )

    @unhurried
    @given(block_lists())
    def test_numbered_texts_have_no_line_that_looks_like_another_block(self, chosen):
        heads = [line for line in NUMBERED.render(chosen).splitlines() if re.match(r"\s*\[\s*\d+\s*\]", line)]
        present = [number for number, block in enumerate(chosen, 1) if not block.is_empty]

        assert present == [int(re.match(r"\[(\d+)\]", head)[1]) for head in heads]

    @pytest.mark.parametrize(
        "text", ["[" + " " * 100_000 + "x", "\n" * 200_000, " " * 200_000 + "[x", "<" + " " * 200_000]
    )
    @by_name(ADDITIVE)
    def test_hostile_texts_render_in_linear_time(self, renderer, text):
        import time

        start = time.perf_counter()
        renderer.block_text(Block("a", "x" + text + "\n" + "[" * 1000 + "<" * 1000 + "x"))

        assert time.perf_counter() - start < 2

    @by_name(ALL)
    @unhurried
    @given(chosen=block_lists())
    def test_the_text_is_valid_unicode(self, renderer, chosen):
        full(renderer).render(chosen, omitted=chosen).encode()

    def test_plain_texts_are_as_they_were(self):
        some = ["  indented\n", "report \ud8aa page 3", "The <|endoftext|> \r\n"]

        assert "\n\n".join(map(well_formed, some)) == PLAIN.render([Block(None, text) for text in some])

    def test_a_title_stays_on_its_line(self):
        assert MARKDOWN.block_text(Block("a\n### b\x00", "x"))[:12] == "### a ### b\n"


class TestRendering:
    two = (Block("a", "Tea is hot.", section="facts"), Block("b", "Ice is cold.", "notes.md", "more", 3, 9))

    def test_markdown(self):
        assert MARKDOWN.replace(headings=True, notes=True).render(self.two, omitted=[Block("c", "x")]) == (
            "## facts\n### a\n```\nTea is hot.\n```\n## more\n### notes.md:3-9\n```\nIce is cold.\n```\n"
            "*(left out for length: 1)*\n"
        )

    def test_xml(self):
        assert XML.replace(headings=True).render(self.two) == (
            '<section name="facts">\n<snippet id="a">\nTea is hot.\n</snippet>\n</section>\n'
            '<section name="more">\n<snippet id="b" source="notes.md:3-9">\nIce is cold.\n</snippet>\n'
            "</section>\n"
        )
        assert (
            XML.render([Block(None, "a < b </s</snippet> ]]>")])
            == "<snippet><![CDATA[\na < b </s<]]><![CDATA[/snippet> ]]]]><![CDATA[>\n]]></snippet>\n"
        )

    def test_numbered(self):
        assert NUMBERED.render(self.two) == "[1] a\nTea is hot.\n[2] notes.md:3-9\nIce is cold.\n"
        assert NUMBERED.render([Block(None, "[2] no")]) == "[1]\n\\[2] no\n"

    def test_numbers_are_places_among_the_selected_whatever_the_order(self):
        assert (
            NUMBERED.render(self.two, order=[1, 0]) == "[2] notes.md:3-9\nIce is cold.\n[1] a\nTea is hot.\n"
        )

    def test_plain(self):
        assert PLAIN.render(self.two) == "Tea is hot.\n\nIce is cold."
        assert (
            PLAIN.replace(header="Context", notes=True).render(self.two, omitted=[Block("c", "x")])
            == "Context\n\nTea is hot.\n\nIce is cold.\n\n(1 left out)"
        )

    def test_headings_keep_the_blocks_of_a_section_together_in_the_order_given(self):
        blocks = [Block(str(i), "x", section=s) for i, s in enumerate(["b", None, "a", "b"])]
        text = MARKDOWN.replace(headings=True).render(blocks, order=[3, 2, 1, 0])

        assert re.findall("^##.*", text, re.M) == ["### 1", "## b", "### 3", "### 0", "## a", "### 2"]

    def test_a_section_with_nothing_to_show_has_no_heading(self):
        assert MARKDOWN.replace(headings=True).render([Block("image", None, section="s")]) == ""

    def test_nothing_chosen_leaves_the_frame(self):
        assert MARKDOWN.replace(header="\nContext:\n\n").render([]) == "Context:\n"

    def test_a_note_of_the_callers_gets_the_blocks_left_out(self):
        noted = PLAIN.replace(
            note=lambda omitted: "Not shown: " + ", ".join(block.title for block in omitted)
        )

        assert noted.render(self.two[:1], omitted=self.two[1:]) == "Tea is hot.\n\nNot shown: notes.md:3-9"


class TestRenderer:
    def test_a_template_may_use_braces_and_every_field(self):
        template = "{{{id}|{title}|{source}|{section}|{number}|{text}}}"

        assert Renderer(template).render([Block("a", "{text}", "s", "t")]) == "{a|s|s|t|1|{text}}"

    @pytest.mark.parametrize("template", ["{txt}", "{text", "{0}", "{}", "{text.nope}"])
    def test_a_template_that_cannot_be_filled_in_is_refused_at_once(self, template):
        with pytest.raises(InputError, match=r"block template .* it may use \{text\}") as caught:
            Renderer(template)
        assert ("block", template) == (caught.value.field, caught.value.found)

    def test_the_other_templates_are_tried_too(self):
        for wrong in ({"heading": "{name}"}, {"note": "{ids}"}, {"heading_end": "{x}"}):
            with pytest.raises(InputError, match="cannot be filled in"):
                MARKDOWN.replace(**wrong)

    def test_a_function_that_gives_no_text_is_named(self):
        with pytest.raises(InputTypeError, match="renderer 'mine' made NoneType"):
            Renderer(lambda block: None, name="mine").render([Block("a", "x")])

    def test_lines_and_a_separator_contradict_each_other(self):
        with pytest.raises(InputError, match="has no separator"):
            MARKDOWN.replace(separator="\n\n")

    def test_parts_with_lines_start_without_blank_lines_and_end_in_one_newline(self):
        lines = Renderer("\r\n\n  {text}\n\n", lines=True, header="\n \n  Head\n\n")

        assert lines.render([Block(None, "a"), Block(None, "b")]) == "  Head\n  a\n  b\n"

    def test_headings_and_notes_are_on_for_those_who_give_them(self):
        assert (MARKDOWN.headings, Renderer().notes) == (False, False)
        assert MARKDOWN.replace(heading="# {section}").headings
        assert Renderer(note="{count}").notes
        assert not MARKDOWN.replace(heading="# {section}", headings=False).headings

    def test_the_formats_are_found_by_name(self):
        assert (named("Markdown"), named(PLAIN)) == (MARKDOWN, PLAIN)
        with pytest.raises(InputError, match="plain, markdown, xml, numbered"):
            named("latex")
        with pytest.raises(InputTypeError):
            named(None)

    @by_name(ALL)
    def test_renderers_are_values(self, renderer):
        copy = pickle.loads(pickle.dumps(renderer))

        assert renderer == copy
        assert copy.render([Block("a", "x")]) == renderer.render([Block("a", "x")])
        with pytest.raises(AttributeError, match="frozen"):
            renderer.header = "x"
