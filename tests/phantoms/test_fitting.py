import numpy as np
import pytest

from perimetry.phantoms.detection.template import Views
from perimetry.phantoms.fitting import examples, fit
from perimetry.phantoms.settings import PopulationSettings


@pytest.fixture(scope="module")
def shown():
    return examples(PopulationSettings(n=78, prevalence=0.25, seed=61))


@pytest.mark.parametrize("name", ["Cardiomegaly", "Pleural Effusion"])
def test_a_fitted_template_finds_its_finding_in_other_phantoms(shown, name):
    template = fit(name, shown)
    others = examples(PopulationSettings(n=78, prevalence=0.25, seed=62))
    verdicts = [(template.score(Views(one.cells)) > 0) == (name in one.middles) for one in others]
    assert np.mean(verdicts) > 0.9
    assert sum(name in one.middles for one in others) >= 8


def test_fitting_twice_gives_the_same_weights(shown):
    one, other = fit("Cardiomegaly", shown), fit("Cardiomegaly", shown)
    assert np.array_equal(one.weights, other.weights)
    assert one.bias == other.bias
