"""Reports in another language are told from odd ones in English, and no form of them is possible."""

from __future__ import annotations

import pytest
from tests.editing.helpers import rewritten, write_reports
from tests.models.loopback import LoopbackServer

from perimetry.cases import load
from perimetry.editing.references import ReportText, count_rewrites, rewrite
from perimetry.editing.references.accounting import NOT_ENGLISH, judge, not_english
from perimetry.models import ModelContext

OTHERS = {
    "german": [
        "Herz normal groß. Kein Pleuraerguss, kein Pneumothorax. Lungen frei.",
        "Keine Infiltrate. Zwerchfelle glatt begrenzt. Das Mediastinum ist mittelständig und nicht verbreitert.",
        "Kein Nachweis pneumonischer Infiltrate.",
        "ZVK in Projektion auf die Vena cava superior. Geringer Pleuraerguss links basal.",
        "Im Vergleich zur Voraufnahme unveränderte Darstellung der Kardiomegalie. Aortensklerose.",
    ],
    "french": [
        "Silhouette cardiaque normale. Pas d'épanchement pleural ni de pneumothorax.",
        "Opacité du lobe inférieur droit évoquant une pneumonie.",
        "Les poumons sont clairs. Le coeur est de taille normale.",
        "Cardiomégalie modérée. Émoussement du cul-de-sac costo-diaphragmatique gauche.",
    ],
    "spanish": [
        "No se observa derrame pleural ni neumotórax. Silueta cardíaca normal.",
        "Pulmones sin infiltrados. No hay lesiones.",
        "Atelectasia laminar en base izquierda.",
        "Sin hallazgos patológicos significativos.",
        "No derrame pleural. No neumotorax. Corazon normal.",
    ],
    "portuguese": [
        "Não há derrame pleural nem pneumotórax. Área cardíaca normal.",
        "Pulmões sem consolidações.",
        "Opacidade no lobo inferior direito, sugestiva de pneumonia.",
        "Exame dentro dos limites da normalidade.",
        "Seios costofrênicos livres.",
    ],
    "italian": [
        "Non versamento pleurico. Cuore nei limiti.",
        "Opacità del lobo inferiore destro, compatibile con polmonite.",
        "Non si osservano lesioni pleuroparenchimali in atto.",
    ],
    "dutch": [
        "Geen pleuravocht. Normale hartgrootte.",
        "De longen zijn helder. Geen pneumothorax.",
        "Vergroot hart met tekenen van decompensatie.",
    ],
    "chinese": [
        "双肺清晰,未见实变。心影不大。",
        "右下肺可见斑片状影,考虑肺炎。",
        "未见异常。",
        "胸部CT: 双肺未见异常。",
    ],
    "japanese": [
        "心拡大なし。胸水なし。",
        "右肺に結節影を認める。",
    ],
    "russian": [
        "Очаговых и инфильтративных изменений не выявлено.",
        "Сердце не увеличено.",
    ],
    "arabic": [
        "لا يوجد انصباب جنبي.",
    ],
    "korean": [
        "양측 폐야는 깨끗하다.",
    ],
    "polish": [
        "Serce niepowiększone. Płuca bez zmian ogniskowych.",
    ],
    "turkish": [
        "Kalp boyutu normaldir. Plevral efüzyon yoktur.",
    ],
    "vietnamese": [
        "Bóng tim không to. Không tràn dịch màng phổi.",
    ],
}
ODD = [
    "XXXX XXXX.",
    "Clear.",
    "Normal chest.",
    "Cardiomegaly.",
    "XXXX sternotomy. XXXX.",
    "Lungs claer. No efusion or pnemothorax.",
    "Hart size nomral. lungs clr.",
    "No change.",
    "Emphysema.",
    "XXXX XXXX XXXX opacity XXXX.",
    "Bilat eff w/ atx, R>L.",
    "PICC SVC. ETT 4 cm. NGT stomach.",
    "s/p CABG. No PTX. Stable CM.",
    "Kerley B lines.",
    "Status post Nissen fundoplication.",
    "Dextrocardia.",
    "Situs inversus totalis.",
    "Cor pulmonale.",
    "Pectus excavatum. Pectus carinatum.",
    "Azygos lobe.",
    "Dr. Schmidt informed.",
    "Neg chest xray",
    "NAD",
    "Cardiac silhouete normel. Mediastinm wdened.",
    "Lungs: Clear. Heart: Normal. Bones: Intact.",
    "Tortuous aorta de novo.",
    "Swan-Ganz catheter tip in main PA. Impella. LVAD. Watchman. TAVR.",
    "Bochdalek hernia.",
    "Bronchopneumonia. Empyema. Hydropneumothorax.",
    "Sarcoidosis, stage II.",
    "Ankylosing spondylitis.",
    "Pneumonectomy.",
    "Left mastectomy.",
    "unchnaged apearance of teh chest",
    "LUL nodule, RLL pna, LLL atx",
    "Vertebra plana T8.",
    "Costochondral calcification.",
    "Ok.",
    "",
]


@pytest.mark.parametrize(("language", "text"), [(name, text) for name, texts in OTHERS.items() for text in texts])
def test_other_languages_are_told(language, text):
    assert not_english(ReportText(text)), language
    assert not_english(ReportText(text, "XXXX."))


@pytest.mark.parametrize("text", ODD)
def test_odd_reports_in_english_are_not_taken_for_another_language(text):
    assert not not_english(ReportText(text))


def test_nor_are_real_ones(shared_data):
    for split in ("test", "validation"):
        studies = load(f"iu-xray:{shared_data / 'rexrank_iu_xray'}", split=split).studies
        assert [each.id for each in studies if not_english(ReportText.of(each.sections))] == []
        parts = [part for each in studies for part in each.sections.values()]
        assert [part for part in parts if not_english(ReportText(part))] == []


def test_the_verifier_judges_no_other_language():
    german = ReportText("Herz normal groß. Kein Pleuraerguss, kein Pneumothorax. Lungen frei.")
    assert judge(german, ReportText("The heart is normal."), "terminology:alternative").outcome == "infeasible"
    english = ReportText("The heart is of normal size. There is no pleural effusion. The lungs are clear.")
    verdict = judge(english, german, "terminology:alternative")
    assert (verdict.outcome, verdict.reason) == ("rejected", NOT_ENGLISH)


REPORTS = [
    ("Mild cardiomegaly. The lungs are clear.", "No acute disease."),
    ("Herz leicht vergrößert. Kein Pleuraerguss. Lungen frei.", "Kein akuter Befund."),
]


def test_rules_leave_them_and_say_so(tmp_path):
    data = write_reports(tmp_path / "data", REPORTS)
    done = rewrite(data, out=tmp_path / "out", axes=["structure", "terminology"])
    for funnel in done.funnels:
        told = [(status, why, count) for status, _, why, count, _ in funnel.reasons if why == NOT_ENGLISH]
        assert told == [("infeasible", NOT_ENGLISH, 1)]
    assert sum("1 of 2 reports is not in English" in line for line in done.left_out) == 1


def test_no_model_is_asked_about_them(tmp_path):
    data = write_reports(tmp_path / "data", REPORTS)
    said = rewritten("Mildly enlarged heart. The lungs are clear.", "No acute disease.")
    with LoopbackServer(said) as server:
        spec, out = f"openai:m@{server.url}", tmp_path / "out"
        assert count_rewrites(data, out=out, axes=["terminology"], rewriter=spec).first_round == 1
        options = ModelContext(max_retries=0, timeout=20)
        done = rewrite(data, out=out, axes=["terminology"], rewriter=spec, options=options)
        assert server.count == 1
    assert sorted(each.status for each in done.records()) == ["accepted", "infeasible"]
