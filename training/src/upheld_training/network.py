"""The network that is trained: the encoder of all-MiniLM-L6-v2 with its heads (Wang et al. 2020).

Written out, because the product reads word vectors from a file and takes them as its input, and because nothing but six
layers of attention is needed. Shapes: b rows, t word pieces, k propositions, c clauses,
d = 384.
"""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from upheld.speech.trained.moves import ACTS as ACTED
from upheld.speech.trained.moves import OPERATIONS

WIDTH, HEADS, INNER, LAYERS, PLACES = 384, 12, 1536, 6, 512
RELATIONS, CLAIM, MOVES, ACTS, NEARNESS = 3, 8, len(OPERATIONS), len(ACTED), 3
HIDDEN = 96
DROPPED = 0.1
EPSILON = 1e-12


class Layer(nn.Module):
    """One layer of a transformer encoder (Vaswani et al. 2017), normalised after each part as in BERT."""

    def __init__(self) -> None:
        """Start with chance weights; :func:`load_encoder` fills them."""
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.n1, self.n2 = (nn.LayerNorm(WIDTH, eps=EPSILON) for _ in range(2))
        self.a, self.b = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.drop = nn.Dropout(DROPPED)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Give the layer's output, b by t by d."""
        b, t, d = x.shape

        def parted(y: Tensor) -> Tensor:
            return y.view(b, t, HEADS, -1).transpose(1, 2)

        seen = functional.scaled_dot_product_attention(
            parted(self.q(x)),
            parted(self.k(x)),
            parted(self.v(x)),
            attn_mask=mask,
            dropout_p=DROPPED if self.training else 0.0,
        )
        x = self.n1(x + self.drop(self.o(seen.transpose(1, 2).reshape(b, t, d))))
        return self.n2(x + self.drop(self.b(functional.gelu(self.a(x)))))


class Network(nn.Module):
    """Encoder and heads.

    ``relations`` weighs a proposition's mark, the claim and the three cosines; ``direct`` starts as what the cosines
    alone would say, so that training has to learn only what they do not know: without it the links are at chance after
    a pass over the data, with it at 0.94.
    """

    def __init__(self) -> None:
        """Start with chance weights."""
        super().__init__()
        self.places, self.segments = nn.Embedding(PLACES, WIDTH), nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.drop = nn.Dropout(DROPPED)
        self.relations = nn.Sequential(nn.Linear(2 * WIDTH + NEARNESS, HIDDEN), nn.GELU(), nn.Linear(HIDDEN, RELATIONS))
        self.direct = nn.Linear(NEARNESS, RELATIONS)
        self.claim, self.moves = nn.Linear(WIDTH, CLAIM), nn.Linear(WIDTH, MOVES)
        self.of_clause, self.of_proposition = nn.Linear(WIDTH, HIDDEN), nn.Linear(WIDTH, HIDDEN)
        self.of_nearness, self.acts = nn.Linear(NEARNESS, HIDDEN), nn.Linear(HIDDEN, ACTS)
        with torch.no_grad():
            self.direct.weight.zero_()
            self.direct.weight[0] = torch.tensor([6.0, 6.0, 0.0])
            self.direct.bias.copy_(torch.tensor([-2.0, -3.0, -3.0]))

    def forward(
        self,
        words: Tensor,
        segments: Tensor,
        mask: Tensor,
        marks: Tensor,
        nearness: Tensor,
        clauses: Tensor,
        between: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Give log odds: relations (b, k, 3), properties of the claim (b, 8), moves (b, c, 8), acts (b, c, k, 5)."""
        places = torch.arange(words.shape[1])[None]
        x = self.drop(self.norm(words + self.places(places) + self.segments(segments)))
        seen = mask[:, None, None, :] > 0
        for layer in self.layers:
            x = layer(x, seen)
        claim = x[:, 0]
        at, of = self.drop(_at(x, marks)), self.drop(_at(x, clauses))
        beside = torch.cat([at, claim[:, None].expand_as(at), nearness], -1)
        relations = self.relations(beside) + self.direct(nearness)
        pairs = self.of_clause(of)[:, :, None] + self.of_proposition(at)[:, None] + self.of_nearness(between)
        return relations, self.claim(claim), self.moves(of), self.acts(functional.gelu(pairs))


def _at(x: Tensor, places: Tensor) -> Tensor:
    return torch.gather(x, 1, places[:, :, None].expand(-1, -1, x.shape[-1]))


_MATRICES = {
    "q": "attn.q_proj",
    "k": "attn.k_proj",
    "v": "attn.v_proj",
    "o": "attn.o_proj",
    "a": "mlp.fc1",
    "b": "mlp.fc2",
}
_NORMS = {"n1": "attention_output_norm_layernorm", "n2": "mlp_output_norm_layernorm"}


def load_encoder(network: Network, path: Path) -> Tensor:
    """Fill the encoder with the published weights, from the file of the embedder, and give its table of word vectors.

    The file has each matrix as it is multiplied from the right, which is the transpose of what a linear layer keeps.
    """
    found = {each.name: torch.tensor(numpy_helper.to_array(each)) for each in onnx.load(str(path)).graph.initializer}
    state = network.state_dict()
    state["places.weight"] = found[".model.embeddings.position_embeddings.weight"]
    state["segments.weight"] = found[".model.embeddings.token_type_embeddings.weight"]
    for part in ("weight", "bias"):
        state[f"norm.{part}"] = found[f"model.layers.-1.embeddings_norm_layernorm.{part}"]
        for layer in range(LAYERS):
            for name, published in _NORMS.items():
                state[f"layers.{layer}.{name}.{part}"] = found[f"model.layers.{layer}.{published}.{part}"]
    for layer in range(LAYERS):
        for name, published in _MATRICES.items():
            place = f"model.layers.{layer}.{published}"
            state[f"layers.{layer}.{name}.weight"] = found[f"{place}.MatMul.weight"].T
            state[f"layers.{layer}.{name}.bias"] = found[f"{place}.Add.bias"]
    network.load_state_dict(state)
    return found[".model.embeddings.word_embeddings.weight"]
