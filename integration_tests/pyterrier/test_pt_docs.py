"""The page that PyTerrier's documentation takes from the installed package."""

from importlib import metadata, resources

import pytest

pytest.importorskip("pyterrier", reason="PyTerrier is not installed")
docutils_core = pytest.importorskip("docutils.core", reason="docutils is not installed")

from docutils import nodes  # noqa: E402
from docutils.parsers.rst import Directive, directives, roles  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword")


class Noted(Directive):
    """A directive of Sphinx or of PyTerrier's documentation, which docutils lacks."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"caption": str, "citation": str, "link": str}  # noqa: RUF012

    def run(self):
        text = "\n".join(self.content)
        return [nodes.literal_block(text, text, directive=self.name, argument=self.arguments[0])]


@pytest.fixture(scope="module")
def page():
    """The page as docutils reads it; a warning of docutils is an error."""
    for name in ("code-block", "cite"):
        directives.register_directive(name, Noted)
    roles.register_generic_role("func", nodes.literal)
    # The documentation looks for the folder and for the distribution by the same name.
    assert metadata.metadata("pres_plugin")["name"] == "pres-plugin"
    source = resources.files("pres_plugin").joinpath("pt_docs", "index.rst")
    return docutils_core.publish_doctree(
        source.read_text(encoding="utf-8"), settings_overrides={"halt_level": 2, "report_level": 5}
    )


def blocks(page, directive, argument):
    """What the directives with this name and argument contain."""
    return [
        block.astext()
        for block in page.findall(nodes.literal_block)
        if (block["directive"], block["argument"]) == (directive, argument)
    ]


def test_the_code_prints_what_its_comments_show(page, capsys):
    namespace = {}
    code = blocks(page, "code-block", "python")
    assert code
    for block in code:
        exec(block, namespace)
        shown = [line.removeprefix("# ") for line in block.splitlines() if line.startswith("#")]
        assert capsys.readouterr().out.splitlines() == shown != []


def test_it_has_one_title_and_cites_the_paper(page):
    assert page["title"] == "PRES: Recall-Oriented Evaluation"
    assert len(blocks(page, "cite", "magdy-jones-2010")) == 1
