"""Blends against the definition in floating point; pixels outside; fills; pinned digests."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from perimetry.cases.image import Pixels
from perimetry.cases.regions import Rectangle
from perimetry.conditions.pixels import Fill, Occlude, normal_field
from perimetry.conditions.pixels.fills import DEFAULT_DEPTH
from perimetry.conditions.pixels.inpaint import inpainted
from perimetry.conditions.pixels.kept import KeptFields
from perimetry.conditions.pixels.levels import ONE, trimmed_levels

FILLS = ("noise", "black", "white", "mean", "blur", "shuffle", "inpaint")
TWO = (Rectangle(3, 5, 20, 30), Rectangle(10, 20, 30, 45))
OPERATIONS = (
    *(Occlude(TWO, 60, Fill(kind)) for kind in FILLS),
    Occlude(TWO, 100),
    Occlude(None, 100),
    Occlude(TWO, 20, Fill("noise", 2.5, "median", 7)),
    Occlude(TWO, 80, feather=12),
)
UNTIMED = settings(deadline=None)
Pattern = Callable[..., Pixels]


def inside(rectangles: tuple[Rectangle, ...], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.zeros(shape[:2], bool)
    for one in rectangles:
        mask[one.top : one.bottom, one.left : one.right] = True
    return mask


def picture(seed: int, height: int, width: int, channels: int) -> Pixels:
    shape = (height, width, 3) if channels == 3 else (height, width)
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


@st.composite
def pictures_with_rectangles(draw: st.DrawFn) -> tuple[Pixels, tuple[Rectangle, ...]]:
    height, width = draw(st.integers(1, 24)), draw(st.integers(1, 24))
    edges = st.tuples(
        st.integers(0, height - 1), st.integers(0, width - 1), st.integers(1, height), st.integers(1, width)
    )
    found = draw(st.lists(edges, min_size=1, max_size=4))
    rectangles = tuple(
        Rectangle(top, left, max(bottom, top + 1), max(right, left + 1)) for top, left, bottom, right in found
    )
    return picture(draw(st.integers(0, 99)), height, width, draw(st.sampled_from([1, 3]))), rectangles


@UNTIMED
@given(pictures_with_rectangles(), st.sampled_from(FILLS), st.sampled_from([0, 1, 20, 60, 100]))
def test_no_pixel_outside_changes(made: tuple[Pixels, tuple[Rectangle, ...]], kind: str, strength: int) -> None:
    pixels, rectangles = made
    before = pixels.copy()
    out = Occlude(rectangles, strength, Fill(kind)).apply(pixels, "digest")
    mask = inside(rectangles, pixels.shape)
    assert out.dtype == np.uint8 and out.shape == pixels.shape
    assert np.array_equal(out[~mask], pixels[~mask])
    assert np.array_equal(pixels, before)
    if strength == 0:
        assert np.array_equal(out, pixels)


@UNTIMED
@given(pictures_with_rectangles(), st.sampled_from(FILLS))
def test_strengths_lie_on_the_line_to_the_full_fill(made: tuple[Pixels, tuple[Rectangle, ...]], kind: str) -> None:
    """One fill serves every strength: each blend is the rounded point between the original and strength 100."""
    pixels, rectangles = made
    full = Occlude(rectangles, 100, Fill(kind)).apply(pixels, "digest").astype(float)
    for strength in (20, 40, 60, 80):
        out = Occlude(rectangles, strength, Fill(kind)).apply(pixels, "digest")
        share = strength / 100
        # The full fill is itself rounded: by half a level, of which the blend sees a share.
        assert np.abs(out - ((1 - share) * pixels + share * full)).max() <= 0.5 + share / 2 + 1e-9


@UNTIMED
@given(pictures_with_rectangles(), st.sampled_from(["noise", "black", "mean", "blur"]))
def test_two_regions_together_are_one_after_the_other(made: tuple[Pixels, tuple[Rectangle, ...]], kind: str) -> None:
    """The fill of a pixel depends on the image alone, not on what else is covered."""
    pixels, rectangles = made
    together = Occlude(rectangles, 100, Fill(kind)).apply(pixels, "digest")
    whole = Occlude(None, 100, Fill(kind)).apply(pixels, "digest")
    mask = inside(rectangles, pixels.shape)
    assert np.array_equal(together[mask], whole[mask])


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("strength", [20, 40, 60, 80, 100])
@pytest.mark.parametrize("center", ["mean", "median"])
def test_noise_is_what_the_definition_says(pattern: Pattern, colour: bool, strength: int, center: str) -> None:
    pixels = pattern(colour=colour)
    low, high = np.percentile(pixels, [1, 99])
    kept = pixels[(pixels >= low) & (pixels <= high)].astype(float)
    middle = np.median(kept) if center == "median" else kept.mean()
    noise = np.clip(
        middle + kept.std() * normal_field(42, "occlusion", "digest", pixels.shape[:2]).astype(float), 0, 255
    )
    if colour:
        noise = noise[:, :, None]
    exact = (1 - strength / 100) * pixels + strength / 100 * noise
    out = Occlude(None, strength, Fill("noise", center=center)).apply(pixels, "digest")
    # Rounded once and half up; where the definition comes within a thousandth of a half either side will do.
    assert np.abs(out - exact).max() < 0.501
    clear = np.abs(exact % 1 - 0.5) > 1e-3
    assert clear.mean() > 0.9
    assert np.array_equal(out[clear], np.floor(exact + 0.5)[clear])


@UNTIMED
@given(st.lists(st.integers(0, 255), min_size=1, max_size=300))
def test_levels_are_those_of_numpy(values: list[int]) -> None:
    pixels = np.array([values], np.uint8)
    low, high = np.percentile(pixels, [1, 99])
    kept = pixels[(pixels >= low - 1e-9) & (pixels <= high + 1e-9)]
    if not kept.size:
        kept = pixels
    levels = trimmed_levels(pixels)
    assert levels.mean / ONE == pytest.approx(kept.mean(), abs=1e-5)
    assert levels.median / ONE == np.median(kept)
    assert levels.deviation / ONE == pytest.approx(kept.std(), abs=1e-4)


def test_noise_keeps_mean_and_deviation_also_where_its_grain_is_coarse() -> None:
    pixels = np.clip(np.random.default_rng(1).normal(120, 25, (224, 224)), 0, 255).astype(np.uint8)
    for blur in (0.0, 1.0, 2.5):
        out = Occlude(None, 100, Fill("noise", blur)).apply(pixels, "digest").astype(float)
        assert out.mean() == pytest.approx(120, abs=2)
        assert out[20:-20, 20:-20].std() == pytest.approx(trimmed_levels(pixels).deviation / ONE, rel=0.06)
        neighbours = np.corrcoef(out[:, 1:].ravel(), out[:, :-1].ravel())[0, 1]
        # A Gaussian grain: neighbours correlate as exp(-1 / (4 sigma**2)).
        assert neighbours == pytest.approx(np.exp(-0.25 / blur**2) if blur else 0.0, abs=0.03)


def test_colour_gets_the_same_noise_in_all_channels(pattern: Pattern) -> None:
    grey = pattern()
    colour = np.repeat(grey[:, :, None], 3, axis=2)
    for kind in FILLS:
        plain = Occlude(TWO, 60, Fill(kind)).apply(grey, "digest")
        assert np.array_equal(
            Occlude(TWO, 60, Fill(kind)).apply(colour, "digest"), np.repeat(plain[:, :, None], 3, axis=2)
        )


def test_noise_belongs_to_seed_and_image(pattern: Pattern) -> None:
    pixels = pattern()
    out = {
        key: Occlude(TWO, 100, Fill(seed=key[0])).apply(pixels, key[1]).tobytes()
        for key in [(1, "a"), (2, "a"), (1, "b")]
    }
    assert len(set(out.values())) == 3


def test_shuffle_keeps_the_pixels_of_a_region(pattern: Pattern) -> None:
    pixels = pattern(60, 60, colour=True)
    apart = Rectangle(40, 0, 55, 12)
    out = Occlude((*TWO, apart), 100, Fill("shuffle")).apply(pixels, "digest")
    for region in ((apart,), TWO):
        mask = inside(region, pixels.shape)
        assert sorted(map(tuple, out[mask].tolist())) == sorted(map(tuple, pixels[mask].tolist()))
        assert not np.array_equal(out[mask], pixels[mask])


def test_blur_is_the_image_blurred(pattern: Pattern) -> None:
    from scipy.ndimage import gaussian_filter

    pixels = picture(3, 100, 90, 1)
    sigma = DEFAULT_DEPTH * 90 / 224
    out = Occlude(None, 100, Fill("blur")).apply(pixels, "digest")
    assert np.abs(out - gaussian_filter(pixels.astype(float), sigma, mode="reflect", truncate=3)).max() < 1.0
    assert Fill("blur").spelling != Fill("blur", 5).spelling == "blur(blur=5/224)"


def test_inpainting_solves_laplace(pattern: Pattern) -> None:
    rows, columns = np.mgrid[:80, :100].astype(float)
    for harmonic in (2 * rows + 0.5 * columns, (rows - 40) ** 2 / 20 - (columns - 50) ** 2 / 20 + 100):
        hole = inside((Rectangle(20, 30, 60, 70), Rectangle(30, 60, 50, 85)), harmonic.shape)
        solved = inpainted(np.where(hole, 7777.0, harmonic), hole)
        assert np.array_equal(solved[~hole], harmonic[~hole])
        assert np.abs(solved - harmonic)[hole].max() < 0.05 * np.ptp(harmonic)
    ragged = picture(5, 40, 40, 1).astype(float)
    hole = inside((Rectangle(10, 0, 30, 25),), ragged.shape)
    solved = inpainted(ragged, hole)
    assert ragged[~hole].min() <= solved[hole].min() and solved[hole].max() <= ragged[~hole].max()
    assert solved[hole].std() < ragged[~hole].std() / 2


def test_nothing_to_inpaint_from_gives_one_level() -> None:
    pixels = picture(5, 20, 20, 3)
    out = Occlude((Rectangle(0, 0, 20, 20),), 100, Fill("inpaint")).apply(pixels, "digest")
    assert np.unique(out).size == 1


def test_feather_fades_out_beyond_the_edge_in_equal_steps() -> None:
    pixels = np.full((224, 224), 200, np.uint8)
    out = Occlude((Rectangle(100, 100, 110, 110),), 100, Fill("black"), feather=3).apply(pixels, "digest")
    assert (out[100:110, 100:110] == 0).all()
    assert out[105, 108:116].tolist() == [0, 0, 50, 100, 150, 200, 200, 200]
    assert out[105, 94:101].tolist() == [200, 200, 200, 150, 100, 50, 0]
    assert out[98, 98] == out[98, 105] == 100  # the larger of both distances
    half = Occlude((Rectangle(100, 100, 110, 110),), 50, Fill("black"), feather=3).apply(pixels, "digest")
    assert half[105, 108:115].tolist() == [100, 100, 125, 150, 175, 200, 200]


@UNTIMED
@given(pictures_with_rectangles(), st.sampled_from(FILLS), st.sampled_from([20, 100]))
def test_feather_leaves_the_inside_and_the_far_outside(
    made: tuple[Pixels, tuple[Rectangle, ...]], kind: str, strength: int
) -> None:
    pixels, rectangles = made
    out = Occlude(rectangles, strength, Fill(kind), feather=20).apply(pixels, "digest")
    reach = int(np.ceil(20 * min(pixels.shape[:2]) / 224))
    grown = tuple(
        Rectangle(max(one.top - reach, 0), max(one.left - reach, 0), one.bottom + reach, one.right + reach)
        for one in rectangles
    )
    far = ~inside(grown, pixels.shape)
    assert np.array_equal(out[far], pixels[far])
    if kind in ("noise", "black", "mean", "blur"):
        mask = inside(rectangles, pixels.shape)
        plain = Occlude(rectangles, strength, Fill(kind)).apply(pixels, "digest")
        assert np.array_equal(out[mask], plain[mask])


def test_kept_fields_change_nothing_and_stay_bounded() -> None:
    kept = KeptFields(kept_bytes=20_000)
    made: list[int] = []

    def make(number: int) -> Callable[[], NDArray[np.int32]]:
        def field() -> NDArray[np.int32]:
            made.append(number)
            return np.full((20, 20), number, np.int32)

        return field

    pixels = [picture(number, 20, 20, 1) for number in range(50)]
    for number in range(50):
        assert kept.get(number, pixels[number], make(number))[0, 0] == number
        assert kept.get(number, pixels[number].copy(), make(-1))[0, 0] == number
        assert kept.held_bytes <= 20_000
    assert len(kept) == 10 and made == list(range(50))
    # The same key over other pixels: made anew.
    assert kept.get(49, pixels[3], make(99))[0, 0] == 99
    # Pixels that are written to afterwards do not bring the old field back.
    changing = picture(60, 20, 20, 1)
    assert kept.get("x", changing, make(1))[0, 0] == 1
    changing[0, 0] ^= 1
    assert kept.get("x", changing, make(2))[0, 0] == 2
    assert kept.get("large", np.zeros((300, 300), np.uint8), lambda: np.zeros((300, 300), np.int32)).size == 90_000
    assert kept.held_bytes <= 20_000


def test_the_same_digest_over_other_pixels_is_rendered_by_its_own_statistics() -> None:
    """Another operation may have been laid before: its pixels are not those of the digest."""
    dark, light = picture(1, 64, 64, 1) // 4, 192 + picture(1, 64, 64, 1) // 4
    for pixels in (dark, light, dark):
        out = Occlude(None, 100).apply(pixels, "digest")
        assert out.mean() == pytest.approx(pixels.mean(), abs=2)


PINNED = {
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,noise(seed=42))",
        False,
    ): "538bf9743c994da2f967fed2ea8ed3e64d7775dc668cbd83081d7212fc326faf",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,noise(seed=42))",
        True,
    ): "c5afe195a3b5892ba748a2ede65e6b610c55ea3b7f93b9af27e708e6116472b9",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,black)",
        False,
    ): "3d62f28f410953778593bcb03704005a4dd1d28d218ede8fb63b8bce1db43007",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,black)",
        True,
    ): "d62274f68db0229408bfcb4d1d4c3b9e599631ce7ea4906a5a5781fbe044fcfb",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,white)",
        False,
    ): "27fd7d9664e6a68ff435264b3d00126f85dd0119e58ba84b09e2c3d78c8427bc",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,white)",
        True,
    ): "6c8f283ea3853333ca4747fdbcf9fbb8e1fd6f10569d3abc31df673835cc5cdf",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,mean)",
        False,
    ): "934b172d7e3ce763a0ae6648229d5466683e3a0503da91dcb6b325932a6158f9",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,mean)",
        True,
    ): "d158825ec1d42a3bcc583f6aad7556e43fba3378bd1deef51250186a685167df",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,blur(blur=12/224))",
        False,
    ): "85a628bb39b514695d6d7702b517c93b9e6d2c926f1ab81d281e5c78d88b0828",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,blur(blur=12/224))",
        True,
    ): "4296d5db5e347d1c3a4a3a11f350b8e035070c71106de8f3c5659bd3ce413ab0",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,shuffle(seed=42))",
        False,
    ): "c8be91b03743043ecedbef51d9857bf311724e57811964adb43947c2e3861745",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,shuffle(seed=42))",
        True,
    ): "fa88ae3e6065b4031d697111dd36d8fa4bdbf55713dc4a4a882c95c830d3adfa",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,inpaint)",
        False,
    ): "baba1860eac945cc30e57f761a681f128a5b0485ed238746bba5d624e9ec9736",
    (
        "occlude(3,5,20,30+10,20,30,45,p=60,inpaint)",
        True,
    ): "a62bd5dc29cfb21acd08441f0f3179f8c331a5b0479d942af970887ff1c66c4f",
    (
        "occlude(3,5,20,30+10,20,30,45,p=100,noise(seed=42))",
        False,
    ): "43cb11d926933bcd7ed437773289440df067eaad86ad8c433680f59f2e98ccad",
    (
        "occlude(3,5,20,30+10,20,30,45,p=100,noise(seed=42))",
        True,
    ): "2cf8e50227d21c766478d1df01fed373513cce4bb853e0e8863de42d88f2633f",
    ("occlude(all,p=100,noise(seed=42))", False): "4051c67423fb618b24dc1700e61414b4a9573ad553aa9fe24a32e492aa81928c",
    ("occlude(all,p=100,noise(seed=42))", True): "37b3ba7598dde75c9a92960837c559e0e473073c9684e8d9b5913296cca7b4aa",
    (
        "occlude(3,5,20,30+10,20,30,45,p=20,noise(blur=2.5/224,center=median,seed=7))",
        False,
    ): "36d3ace5faf9c901dbbf0789336e756911f575d7e7221edb5e7387acbce6ec16",
    (
        "occlude(3,5,20,30+10,20,30,45,p=20,noise(blur=2.5/224,center=median,seed=7))",
        True,
    ): "827066e3fad220847f17bff31701faeef57f893ea822302b282533c6460835b2",
    (
        "occlude(3,5,20,30+10,20,30,45,p=80,noise(seed=42),feather=12/224)",
        False,
    ): "dc9981d28e42871dcff0bde4cc895bcb65b87032d6640edd3ac11ff24b47f402",
    (
        "occlude(3,5,20,30+10,20,30,45,p=80,noise(seed=42),feather=12/224)",
        True,
    ): "13693fe70b7dbaa3a6340bff9e7fc9b00a6453b7671d385d1bda1286b1094c42",
}


@pytest.mark.parametrize(("spelling", "colour"), sorted(PINNED))
def test_pinned_pixels(pattern: Pattern, spelling: str, colour: bool) -> None:
    operation = {one.spelling: one for one in OPERATIONS}[spelling]
    out = operation.apply(pattern(colour=colour), "digest")
    assert hashlib.sha256(out.tobytes()).hexdigest() == PINNED[spelling, colour]
