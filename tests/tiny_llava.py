"""Builds a tiny LLaVA: a real architecture of `transformers` with random weights, in seconds and without a network.

CLIP sees 28x28 pixels, Llama has two layers; about 80,000 parameters. The tokeniser is trained here, on the few
sentences below. Its answers mean nothing, but they depend on the image and on the question, and greedy decoding gives
the same ones each time: enough to prove that a server and a model in process are asked the same thing.
"""

from __future__ import annotations

import sys
from pathlib import Path

CORPUS = (
    "Is there a pleural effusion in this chest radiograph? yes no",
    "Which finding is shown? A. Cardiomegaly B. Pneumothorax C. Edema D. Fracture",
    "Choose one option. End with a line Answer: X, where X is the label of your option.",
    "The heart is enlarged and the left lung is collapsed. Describe this image.",
    "USER ASSISTANT system: user: assistant: . , ? ! : ; 0 1 2 3 4 5 6 7 8 9",
)

TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }}: "
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %} "
    "{% endfor %}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant:{% endif %}"
)


def build_tiny_llava(folder: Path, seed: int = 7) -> Path:
    """Write model, tokeniser and processor into a folder, and return it."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import (
        CLIPImageProcessorPil,
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
        PreTrainedTokenizerFast,
    )

    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    special = ["<pad>", "<s>", "</s>", "<unk>", "<image>"]
    trainer = trainers.BpeTrainer(
        vocab_size=360, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    raw.train_from_iterator(CORPUS, trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=raw,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        additional_special_tokens=["<image>"],
        padding_side="left",
    )
    pictures = CLIPImageProcessorPil(size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28})
    processor = LlavaProcessor(
        image_processor=pictures,
        tokenizer=tokenizer,
        patch_size=14,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        image_token="<image>",
        chat_template=TEMPLATE,
    )
    vision = CLIPVisionConfig(
        hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, image_size=28, patch_size=14
    )
    language = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=512,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        initializer_range=0.35,  # larger than usual: answers should depend on every input
    )
    config = LlavaConfig(
        vision_config=vision,
        text_config=language,
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        vision_feature_layer=-1,
        projector_hidden_act="gelu",
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = LlavaForConditionalGeneration(config).eval()
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


if __name__ == "__main__":
    print(build_tiny_llava(Path(sys.argv[1])))
