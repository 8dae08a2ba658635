"""A graph's matrices in 8 bits, for queries: half the time of a short text, at nearly the same vectors.

Imports onnx, and so is imported by `export` alone. Leaves to it whether the vectors are near enough.
"""

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from memory_app.embedding.model_files import GRAPH_FILE, INT8_GRAPH_FILE

# Weights that share a scale. On 400 questions of 14 tokens the lowest cosine to the vectors of 32 bits was .9995 by
# blocks of 32, .9993 of 64 and .9988 of 128, at .75, .70 and .64 of the time (for two questions .84, .78, .72). On 760
# questions of LoCoMo recall moved by up to .0013 by blocks of 32, and by .005 (at rank 1) by blocks of 128.
BLOCK = 32
# onnxruntime's MatMulNBits: the zero of unsigned 8 bits, and "compute in int8, activations quantised as they come".
ZERO, MAX_STEP, INT8_COMPUTE = 128, 127, 4
CONTRIB_DOMAIN, CONTRIB_VERSION = "com.microsoft", 1


def write_int8_graph(folder: Path) -> None:
    """Beside the exported graph another of the same inputs and outputs. What stays in 32 bits is read from its file.

    Each product with a constant matrix becomes a MatMulNBits, whose weights are bytes that share a scale by blocks.
    https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MatMulNBits
    """
    matrices = {
        tensor.name: numpy_helper.to_array(tensor)
        for tensor in onnx.load(folder / GRAPH_FILE).graph.initializer
        if len(tensor.dims) == 2
    }
    model = onnx.load(folder / GRAPH_FILE, load_external_data=False)
    graph = model.graph
    products = [node for node in graph.node if node.op_type == "MatMul" and node.input[1] in matrices]
    for name in dict.fromkeys(node.input[1] for node in products):
        steps, scales = quantise(matrices[name])
        graph.initializer.append(numpy_helper.from_array(steps, _steps(name)))
        graph.initializer.append(numpy_helper.from_array(scales, _scales(name)))
    for node in products:
        _use_int8(node, matrices[node.input[1]].shape)
    _drop_unused(graph)
    model.opset_import.append(helper.make_opsetid(CONTRIB_DOMAIN, CONTRIB_VERSION))
    onnx.save_model(model, folder / INT8_GRAPH_FILE)


def quantise(matrix: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Steps of shape (columns, blocks, BLOCK) and scales of (columns, blocks): matrix ≈ (steps - ZERO) x scale.

    The last block is filled up with zeros.
    """
    rows, columns = matrix.shape
    blocks = -(-rows // BLOCK)
    filled = np.zeros((blocks * BLOCK, columns), np.float32)
    filled[:rows] = matrix
    parts = filled.T.reshape(columns, blocks, BLOCK)
    scales = np.abs(parts).max(axis=2, keepdims=True) / MAX_STEP
    scales[scales == 0] = 1
    steps = (np.rint(parts / scales) + ZERO).astype(np.uint8)
    return steps, scales[:, :, 0].astype(np.float32)


def _use_int8(node: onnx.NodeProto, shape: tuple[int, ...]) -> None:
    source, name = node.input
    attributes = {"K": shape[0], "N": shape[1], "bits": 8, "block_size": BLOCK, "accuracy_level": INT8_COMPUTE}
    node.op_type, node.domain = "MatMulNBits", CONTRIB_DOMAIN
    node.input[:] = [source, _steps(name), _scales(name)]
    node.attribute.extend(helper.make_attribute(key, value) for key, value in attributes.items())


def _drop_unused(graph: onnx.GraphProto) -> None:
    used = {name for node in graph.node for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)


def _steps(name: str) -> str:
    return f"{name}.steps"


def _scales(name: str) -> str:
    return f"{name}.scales"
