"""One site from a page model: nothing on it needs a server or a network."""

from __future__ import annotations

import hashlib
import shutil
from importlib import resources
from pathlib import Path
from typing import Any

from perimetry.cases.errors import UsageError
from perimetry.cases.png import encode_png
from perimetry.reports.blocks import ChartBlock, PictureBlock, TableBlock
from perimetry.reports.casefiles import CaseFiles, write_cases
from perimetry.reports.charts.export import chart_images, chart_specification, vega_javascript
from perimetry.reports.charts.theme import DARK
from perimetry.reports.escape import check_name, script_json
from perimetry.reports.pages import page_html
from perimetry.reports.site import Site
from perimetry.reports.tables import write_table

__all__ = ["build_site"]

STATIC = ("icon.svg", "report.css", "charts-view.js", "tables.js", "overflow.js", "browser.js")


def build_site(folder: Path, site: Site) -> Path:
    """Write ``report/`` in a run folder, in place of the one that stood there.

    Parameters
    ----------
    folder : Path
        The run folder; relative image paths of the case browser start here.
    site : Site
        Its `browser.cases` are read once.

    Returns
    -------
    Path
        ``FOLDER/report/index.html``. Beside it: ``assets/`` (style, scripts, charts and cases as script files),
        ``charts/NAME.svg`` and ``.png``, ``tables/NAME.csv``, ``pictures/NAME.png``, ``images/``. The earlier report
        stays until the new one is complete.

    Raises
    ------
    UsageError
        When two charts or two tables share a name, or a name cannot be a file name. Nothing is written then.

    Examples
    --------
    >>> import tempfile
    >>> build_site(Path(tempfile.mkdtemp()), Site("Nothing yet")).name
    'index.html'
    """
    check_names(site)
    folder.mkdir(parents=True, exist_ok=True)
    target, fresh, old = (folder / name for name in ("report", ".report-new", ".report-old"))
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    fresh.mkdir()
    try:
        write_report(fresh, folder, site)
    except BaseException:
        # Half a report helps nobody, and on a full disk its place is wanted.
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    if target.exists():
        target.rename(old)
    fresh.rename(target)
    shutil.rmtree(old, ignore_errors=True)
    return target / "index.html"


def write_report(report: Path, base: Path, site: Site) -> None:
    """Write every file of a report into an empty folder."""
    assets = report / "assets"
    assets.mkdir()
    charts: dict[str, dict[str, Any]] = {}
    for section in site.sections:
        for block in section.blocks:
            if isinstance(block, ChartBlock):
                charts[block.name] = write_chart(block, report)
            elif isinstance(block, TableBlock):
                write_table(block, report / "tables" / f"{block.name}.csv")
            elif isinstance(block, PictureBlock):
                (report / "pictures").mkdir(exist_ok=True)
                (report / "pictures" / f"{block.name}.png").write_bytes(encode_png(block.pixels))
    static = resources.files("perimetry.reports") / "static"
    for name in STATIC:
        (assets / name).write_text((static / name).read_text(encoding="utf-8"), encoding="utf-8")
    if charts:
        (assets / "vega.js").write_text(vega_javascript(), encoding="utf-8")
        data = script_json({"dark": DARK, "charts": charts})
        (assets / "charts.js").write_text(f"window.perimetryCharts={data};\n", encoding="utf-8")
    cases: CaseFiles | None = None
    if site.browser is not None:
        cases = write_cases(site.browser, report, base)
    nonce = nonce_of(assets, site)
    html = page_html(site, nonce=nonce, charts=bool(charts), cases=cases)
    (report / "index.html").write_text(html, encoding="utf-8")


def write_chart(block: ChartBlock, report: Path) -> dict[str, Any]:
    """Save one chart as SVG and PNG and return its specification."""
    folder = report / "charts"
    folder.mkdir(exist_ok=True)
    specification = chart_specification(block.chart)
    svg, png = chart_images(specification)
    (folder / f"{block.name}.svg").write_text(svg, encoding="utf-8")
    (folder / f"{block.name}.png").write_bytes(png)
    return specification


def check_names(site: Site) -> None:
    """Refuse names that cannot be files, or that two blocks share."""
    seen: set[tuple[str, str]] = set()
    for section in site.sections:
        for block in section.blocks:
            if not isinstance(block, ChartBlock | TableBlock | PictureBlock):
                continue
            kind = {ChartBlock: "chart", TableBlock: "table", PictureBlock: "picture"}[type(block)]
            key = (kind, check_name(block.name, kind))
            if key in seen:
                raise UsageError(
                    f"Two {kind}s are called {block.name!r} (the second one in section {section.title!r}); "
                    "each needs a name of its own, because it becomes a file."
                )
            seen.add(key)


def nonce_of(assets: Path, site: Site) -> str:
    """The mark that the page's own scripts carry.

    It follows from everything on the page, so the same run gives the same bytes, and no text in the page can hold it.
    """
    digest = hashlib.sha256()
    for path in sorted(assets.glob("*.js")):
        digest.update(path.read_bytes())
    shown = (site.title, site.subtitle, site.verdicts, site.notes, site.failures, site.reproduce)
    digest.update(repr(shown).encode("utf-8", "replace"))
    for section in site.sections:
        for block in section.blocks:
            text = (block.name, block.caption, block.alt) if isinstance(block, ChartBlock | PictureBlock) else block
            digest.update(repr((section.title, section.lead, text)).encode("utf-8", "replace"))
    return digest.hexdigest()[:32]
