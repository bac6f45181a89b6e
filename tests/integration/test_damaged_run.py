"""Files of a run folder that are damaged or gone: one clear error or a repair, and nothing stored is lost."""

from __future__ import annotations

import shutil

import polars as pl
import pytest
from tests.bad_input import audit, command, every_file, one_error, outcomes, page, records, write_table
from tests.models.loopback import LoopbackServer

from perimetry.inference.journal import Journal
from perimetry.models.request import Response

ITEMS = 6
ALL = "real,retest,shuffle,noimage,hardneg"


class Made:
    """A finished run of an endpoint that is still there."""

    def __init__(self, folder, server):
        self.run = folder / "run"
        self.server = server
        self.data = write_table(folder, records(ITEMS))
        self.model = f"openai:m@{server.url}"

    def audit(self, *more):
        before = self.server.count
        ended = audit(self.data, self.model, self.run, *more, conditions=ALL)
        return ended, self.server.count - before

    @property
    def part(self):
        (part,) = (self.run / "responses").glob("part-*.parquet")
        return part


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    with LoopbackServer("Answer: yes") as server:
        made = Made(tmp_path_factory.mktemp("finished"), server)
        assert made.audit()[0].code == 0
        yield made


@pytest.fixture
def made(finished, tmp_path):
    copy = Made(tmp_path, finished.server)
    shutil.copytree(finished.run, copy.run)
    settings = copy.run / "run.toml"
    settings.write_text(settings.read_text().replace(str(finished.run.parent), str(tmp_path)))
    return copy


@pytest.mark.usefixtures("pageless")
def test_the_copy_is_a_run_of_its_own(made):
    ended, asked = made.audit()
    assert (ended.code, asked) == (0, 0)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"asked = [",
        b"\xff\xfe",
        b"asked = 3\n",
        b'command = "x"\nmodels = []\n[asked]\n[digests]\n[versions]\n',
        b'command = "x"\nmodels = [{n = 1}]\n[asked]\n[digests]\n[versions]\n',
        b'command = "x"\nmodels = [{name = "m"}]\n[asked]\ndata = 3\n[digests]\n[versions]\n',
    ],
    ids=["empty", "cut", "bytes", "no table", "no model", "no name", "wrong field"],
)
@pytest.mark.usefixtures("pageless")
def test_run_toml(made, content):
    (made.run / "run.toml").write_bytes(content)
    for ended in (made.audit()[0], command("report", made.run)):
        one_error(ended, 1, "run.toml", "Restore the file")
    compared = command("compare", made.run, "--baseline", "openai:m", "--candidate", "x")
    assert compared.code in (1, 2)
    assert not compared.out


@pytest.mark.usefixtures("pageless")
def test_run_toml_can_be_deleted_and_costs_no_request(made):
    (made.run / "run.toml").unlink()
    one_error(command("report", made.run), 1, "no run.toml")
    ended, asked = made.audit()
    assert (ended.code, asked) == (0, 0)


@pytest.mark.parametrize("how", ["cut", "gone", "another table"])
@pytest.mark.parametrize("name", ["outcomes", "estimates", "plan"])
@pytest.mark.usefixtures("pageless")
def test_tables_are_made_again(made, name, how):
    file = made.run / f"{name}.parquet"
    whole = file.read_bytes()
    if how == "gone":
        file.unlink()
    elif how == "another table":
        shutil.copy(made.run / "neighbours" / "neighbours.parquet", file)
    else:
        file.write_bytes(whole[: len(whole) // 2])
    if name == "outcomes":
        ended = command("compare", made.run, "--baseline", "openai:m", "--candidate", "x")
        one_error(ended, 1, "outcomes.parquet", f"perimetry report {made.run}")
    assert command("report", made.run).code == 0
    if name != "plan":
        assert file.read_bytes() == whole
    ended, asked = made.audit()
    assert (ended.code, asked) == (0, 0)
    assert file.read_bytes() == whole


@pytest.mark.parametrize("name", ["verdicts.json", "report", "neighbours", "estimates.csv"])
def test_what_follows_from_the_responses_may_be_deleted(made, name):
    path = made.run / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert command("report", made.run).code == 0
    assert name == "neighbours" or path.exists()
    ended, asked = made.audit()
    assert (ended.code, asked) == (0, 0)
    assert path.exists()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 1}', b"\xff"])
@pytest.mark.usefixtures("pageless")
def test_a_damaged_neighbour_index_is_built_again(made, content):
    for name in ("neighbours.json", "neighbours.parquet"):
        whole = (made.run / "neighbours" / name).read_bytes()
        (made.run / "neighbours" / name).write_bytes(content)
        ended, asked = made.audit()
        assert (ended.code, asked) == (0, 0)
        assert (made.run / "neighbours" / name).read_bytes() == whole


@pytest.mark.parametrize("how", ["cut", "empty", "text", "middle"])
@pytest.mark.usefixtures("pageless")
def test_a_damaged_part_is_set_aside_and_its_requests_are_asked_again(made, how):
    name, whole = made.part.name, made.part.read_bytes()
    middle = bytes(4) + b"\xff" * (len(whole) - 1000) + whole[-996:]
    made.part.write_bytes({"cut": whole[:-20], "empty": b"", "text": b"x" * 99, "middle": middle}[how])
    before = every_file(made.run)
    reported = command("report", made.run)
    one_error(reported, 1, name, "nothing was changed")
    assert every_file(made.run) == before
    ended, asked = made.audit()
    assert (ended.code, asked) == (0, 5 * ITEMS)
    assert name in ended.err
    assert "its requests are asked again" in ended.err
    assert (made.run / "responses" / f"{name}.damaged").is_file()
    assert outcomes(made.run)["answered"].all()


@pytest.mark.usefixtures("pageless")
def test_a_report_made_from_some_of_the_parts_says_which_it_passed_over(made):
    other = made.part.with_name(made.part.name.replace("-000000-", "-000001-"))
    other.write_bytes(b"x" * 99)
    reported = command("report", made.run)
    assert reported.code == 3
    assert f"Note: {other}" in reported.err
    assert command("report", made.run, "--json").json["problems"]


@pytest.mark.parametrize("how", ["gone", "empty"])
@pytest.mark.usefixtures("pageless")
def test_a_report_without_its_responses_leaves_what_there_is(made, how):
    shutil.rmtree(made.run / "responses")
    if how == "empty":
        (made.run / "responses").mkdir()
    before = every_file(made.run)
    one_error(command("report", made.run), 1, "no readable response of openai:m", "nothing was changed")
    assert every_file(made.run) == before


@pytest.mark.usefixtures("pageless")
def test_a_report_on_a_run_that_asked_nobody_says_so(made):
    ended = audit(made.data, made.model, made.run.parent / "new", "--max-requests", "0")
    assert ended.code == 3
    reported = command("report", made.run.parent / "new")
    assert reported.code == 3
    assert "nobody was asked yet" in reported.err


@pytest.mark.usefixtures("pageless")
def test_a_part_of_which_only_the_texts_are_damaged(made):
    """The columns that say what is answered are whole, so that only whoever reads the texts finds out."""
    part = made.part
    pl.read_parquet(part).write_parquet(part, compression="uncompressed")
    content = bytearray(part.read_bytes())
    text = content.index(b"Answer: yes")
    content[text - 40 : text - 4] = b"\xff" * 36
    part.write_bytes(content)
    assert pl.read_parquet(part, columns=["request_id", "failure_kind"]).height == 5 * ITEMS
    with pytest.raises(Exception, match=r".+"):
        pl.read_parquet(part)
    ended, asked = made.audit()
    assert (ended.code, asked) == (0, 5 * ITEMS)
    assert outcomes(made.run)["answered"].all()


@pytest.mark.usefixtures("pageless")
def test_deleted_responses_are_asked_again(made):
    shutil.rmtree(made.run / "responses")
    ended, asked = made.audit()
    assert (ended.code, asked) == (0, 5 * ITEMS)


@pytest.mark.usefixtures("pageless")
def test_damaged_journal_lines_cost_their_own_requests_only(tmp_path, finished):
    made = Made(tmp_path, finished.server)
    ended, asked = made.audit("--max-requests", "12")
    assert (ended.code, asked) == (3, 12)
    part = made.part
    # The journal as it stood before it became a part.
    rows = pl.read_parquet(part)
    part.unlink()
    path = part.with_name(part.name.replace("part-", "journal-").replace(".parquet", ".jsonl"))
    journal = Journal(path, "openai:m")
    for request_id, text in rows.select("request_id", "text").iter_rows():
        journal.append(Response(request_id, text))
    journal.close()
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3] = b'{"id": "broken\n'
    lines[5] = b"\x00\xff\n"
    lines[-1] = lines[-1][:20]  # cut short, as a power cut leaves it
    path.write_bytes(b"".join(lines))
    ended, asked = made.audit()
    assert (ended.code, asked) == (0, 5 * ITEMS - 12 + 3)
    assert "line 4" in ended.err
    assert "line 6" in ended.err
    assert outcomes(made.run)["answered"].all()
    assert path.with_name(f"{path.name}.damaged").is_file(), "a damaged journal is kept for whoever wants to look"


def test_a_stranger_in_the_folder_is_left_alone(made):
    for name in ("responses/notes.txt", "responses/part-x.parquet", ".DS_Store", "responses/journal-a-1-1.jsonl"):
        (made.run / name).write_bytes(b"\x00 not ours")
    ended, asked = made.audit()
    assert (ended.code, asked) == (0, 0)
    assert (made.run / "responses/notes.txt").read_bytes() == b"\x00 not ours"
    assert "openai:m" in page(made.run)
