"""What the tests ask of the public ``radgraph`` package; run by the Python of its environment, never by perimetry's.

``rewards`` reads pairs of records and gives the package's three values of each; ``cuts`` reads texts and gives the
package's tokens by model; ``weights FOLDER MODEL`` writes small random weights in the published layout.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

MODELS = ("radgraph", "radgraph-xl")
LABELS = {
    "radgraph": ["", "ANAT-DP", "OBS-DP", "OBS-U", "OBS-DA"],
    "radgraph-xl": ["", "Anatomy::definitely present", "Observation::definitely present", "Observation::uncertain"],
}


def rewards(pairs: list[Any]) -> list[Any]:
    compute = importlib.import_module("radgraph.rewards").compute_reward
    return [compute(hypothesis, reference, "all") for hypothesis, reference in pairs]


def cuts(texts: list[str]) -> dict[str, list[list[str]]]:
    cut = importlib.import_module("radgraph.utils").preprocess_reports
    return {model: [cut([text], model)[0]["sentences"][0] for text in texts] for model in MODELS}


def weights(root: Path, model: str) -> None:
    torch: Any = importlib.import_module("torch")
    transformers: Any = importlib.import_module("transformers")
    package: Any = importlib.import_module("radgraph")
    torch.manual_seed(0)
    bert, folder = root / "bert", root / model
    (folder / "vocabulary").mkdir(parents=True)
    bert.mkdir(exist_ok=True)
    signs = [chr(code) for code in range(33, 127)]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *signs, *(f"##{sign}" for sign in signs)]
    (bert / "vocab.txt").write_text("\n".join(words) + "\n")
    transformers.BertTokenizerFast(str(bert / "vocab.txt")).save_pretrained(bert)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    transformers.BertModel(transformers.BertConfig(vocab_size=len(words), **sizes)).save_pretrained(bert)
    relations = ["", "located_at", "modify", "suggestive_of"]
    for name, entries in (
        (f"{model}__ner_labels", LABELS[model]),
        (f"{model}__relation_labels", relations),
        ("non_padded_namespaces", ["*labels", "*tags"]),
    ):
        (folder / "vocabulary" / f"{name}.txt").write_text("\n".join(entries) + "\n")
    reading = {"bert": {"model_name": str(bert), "max_length": 512}}
    modules = {
        "ner": {},
        "relation": {"spans_per_word": 0.5},
        "coref": {"spans_per_word": 0.3, "max_antecedents": 10},
        "events": {"trigger_spans_per_word": 0.3, "argument_spans_per_word": 0.8},
    }
    network = {
        "type": "dygie",
        "embedder": {"token_embedders": reading},
        "initializer": {},
        "module_initializer": {},
        "feature_size": 4,
        "max_span_width": 2,
        "target_task": "relation",
        "feedforward_params": {"num_layers": 1, "hidden_dims": 8, "dropout": 0.0},
        "loss_weights": {"ner": 1.0, "relation": 1.0, "coref": 0.0, "events": 0.0},
        "modules": modules,
    }
    config = {"dataset_reader": {"max_span_width": 2, "token_indexers": reading}, "model": network}
    (folder / "config.json").write_text(json.dumps(config))
    # The package builds its network and loads weights in one go: let it build, and keep what it would load into.
    built: list[Any] = []
    load, fill = torch.load, torch.nn.Module.load_state_dict
    torch.load = lambda path, *_, **more: None if str(path).endswith("weights.th") else load(path, **more)
    torch.nn.Module.load_state_dict = lambda self, state, *rest, **more: (
        built.append(self) if state is None else fill(self, state, *rest, **more)
    )
    package.RadGraph(model_type=model, model_cache_dir=str(root), cuda=-1)
    for name, value in built[0].named_parameters():
        if "ner" in name or "relation" in name:
            torch.nn.init.normal_(value, std=0.5)
    torch.save(built[0].state_dict(), folder / "weights.th")


def main() -> None:
    task = sys.argv[1]
    answers, sys.stdout = sys.stdout, sys.stderr
    if task == "weights":
        weights(Path(sys.argv[2]), sys.argv[3])
        return
    given = json.load(sys.stdin)
    json.dump(rewards(given) if task == "rewards" else cuts(given), answers)


if __name__ == "__main__":
    main()
