"""Reports of our own for tests: composed of sentences that are rich in devices, numbers, sides and doubt."""

from __future__ import annotations

import random

DEVICES = (
    "The endotracheal tube tip is {n} cm above the carina.",
    "A right internal jugular catheter ends in the mid superior vena cava.",
    "The nasogastric tube ends in the stomach.",
    "A left chest tube projects over the left lung apex.",
    "The left PICC tip is in the lower superior vena cava.",
    "The right chest port ends at the cavoatrial junction.",
    "A left-sided pacemaker has leads in the right atrium and right ventricle.",
    "The feeding tube ends in the duodenum.",
    "The tip of the Dobbhoff tube is below the diaphragm.",
    "A left subclavian line ends in the brachiocephalic vein.",
)
ABNORMAL = (
    "There is a {s} pleural effusion.",
    "Mild cardiomegaly.",
    "A {m} mm nodule is seen in the {s} upper lobe.",
    "Patchy opacity in the {s} lower lobe may represent pneumonia.",
    "Streaky opacities in the {s} base are likely atelectasis.",
    "There is a healed fracture of the {s} {o} rib.",
    "Opacity in the {s} midlung is concerning for malignancy.",
    "Hyperexpanded lungs consistent with emphysema.",
    "There is a {s} apical pneumothorax measuring {m} mm.",
    "Blunting of the {s} costophrenic angle, possibly a small effusion.",
    "Wedge deformity of the T{v} vertebral body is unchanged.",
    "Moderate {s} basilar atelectasis has increased.",
    "The aorta is tortuous and calcified.",
    "Interstitial prominence could reflect mild edema.",
    "There is a calcified granuloma in the {s} upper lobe measuring {m} mm.",
    "Degenerative changes of the thoracic spine.",
    "{S} hilar enlargement probably represents adenopathy.",
    "There is a {s} lower lobe mass measuring {m} x {k} cm.",
    "Elevation of the {s} hemidiaphragm.",
    "Possible {s} perihilar consolidation.",
)
NORMAL = (
    "The heart size is normal.",
    "The lungs are clear.",
    "No pleural effusion or pneumothorax.",
    "No focal consolidation.",
    "Mediastinal contours are within normal limits.",
    "The pulmonary vasculature is normal.",
    "Bony structures are intact.",
    "The trachea is midline.",
    "There is no free air under the diaphragm.",
    "Soft tissues are unremarkable.",
)
IMPRESSIONS = (
    "No acute cardiopulmonary abnormality.",
    "1. No acute disease. 2. Findings as above.",
    "Chronic changes, nothing acute.",
    "Follow-up is recommended.",
)


def composed(count: int, seed: int = 7) -> list[tuple[str, str]]:
    """Findings and impression of so many reports; no sentence names a finding that another one of the report names."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        sentences = [*draw.sample(DEVICES, 1), *draw.sample(ABNORMAL, 2), *draw.sample(NORMAL, 3)]
        side = draw.choice(("left", "right"))
        filled = [
            each.format(
                s=side,
                S=side.capitalize(),
                n=draw.randint(2, 7),
                m=draw.randint(4, 19),
                k=draw.randint(2, 6),
                v=draw.randint(5, 11),
                o=draw.choice(("4th", "fifth", "6th", "seventh", "8th")),
            )
            for each in sentences
        ]
        draw.shuffle(filled)
        made.append((" ".join(filled), draw.choice(IMPRESSIONS)))
    return made
