#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: make-graphs.py FOLDER [LAYERS]

Writes a chain of LAYERS layers (27,000 if not given) in each of the formats whose reading is measured,
as its own writers lay it out: FOLDER/KIND.json."""
import json
import os
import sys

SHAPE = [1, 64, 56, 56]


def name_of(i):
    return f"stage{i // 100}/block{i % 100}/convolution_{i}"


def make_keras(n):
    def layer(i):
        before = "data" if i == 0 else name_of(i - 1)
        tensor = {"class_name": "__keras_tensor__",
                  "config": {"shape": [None, 56, 56, 64], "dtype": "float32",
                             "keras_history": [before, 0, 0]}}
        config = {"name": name_of(i), "trainable": True, "filters": 64, "kernel_size": [3, 3],
                  "strides": [1, 1], "padding": "same", "data_format": "channels_last",
                  "dilation_rate": [1, 1], "groups": 1, "activation": "relu", "use_bias": True,
                  "kernel_initializer": {"module": "keras.initializers",
                                         "class_name": "GlorotUniform", "config": {"seed": None},
                                         "registered_name": None},
                  "kernel_regularizer": None, "bias_constraint": None}
        return {"module": "keras.layers", "class_name": "Conv2D", "config": config,
                "registered_name": None, "name": name_of(i),
                "inbound_nodes": [{"args": [tensor], "kwargs": {}}]}

    first = {"module": "keras.layers", "class_name": "InputLayer", "name": "data",
             "config": {"batch_shape": [None, 56, 56, 64], "dtype": "float32", "name": "data"},
             "registered_name": None, "inbound_nodes": []}
    return {"module": "keras", "class_name": "Functional", "registered_name": "Functional",
            "config": {"name": "chain", "layers": [first] + [layer(i) for i in range(n)],
                       "input_layers": [["data", 0, 0]],
                       "output_layers": [[name_of(n - 1), 0, 0]]}}


def make_onnx(n):
    def info(name):
        dims = [{"dimValue": str(size)} for size in SHAPE]
        return {"name": name, "type": {"tensorType": {"elemType": 1, "shape": {"dim": dims}}}}

    def node(i):
        ints = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "strides": [1, 1]}
        return {"input": [f"v{i}", "w"], "output": [f"v{i + 1}"], "name": name_of(i),
                "opType": "Conv",
                "attribute": [{"name": key, "ints": [str(x) for x in value], "type": "INTS"}
                              for key, value in ints.items()]}

    weight = {"name": "w", "type": {"tensorType": {"elemType": 1, "shape": {
        "dim": [{"dimValue": str(size)} for size in (64, 64, 3, 3)]}}}}
    return {"irVersion": "8", "opsetImport": [{"domain": "", "version": "17"}],
            "graph": {"node": [node(i) for i in range(n)], "name": "chain",
                      "input": [info("v0"), weight], "output": [info(f"v{n}")],
                      "valueInfo": [info(f"v{i}") for i in range(1, n)]}}


def make_ngraph(n):
    def op(i, kind, inputs, **more):
        return {"element_type": "float", "inputs": inputs, "name": f"{kind}_{i}", "op": kind,
                "outputs": [f"{kind}_{i}_0"], **more}

    ops = [op(0, "Parameter", [], shape=SHAPE)]
    for i in range(n):
        ops.append(op(i + 1, "Relu", [ops[-1]["name"]]))
    return [{"name": "Function_0", "ops": ops, "parameters": ["Parameter_0"],
             "result": [ops[-1]["name"]]}]


def make_tensorrt(n):
    form = "Thirty-two wide channel vectorized row major Int8 format"

    def tensor(i):
        return {"Name": f"t{i}", "Dimensions": SHAPE, "Format/Datatype": form}

    def layer(i):
        return {"Name": name_of(i), "LayerType": "CaskConvolution", "Inputs": [tensor(i)],
                "Outputs": [tensor(i + 1)], "ParameterType": "Convolution", "Kernel": [3, 3],
                "PaddingMode": "kEXPLICIT_ROUND_DOWN", "PrePadding": [1, 1],
                "PostPadding": [1, 1], "Stride": [1, 1], "Dilation": [1, 1], "OutMaps": 64,
                "Groups": 1, "Weights": {"Type": "Int8", "Count": 36864},
                "Bias": {"Type": "Float", "Count": 64}, "Activation": "RELU",
                "TacticValue": "0x94119b4c514b211a"}

    return {"Layers": [layer(i) for i in range(n)], "Bindings": ["t0", f"t{n}"]}


def make_onednn(n):
    def tensor(i):
        return {"id": i, "dtype": "f16", "shape": SHAPE, "stride": [200704, 3136, 56, 1],
                "layout_type": "strided", "property_type": "undef"}

    def layer(i):
        return {"id": i, "name": name_of(i), "kind": "ReLU", "attrs": {},
                "inputs": [tensor(i)], "outputs": [tensor(i + 1)]}

    return {"version": "3.7.0", "engine_kind": "cpu", "fpmath_mode": "strict",
            "input_ports": [0], "output_ports": [n], "graph": [layer(i) for i in range(n)]}


def make_tvm(n):
    nodes = [{"op": "null", "name": "data", "inputs": []}]
    for i in range(n):
        name = f"tvmgen_default_fused_nn_conv2d_add_nn_relu_{i}"
        nodes.append({"op": "tvm_op", "name": name, "inputs": [[i, 0, 0]],
                      "attrs": {"num_outputs": "1", "num_inputs": "1", "flatten_data": "0",
                                "func_name": name, "hash": "ab8ec7ffe2d4e4a6"}})
    total = len(nodes)
    return {"nodes": nodes, "arg_nodes": [0], "heads": [[n, 0, 0]],
            "attrs": {"dltype": ["list_str", ["float32"] * total],
                      "storage_id": ["list_int", list(range(total))],
                      "shape": ["list_shape", [SHAPE] * total]},
            "node_row_ptr": list(range(total + 1))}


def make_tfjs(n):
    def node(i):
        return {"name": name_of(i), "op": "Relu",
                "input": ["data" if i == 0 else name_of(i - 1)],
                "attr": {"T": {"type": "DT_FLOAT"},
                         "_output_shapes": {"list": {"shape": [
                             {"dim": [{"size": str(size)} for size in SHAPE]}]}}}}

    data = {"name": "data", "op": "Placeholder",
            "attr": {"dtype": {"type": "DT_FLOAT"},
                     "shape": {"shape": {"dim": [{"size": str(size)} for size in SHAPE]}}}}
    return {"format": "graph-model", "generatedBy": "2.8.0", "convertedBy": "a bench",
            "modelTopology": {"node": [data] + [node(i) for i in range(n)], "library": {},
                              "versions": {"producer": 440}},
            "weightsManifest": []}


def make_model_explorer(n):
    def node(i):
        edges = [] if i == 0 else [{"sourceNodeId": str(i - 1), "sourceNodeOutputId": "0",
                                    "targetNodeInputId": "0"}]
        told = {"tensor_index": str(i), "tensor_name": name_of(i),
                "tensor_shape": "float32[1,64,56,56]"}
        return {"id": str(i), "label": "conv_2d", "namespace": f"stage{i // 100}/block{i % 100}",
                "attrs": [{"key": "padding", "value": "SAME"}, {"key": "stride_h", "value": "1"},
                          {"key": "fused_activation_function", "value": "RELU6"}],
                "incomingEdges": edges, "inputsMetadata": [], "subgraphIds": [],
                "outputsMetadata": [{"id": "0", "attrs": [
                    {"key": key, "value": value} for key, value in told.items()]}]}

    return {"label": "chain", "graphs": [{"id": "main", "nodes": [node(i) for i in range(n)]}]}


def make_mxnet(n):
    """A dense net: each layer of a block takes what all before it in the block made."""
    nodes, outputs = [{"op": "null", "name": "data", "inputs": []}], [0]

    def add(op, name, inputs, attrs):
        nodes.append({"op": op, "name": name, "attrs": attrs,
                      "inputs": [[i, 0, 0] for i in inputs]})
        return len(nodes) - 1

    def add_parameters(name, parts):
        for part in parts:
            nodes.append({"op": "null", "name": f"{name}_{part}", "inputs": []})
        return list(range(len(nodes) - len(parts), len(nodes)))

    for i in range(n // 4):
        joined = add("Concat", f"concat{i}", outputs[-8:], {"num_args": str(len(outputs[-8:]))})
        norm = add("BatchNorm", f"batchnorm{i}", [joined] + add_parameters(
            f"batchnorm{i}", ["gamma", "beta", "moving_mean", "moving_var"]), {"eps": "2e-05"})
        act = add("Activation", f"relu{i}", [norm], {"act_type": "relu"})
        outputs.append(add("Convolution", f"conv{i}", [act] + add_parameters(
            f"conv{i}", ["weight", "bias"]),
            {"kernel": "(3, 3)", "num_filter": "64", "pad": "(1, 1)", "stride": "(1, 1)"}))
    return {"nodes": nodes, "heads": [[outputs[-1], 0, 0]],
            "arg_nodes": [i for i, node in enumerate(nodes) if node["op"] == "null"],
            "node_row_ptr": list(range(len(nodes) + 1)), "attrs": {"mxnet_version": ["int", 10700]}}


def make_pir(n):
    def tensor(value, shape):
        return {"%": value, "TT": {"#": "0.t_dtensor",
                                   "D": [{"#": "0.t_f32"}, shape, "NCHW", [], 0]}}

    def parameter(value, name, shape):
        return {"#": "p", "A": [0, 1, 1, name], "DA": [], "O": tensor(value, shape),
                "OA": [1, 0, 1], "QA": []}

    def op(name, inputs, value, attributes):
        return {"#": name, "A": attributes, "I": [{"%": i} for i in inputs],
                "O": [tensor(value, [-1, 64, 56, 56])], "OA": [], "QA": []}

    ops = [parameter(1, "w", [64, 64, 3, 3]),
           op("1.data", [], 2, [{"N": "name", "AT": {"#": "0.a_str", "D": "x"}}])]
    for i in range(n):
        integers = {"strides": [1, 1], "paddings": [1, 1], "dilations": [1, 1]}
        told = [{"N": key, "AT": {"#": "0.a_array", "D": [
            {"#": "0.a_i32", "D": x} for x in value]}} for key, value in integers.items()]
        if i % 2 == 0:
            told.append({"N": "groups", "AT": {"#": "0.a_i32", "D": 1}})
            ops.append(op("1.conv2d", [i + 2, 1], i + 3, told))
        else:
            ops.append(op("1.relu", [i + 2], i + 3, []))
    return {"base_code": {"magic": "pir", "trainable": True, "version": 1}, "program": {
        "regions": [{"#": "region_0", "blocks": [{"#": "block_0", "args": [], "ops": ops}]}]}}


def make_qnn(n):
    def tensor(i, dims):
        return {"id": i, "type": 3, "dataFormat": 0, "data_type": 1032, "src_axis_format": "NCS",
                "axis_format": "NSC", "dims": dims,
                "quant_params": {"definition": 1, "encoding": 0,
                                 "scale_offset": {"scale": 0.0158752, "offset": -116}}}

    def node(i):
        return {"package": "qti.aisw", "type": "Conv2d", "tensor_params": {},
                "scalar_params": {"group": {"306": 1}}, "macs_per_inference": "1M (0.1%)",
                "input_names": [f"t{i}", "w"], "output_names": [f"t{i + 1}"]}

    tensors = {f"t{i}": tensor(i, [1, 56, 56, 64]) for i in range(n + 1)}
    tensors["t0"]["type"] = 0
    tensors["w"] = dict(tensor(n + 1, [1, 1, 64, 64]), type=4)
    return {"model.cpp": "chain.cpp", "model.bin": "chain.bin", "op_types": ["Conv2d"],
            "graph": {"tensors": tensors, "nodes": {name_of(i): node(i) for i in range(n)}}}


def make_execution_trace(n):
    def node(i):
        place = {"rf_id": i, "fw_parent": 0, "seq_id": i, "scope": 0, "tid": 1, "fw_tid": 0}
        return {"id": i + 2, "name": "aten::relu", "ctrl_deps": 1,
                "inputs": {"values": [[i, 7, 0, 200704, 4, "cuda:0"]], "shapes": [SHAPE],
                           "types": ["Tensor(float)"]},
                "outputs": {"values": [[i + 1, 7, 0, 200704, 4, "cuda:0"]], "shapes": [SHAPE],
                            "types": ["Tensor(float)"]},
                "attrs": [{"name": key, "type": "uint64", "value": value}
                          for key, value in place.items()]}

    root = {"id": 1, "name": "[pytorch|profiler|execution_trace|process]", "ctrl_deps": 1,
            "inputs": {"values": [], "shapes": [], "types": []},
            "outputs": {"values": [], "shapes": [], "types": []}, "attrs": []}
    return {"schema": "1.0.3-chakra.0.0.4", "pid": 1, "time": "2024-04-17 16:29:57", "start_ts": 1,
            "nodes": [root] + [node(i) for i in range(n)], "finish_ts": 2}


def make_torch_export(n):
    def value(i):
        sizes = [{"as_int": size} for size in SHAPE]
        return {"dtype": 7, "sizes": sizes, "requires_grad": False, "layout": 7,
                "device": {"type": "cpu", "index": None}, "storage_offset": {"as_int": 0},
                "strides": [{"as_int": stride} for stride in (200704, 3136, 56, 1)]}

    def node(i):
        return {"target": "torch.ops.aten.relu.default", "name": f"v{i + 1}",
                "inputs": [{"name": "self", "arg": {"as_tensor": {"name": f"v{i}"}}, "kind": 1}],
                "outputs": [{"as_tensor": {"name": f"v{i + 1}"}}],
                "is_hop_single_tensor_return": None,
                "metadata": {"nn_module_stack": f"L__self__act{i},act{i},torch.nn.modules.ReLU",
                             "torch_fn": f"relu_{i};builtin_function_or_method.relu"}}

    graph = {"inputs": [{"as_tensor": {"name": "v0"}}],
             "outputs": [{"as_tensor": {"name": f"v{n}"}}], "nodes": [node(i) for i in range(n)],
             "tensor_values": {f"v{i}": value(i) for i in range(n + 1)}, "sym_int_values": {},
             "sym_bool_values": {}, "sym_float_values": {}, "custom_obj_values": {},
             "is_single_tensor_return": False}
    signature = {"input_specs": [{"user_input": {"arg": {"as_tensor": {"name": "v0"}}}}],
                 "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": f"v{n}"}}}}]}
    return {"graph_module": {"graph": graph, "signature": signature, "module_call_graph": [],
                             "metadata": {}, "treespec_namedtuple_fields": {}},
            "opset_version": {"aten": 10}, "range_constraints": {},
            "schema_version": {"major": 8, "minor": 8}, "verifiers": ["ATEN"],
            "torch_version": "2.8.0"}


MAKERS = {
    "execution-trace": make_execution_trace,
    "keras": make_keras,
    "model-explorer": make_model_explorer,
    "mxnet": make_mxnet,
    "ngraph": make_ngraph,
    "onednn": make_onednn,
    "onnx": make_onnx,
    "pir": make_pir,
    "qnn": make_qnn,
    "tensorrt": make_tensorrt,
    "tfjs-graph": make_tfjs,
    "torch-export": make_torch_export,
    "tvm": make_tvm,
}


def main(folder, layers="27000"):
    for kind, make in MAKERS.items():
        with open(os.path.join(folder, kind + ".json"), "w", encoding="utf-8") as file:
            json.dump(make(int(layers)), file)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
