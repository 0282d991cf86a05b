/* SPDX-License-Identifier: MIT */
#include "io/sym-io-private.h"

#include <string.h>

/* What JSON documents that are no graphs are, by the members that their roots must have; of several
 * that fit, the first.  A path may lead further down, where an asterisk stands for the first
 * member. */

typedef struct {
  const char *members; /* all of them, one blank between */
  const char *what;
} Kind;

#define HUGGING_FACE_MODEL "the settings of a model (Hugging Face), without its graph"
#define PREPROCESSOR "the settings of a preprocessor (Hugging Face)"
#define ML5 "the description of an ml5.js model; its graph is in model.json"
#define TEACHABLE "the description of a Teachable Machine model; its graph is in model.json"
#define TOKENIZER "the settings of a tokenizer"
#define PACKAGE "the description of a software package"
#define LOCK "the lock file of software packages"
#define DEEPSPEED "the settings of DeepSpeed"
#define POSTMAN "a collection of requests (Postman)"
#define COMFY "a workflow that makes pictures (ComfyUI), not a network"
#define CMAKE "the presets of CMake"
#define LINTER "the settings of a program that checks code (ESLint, TSLint)"
#define EDITOR "the settings of an editor (Visual Studio Code)"
#define CONTAINER "the settings of a development container"
#define CHAT_DATA "conversations, to train or to test a language model"
#define DOTNET_PARTS "the list of a .NET program's parts"
#define WANDB "what Weights & Biases recorded of a training"
#define MINECRAFT "the shape of a block or thing (Minecraft)"
#define DL_STREAMER "what is done before and after a network (DL Streamer)"
#define QNN_BACKEND "the settings of a processor (Qualcomm QNN)"
#define OPERATORS "the descriptions of a framework's operators (Netron)"
#define XCODE "a catalogue of pictures and colours (Xcode)"
#define ENCODER "the settings of a sentence encoder (Sentence Transformers)"
#define EVALUATION "how well a model did (Deeplearning4j), without its graph"
#define NATIVE_IMAGE "the settings of a compiler (GraalVM)"
#define NETRON "a graph in Netron's own form, which is not read; the model that it shows may be"
#define QUANTISER "the settings of a quantiser (Vitis AI)"
#define SIMULATED "the settings of a simulated machine (ASTRA-sim)"
#define NODE_DATA "numbers of nodes (Model Explorer), which a graph that is open can be coloured by"
#define XGBOOST_TREES "the trees of an XGBoost model, no graph of layers"

static const Kind kinds[] = {
  /* Networks, their parts, and what belongs to them. */
  { "modelTopology", "a TensorFlow.js model without its nodes" },
  { "model_config", "a Keras model that is not made of layers" },
  { "class_name config", "the description of one Keras object, not of a model" },
  { "weightsManifest", "a list of TensorFlow.js weights, without a graph" },
  { "tfjsSpeechCommandsVersion", TEACHABLE },
  { "tfjsVersion tmVersion", TEACHABLE },
  { "inputUnits outputUnits", ML5 },
  { "meta/inputUnits meta/outputUnits", ML5 },
  { "pooling_mode_mean_tokens", "the settings of a pooling of words (Sentence Transformers)" },
  { "tfjsVersion dataFormat", "the description of a TensorFlow.js data set" },
  { "config model_weights", "a list of weights, without a graph" },
  { "config/*/path_name", "the list of the weights of a torch.export archive, without its graph" },
  { "keras_version date_saved",
    "the metadata of a Keras archive; the graph is in its config.json" },
  { "layer_shapes", "the shapes of a Core ML network (Espresso); the graph is beside it" },
  { "rootModelIdentifier itemInfoEntries",
    "the manifest of a Core ML package; the graph is in its Data folder" },
  { "Inputs Outputs", "the features of a compiled Core ML model; the graph is beside it" },
  { "mainModule tensors", "a PyTorch archive of 2018, whose graph is Python code" },
  { "archiveName models modelName", "the manifest of a TorchServe archive" },
  { "createdOn model modelServerVersion", "the manifest of a model server's archive" },
  { "root nodes b64ndarrays", "objects of TVM (Relay, TIR) as JSON, which are not read" },
  { "state hn", "the metadata of a network for Hailo's processors (HAR)" },
  { "learner version", "an XGBoost model, which is trees and no graph of layers" },
  { "layers/*/layer_type layers/*/out_depth", "a network of ConvNetJS, which is not read" },
  { "sizes layers trainOpts", "a network of brain.js, which is not read" },
  { "neurons connections", "a network of Synaptic, which is not read" },
  { "in_shape layers/*/weights", "a network of RTNeural, which is not read" },
  { "architecture config weights", "a network of Neural Amp Modeler, which is not read" },
  { "*/filename */shape", "a list of weights (deeplearn.js), without a graph" },
  { "atol rtol model_name", "the description of one of ONNX's tests; its graph is at its address" },
  { "model modelSize modelLatentDim", ML5 },
  { "subgraph_metadata", "the metadata of a TensorFlow Lite model, without its graph" },
  { "phoneme_id_map", "the settings of a voice (Piper); the graph is the ONNX file beside it" },
  { "doc_id doc_name inputs", "the description of a Lobe model; its graph lies beside it" },
  { "DomainType ExporterVersion", "the manifest of a Custom Vision model, without its graph" },
  { "metadataVersion resourceType", "the description of a model or data set (DJL)" },
  { "model/modelName", "the manifest of a model server's archive" },
  { "model/handler", "the manifest of a model server's archive" },
  { "llm_model llm_weight", "the settings of a language model (MNN); its graph is llm.mnn" },
  { "signature format graphs", NETRON },
  { "signature format modules", NETRON },
  { "signature metadata metrics", "notes on a graph (Netron), which lies in another file" },
  { "model_details considerations", "a model card" },
  { "lang pipeline", "the description of a language pipeline (spaCy)" },
  { "intents", "the sentences of a chat bot, and its answers" },
  { "oblivious_trees", "a CatBoost model, which is trees and no graph of layers" },
  { "features_info model_info", "a CatBoost model, which is trees and no graph of layers" },
  { "tree_info", "a LightGBM model, which is trees and no graph of layers" },
  { "activation_encodings param_encodings", "quantization encodings (AIMET)" },
  { "compression input_info", "the settings of a compression (NNCF)" },
  { "quantization_points", "where a network is quantised (NNCF), without its graph" },
  { "defaults/ops op_type", "the settings of a quantiser (AIMET)" },
  { "quantization_config weight_map", "a list of quantised weights, without a graph" },
  { "weight_map", "a list of weights, without a graph" },
  { "model_config_list", "the settings of a model server (OpenVINO), without a graph" },
  { "input_preproc output_postproc", DL_STREAMER },
  { "json_schema_version output_postproc", DL_STREAMER },
  { "nn_config", "the settings of a network on a camera (DepthAI); the graph lies beside it" },
  { "nms_scores_th nms_iou_th", "the settings of a detector (Hailo)" },
  { "graphs/*/vtcm_mb", QNN_BACKEND },
  { "graphs/*/graph_names", QNN_BACKEND },
  { "backend_extensions", QNN_BACKEND },
  { "HostRootPath HostResultsDir", "the settings of a benchmark (Qualcomm)" },
  { "CSynthesisReport", "a report on a network as a circuit (hls4ml)" },
  { "modules_info port", "the settings of a model server (PaddleHub)" },
  { "*/input_data_generator", "the settings of a benchmark of operators (PARAM)" },
  { "symbols in_tensors out_tensors", "how tensors are spread over machines (STAGE)" },
  { "polygraphy_class", "notes of Polygraphy on a network, without its graph" },
  { "_class_name _diffusers_version", "the settings of a diffusion pipeline or of one of its models"
                                      " (Diffusers), without a graph" },
  { "peft_type", "the settings of an adapter (PEFT)" },
  { "architectures model_type", HUGGING_FACE_MODEL },
  { "model_type hidden_size", HUGGING_FACE_MODEL },
  { "model_type transformers_version", HUGGING_FACE_MODEL },
  { "model_type text_config", HUGGING_FACE_MODEL },
  { "model_type vision_config", HUGGING_FACE_MODEL },
  { "model_type vocab_size", HUGGING_FACE_MODEL },
  { "architecture pretrained_cfg", HUGGING_FACE_MODEL },
  { "embed_dim vision_cfg", "the settings of a model (OpenCLIP), without its graph" },
  { "quant_method", "the settings of a quantization" },
  { "bits group_size", "the settings of a quantization (GPTQ)" },
  { "__version__/sentence_transformers", ENCODER },
  { "max_seq_length do_lower_case", ENCODER },
  { "_class_name", "the settings of a part of a diffusion pipeline (Diffusers), without a graph" },
  { "model search", "the settings of ONNX Runtime's text generator, without a graph" },
  { "dim n_layers n_heads", "the settings of a language model, without its graph" },
  { "n_layer n_head n_embd", "the settings of a language model, without its graph" },
  { "hidden_size num_hidden_layers vocab_size",
    "the settings of a language model, without its graph" },
  { "image_processor_type", PREPROCESSOR },
  { "feature_extractor_type", PREPROCESSOR },
  { "do_resize image_mean", PREPROCESSOR },
  { "processor/transforms", "the settings of a preprocessor (ONNX Runtime)" },
  { "feature_extraction/sequence", "the settings of a preprocessor (ONNX Runtime)" },
  { "max_new_tokens", "the settings of a text generator (Hugging Face)" },
  { "eos_token_id transformers_version", "the settings of a text generator (Hugging Face)" },
  { "model added_tokens", "a tokenizer" },
  { "tokenizer_class", TOKENIZER },
  { "added_tokens_decoder", TOKENIZER },
  { "unk_token eos_token", "the special words of a tokenizer" },
  { "unk_token pad_token", "the special words of a tokenizer" },
  { "bos_token eos_token", "the special words of a tokenizer" },
  { "cls_token sep_token", "the special words of a tokenizer" },
  { "model_max_length", TOKENIZER },
  { "processor_class", PREPROCESSOR },
  { "<|endoftext|>", "a vocabulary" },
  { "[UNK]", "a vocabulary" },
  { "labelsList numLabels confusion", EVALUATION },
  { "confusion binaryPositiveClass", EVALUATION },
  { "rocRemoveRedundantPts thresholdSteps", EVALUATION },
  { "reliabilityDiagNumBins histogramNumBins", EVALUATION },
  { "cells/*/address cells/*/value", "the numbers of a tensor (Vespa)" },
  { "log_history global_step", "the state of a training (Hugging Face), without a graph" },
  { "epoch train_loss", "the results of a training" },
  { "loss accuracy", "the history of a training" },
  { "loss val_loss", "the history of a training" },
  { "eval_loss epoch", "the results of a training" },
  { "optimizer_config loss", "how a model was trained (Keras), without its graph" },
  { "batch_size epochs", "the settings of a training" },
  { "batch_size learning_rate", "the settings of a training" },
  { "MODEL SOLVER", "the settings of a training (Detectron2)" },
  { "compute_environment distributed_type", "the settings of a training (Accelerate)" },
  { "_wandb", WANDB },
  { "_timestamp _runtime", WANDB },
  { "heartbeatAt startedAt", WANDB },
  { "results versions config", "the results of language models in tests" },
  { "fp16 train_batch_size", DEEPSPEED },
  { "train_micro_batch_size_per_gpu", DEEPSPEED },
  { "zero_optimization", DEEPSPEED },
  { "backend image_data_format", "the settings of Keras itself" },
  { "embeddings modelCheckpointPath", "the settings of TensorBoard's projector" },
  { "max_batch_size instance_group", "the settings of a model of Triton" },
  { "name implementation parameters", "the settings of a model of MLServer (Seldon)" },
  { "inputs/*/datatype", "a request to a model server (Open Inference Protocol)" },
  { "outputs/*/datatype", "the answer of a model server (Open Inference Protocol)" },
  { "graph_name node_list", "a pipeline of kernels (Vitis AI), not a network" },
  { "kernel_name kernel_type", "the settings of a kernel in a pipeline (Vitis AI)" },
  { "quantize_registry_config", QUANTISER },
  { "quantize_pipeline_config", QUANTISER },
  { "include_cle", QUANTISER },
  { "anchors iouThreshold", "the settings of a detector (Tiny YOLO), without its graph" },
  { "scheduling-policy", SIMULATED },
  { "logical-dims", SIMULATED },
  { "topologies-per-dim", SIMULATED },
  /* Data about data. */
  { "*/results/*/value", NODE_DATA },
  { "results/*/value", NODE_DATA },
  { "nodes/*/callFrame", "a profile of a program (V8)" },
  { "shared/frames profiles", "a profile of a program (Speedscope)" },
  { "meta/interval threads", "a profile of a program (Firefox)" },
  { "root_frame sample_count", "a profile of a program (pyinstrument)" },
  { "traceEvents", "a trace of events (Chrome, Perfetto), not of a network's execution" },
  { "nbformat", "a Jupyter notebook" },
  { "cells/*/cell_type", "a Jupyter notebook" },
  { "info/author info/version", XCODE },
  { "annotations images", "annotations of pictures (COCO)" },
  { "annotations categories", "annotations of pictures (COCO)" },
  { "info categories items", "annotations of pictures (Datumaro)" },
  { "_via_settings", "annotations of pictures (VIA)" },
  { "*/filename */regions", "annotations of pictures (VIA)" },
  { "objects size tags", "annotations of a picture (Supervisely)" },
  { "people version", "the poses of people in a picture (OpenPose)" },
  { "text segments language", "a transcript of speech (Whisper)" },
  { "data/*/paragraphs", "questions about texts, and their answers (SQuAD)" },
  { "choices usage", "an answer of a language model" },
  { "messages/*/role", CHAT_DATA },
  { "mainEntryPointFilePath", "the settings of a tool for documentation (API Extractor)" },
  { "builder_name features", "the description of a data set (Hugging Face)" },
  { "*/features */splits", "the description of a data set (Hugging Face)" },
  { "_data_files _fingerprint", "the state of a data set (Hugging Face)" },
  { "layers optimizer class_mode", "a model of Keras 0.3 or older, which is not read" },
  { "code_file kernel_type", "the description of a Kaggle notebook" },
  { "images categories", "annotations of pictures (COCO)" },
  { "shapes imagePath", "annotations of a picture (labelme)" },
  { "features type", "a map (GeoJSON)" },
  { "coordinates type", "a map (GeoJSON)" },
  { "geometry properties", "a map (GeoJSON)" },
  { "type objects arcs", "a map (TopoJSON)" },
  { "tiledversion", "a map of a game (Tiled)" },
  { "frames meta", "where pictures are in one (sprite sheet)" },
  { "skeleton bones", "an animation (Spine)" },
  { "parent textures", MINECRAFT },
  { "textures elements", MINECRAFT },
  { "pack/pack_format", "the description of a resource pack (Minecraft)" },
  { "chars common info", "the letters of a font (BMFont)" },
  { "geometries materials object", "a 3D scene (three.js)" },
  { "mark encoding", "a chart (Vega-Lite)" },
  { "marks scales", "a chart (Vega)" },
  { "data layout", "a chart (Plotly)" },
  { "panels schemaVersion", "a dashboard (Grafana)" },
  { "type elements appState", "a drawing (Excalidraw)" },
  { "targets monitors extensions", "a program of Scratch" },
  { "last_node_id last_link_id", COMFY },
  { "*/class_type */inputs", COMFY },
  { "nodes connections", "a workflow (n8n)" },
  { "asset meshes", "a 3D scene (glTF)" },
  { "asset scenes", "a 3D scene (glTF)" },
  { "layers fr ip op", "an animation (Lottie)" },
  { "snapshot/meta strings", "a picture of a program's memory (V8)" },
  { "directed multigraph", "a general graph (NetworkX), not of a network" },
  { "nodes root version", LOCK },
  { "nodes links", "a general graph of nodes and links, not of a network" },
  { "nodes edges", "a general graph of nodes and edges, not of a network" },
  { "elements/nodes elements/edges", "a general graph (Cytoscape), not of a network" },
  { "graph/nodes graph/edges", "a general graph of nodes and edges, not of a network" },
  /* Other programs' files. */
  { "spdxVersion", "a list of a program's parts (SPDX)" },
  { "bomFormat", "a list of a program's parts (CycloneDX)" },
  { "runs version", "the findings of a program that checks code (SARIF)" },
  { "version sources mappings", "a source map, from what a program became to what it was" },
  { "version sections", "a source map, from what a program became to what it was" },
  { "version configurePresets", CMAKE },
  { "version buildPresets", CMAKE },
  { "mcpServers", "the list of an assistant's tools (MCP)" },
  { "extends rules", LINTER },
  { "parserOptions", LINTER },
  { "MD013", "the settings of a program that checks texts (markdownlint)" },
  { "MD033", "the settings of a program that checks texts (markdownlint)" },
  { "esversion", LINTER },
  { "printWidth", "the settings of a program that lays out code (Prettier)" },
  { "tabWidth singleQuote", "the settings of a program that lays out code (Prettier)" },
  { "presets", "the settings of a compiler (Babel)" },
  { "configurations version", EDITOR },
  { "tasks version", EDITOR },
  { "recommendations", EDITOR },
  { "files.associations", EDITOR },
  { "files.exclude", EDITOR },
  { "editor.formatOnSave", EDITOR },
  { "editor.tabSize", EDITOR },
  { "editor.fontSize", EDITOR },
  { "workbench.colorTheme", EDITOR },
  { "python.pythonPath", EDITOR },
  { "*/prefix */body", "pieces of text for an editor (Visual Studio Code)" },
  { "editor.codeActionsOnSave", EDITOR },
  { "[python]", EDITOR },
  { "python.analysis.typeCheckingMode", EDITOR },
  { "cmake.sourceDirectory", EDITOR },
  { "folders settings", EDITOR },
  { "scopeName patterns", "the grammar of a language, for an editor (TextMate)" },
  { "Version WorkspaceRootPath", "the state of an editor (Visual Studio)" },
  { "image features", CONTAINER },
  { "image customizations", CONTAINER },
  { "dockerFile", CONTAINER },
  { "deploy/restartPolicyType", "the settings of a server's start (Railway)" },
  { "deploy/healthcheckPath", "the settings of a server's start (Railway)" },
  { "build/dockerfile", CONTAINER },
  { "dockerComposeFile", CONTAINER },
  { "schemaVersion mediaType", "the manifest of a container's image" },
  { "schemaVersion manifests", "the manifest of a container's image" },
  { "rootfs history", "the settings of a container's image" },
  { "expo", "the settings of an application (Expo)" },
  { "appId webDir", "the settings of an application (Capacitor)" },
  { "appId productName", "the settings of a packager (electron-builder)" },
  { "usingComponents", "the settings of a page (WeChat)" },
  { "setting appid", "the settings of a program (WeChat)" },
  { "pages window", "the settings of a program (WeChat)" },
  { "profiles/*/commandName", "how a .NET program is started" },
  { "runtimeTarget libraries", DOTNET_PARTS },
  { "version targets libraries", DOTNET_PARTS },
  { "version dependencies/*/*/resolved", LOCK },
  { "runtimeOptions", "the settings of a .NET program" },
  { "Logging/LogLevel", "the settings of a .NET program" },
  { "sdk/version", "the version of .NET that a program is built with" },
  { "registries", "the settings of a package manager (vcpkg)" },
  { "problemMatcher", "how a program's messages look (GitHub Actions)" },
  { "AWSTemplateFormatVersion", "a template of resources (CloudFormation)" },
  { "Version Statement", "a policy of who may do what (AWS)" },
  { "contentVersion resources", "a template of resources (Azure)" },
  { "bindings scriptFile", "the settings of a function (Azure)" },
  { "apiVersion kind metadata", "a resource of Kubernetes" },
  { "terraform_version resources", "the state of Terraform" },
  { "project_info client", "the settings of an Android application (Firebase)" },
  { "hosting", "the settings of a web site (Firebase)" },
  { "type project_id private_key", "the key of an account (Google)" },
  { "info/schema item", POSTMAN },
  { "info/_postman_id", POSTMAN },
  { "log/entries log/version", "what a browser asked for (HAR)" },
  { "context benchmarks", "the results of benchmarks (Google Benchmark)" },
  { "machine_info benchmarks", "the results of benchmarks (pytest)" },
  { "meta totals files", "what tests ran of a program (coverage.py)" },
  { "*/statementMap", "what tests ran of a program (Istanbul)" },
  { "numFailedTests numTotalTests", "the results of tests (Jest)" },
  { "spec_dir spec_files", "the settings of tests (Jasmine)" },
  { "@context", "linked data (JSON-LD)" },
  { "stac_version", "a catalogue of pictures of the earth (STAC)" },
  { "jsonrpc", "a message between programs (JSON-RPC)" },
  { "py/object", "an object of Python (jsonpickle)" },
  { "openapi paths", "the description of a web service" },
  { "swagger paths", "the description of a web service" },
  { "asyncapi channels", "the description of a web service" },
  { "message documentation_url", "an answer of GitHub, which is not the file that was asked for" },
  { "tree sha", "the list of a folder (GitHub)" },
  { "files entrypoints", "the list of a web application's files (webpack)" },
  { "builds routes", "the settings of a web site (Vercel)" },
  { "start_url display", "the manifest of a web application" },
  { "manifest_version name", "the manifest of a browser's extension" },
  { "lockfileVersion", LOCK },
  { "dependency_tree", LOCK },
  { "pins version", LOCK },
  { "object/pins version", LOCK },
  { "version specifiers", LOCK },
  { "source-directories elm-version", PACKAGE },
  { "_meta default develop", LOCK },
  { "packages packages-dev content-hash", LOCK },
  { "compilerOptions", "the settings of a compiler (TypeScript)" },
  { "projects newProjectRoot", "the settings of an Angular workspace" },
  { "projects version", "the settings of an Angular workspace" },
  { "imports tasks", "the settings of a program (Deno)" },
  { "packages workspace_members", "the parts of a program (Cargo)" },
  { "resources/*/pattern", NATIVE_IMAGE },
  { "resources/includes bundles", NATIVE_IMAGE },
  { "schematics", "the list of a package's generators (Angular)" },
  { "agents configuration reward", "the description of a game (Kaggle)" },
  { "name require", PACKAGE },
  { "name main typings", PACKAGE },
  { "name main module", PACKAGE },
  { "name version", PACKAGE },
  { "name private", PACKAGE },
  { "name scripts", PACKAGE },
  { "name dependencies", PACKAGE },
  { "dependencies version", PACKAGE },
  { "dependencies scripts", PACKAGE },
  { "dependencies devDependencies", PACKAGE },
  { "devDependencies", PACKAGE },
  { "extends", "settings that extend those of another file" },
  { "log", "a log" },
  { "0 1 2", "a list of what numbers stand for, without a graph" },
  { "$schema", "a JSON schema, or a document of one" },
  { "$defs", "a JSON schema" },
  { "type properties", "a JSON schema" },
};

/* Lists, by what one of their first two elements has. */
static const Kind lists[] = {
  { "timeMs averageMs",
    "the times of the layers of a TensorRT engine (trtexec), without its graph" },
  { "startComputeMs endComputeMs",
    "the times of a TensorRT engine's runs (trtexec), without its graph" },
  { "startEnqMs latencyMs", "the times of a TensorRT engine's runs (trtexec), without its graph" },
  { "weights paths", "a list of TensorFlow.js weights, without a graph" },
  { "ph", "a trace of events (Chrome, Perfetto), not of a network's execution" },
  { "metadataOutputVersion specificationVersion",
    "the metadata of a compiled Core ML model; the graph is beside it" },
  { "idx path type", "the list of the modules of a sentence encoder (Sentence Transformers)" },
  { "image_id bbox", "detections in pictures (COCO)" },
  { "image_id caption", "captions of pictures (COCO)" },
  { "image annotations", "annotations of pictures (Create ML)" },
  { "annotations data", "annotations (Label Studio)" },
  { "queries styles", "how nodes look (Model Explorer), without a graph" },
  { "nodeid split", XGBOOST_TREES },
  { "nodeid leaf", XGBOOST_TREES },
  { "directory file command", "the commands of a compiler (compile_commands.json)" },
  { "directory file arguments", "the commands of a compiler (compile_commands.json)" },
  { "messages", CHAT_DATA },
  { "conversations", CHAT_DATA },
  { "role content", CHAT_DATA },
  { "instruction output", "instructions and answers, to train a language model" },
  { "question answer", "questions and answers" },
  { "prompt completion", "prompts and answers, to train a language model" },
  { "type function/name", "the tools that a language model may call" },
  { "id type wires", "a flow (Node-RED)" },
  { "tfOpName category", "a list of TensorFlow's operators" },
  { "name schema/attributes", OPERATORS },
  { "name schema/category", OPERATORS },
  { "name schema/inputs", OPERATORS },
  { "name allDeclaredConstructors", NATIVE_IMAGE },
  { "name allPublicMethods", NATIVE_IMAGE },
  { "name path sha", "the list of a folder (GitHub)" },
  { "Id RepoTags", "what Docker tells of images" },
  { "Config Layers", "the manifest of a container's image" },
};

/* What @path leads to from @object. */
static guint
find_member (const SymJson *json, guint object, const char *path)
{
  g_auto (GStrv) names = g_strsplit (path, "/", -1);
  guint at = object;

  for (guint i = 0; names[i] != NULL && at != SYM_JSON_NONE; i++)
    {
      SymJsonIter first = sym_json_iterate (json, at);

      if (strcmp (names[i], "*") != 0)
        at = sym_json_get_member (json, at, names[i]);
      else
        at = sym_json_iter_next (json, &first) ? first.value : SYM_JSON_NONE;
    }
  return at;
}

static gboolean
has_members (const SymJson *json, guint object, const char *members)
{
  g_auto (GStrv) names = g_strsplit (members, " ", -1);

  for (guint i = 0; names[i] != NULL; i++)
    if (find_member (json, object, names[i]) == SYM_JSON_NONE)
      return FALSE;
  return TRUE;
}

static const char *
find_kind (const SymJson *json, guint object, const Kind *table, guint n)
{
  for (guint i = 0; i < n; i++)
    if (has_members (json, object, table[i].members))
      return table[i].what;
  return NULL;
}

/* "of no known kind (with the members "a", "b", ...)" tells whose it may be. */
static char *
describe_members (const SymJson *json, guint object, const char *kind)
{
  GString *text = g_string_new (kind);
  guint n = 0;

  for (SymJsonIter i = sym_json_iterate (json, object); sym_json_iter_next (json, &i); n++)
    if (n < 3)
      {
        g_autofree char *key = sym_json_dup_excerpt (json, i.key);

        g_string_append_printf (text, "%s%s", n == 0 ? " (with the members " : ", ", key);
      }
  g_string_append (text, n == 0 ? "" : n > 3 ? ", ...)" : ")");
  return g_string_free (text, FALSE);
}

static char *
describe_list (const SymJson *json)
{
  guint first = sym_json_get_element (json, 0, 0);
  SymJsonKind kind = sym_json_get_kind (json, first);

  return kind == SYM_JSON_OBJECT
             ? describe_members (json, first, "a JSON list of objects of no known kind")
             : g_strdup (kind == SYM_JSON_ARRAY ? "a table, which is a JSON list of lists"
                                                : "a JSON list of no known kind");
}

/* What can be told by the values alone. */
static char *
describe_values (const SymJson *json)
{
  gboolean is_object = sym_json_get_kind (json, 0) == SYM_JSON_OBJECT;
  guint n = 0, n_numbers = 0, n_strings = 0;

  for (SymJsonIter i = sym_json_iterate (json, 0); sym_json_iter_next (json, &i); n++)
    {
      gint64 number;

      n_numbers += sym_json_get_int (json, i.value, &number);
      n_strings += sym_json_get_kind (json, i.value) == SYM_JSON_STRING;
    }
  if (n == 0)
    return g_strdup (is_object ? "an empty JSON object" : "an empty JSON list");
  if (n_strings == n)
    return g_strdup (is_object ? "names and what they stand for, without a graph"
                               : "a list of words");
  if (n_numbers == n)
    return g_strdup (is_object ? "names and their numbers, without a graph" : "a list of numbers");
  return is_object ? describe_members (json, 0, "a JSON document of no known kind")
                   : describe_list (json);
}

/* Of many words any may be the name of a member in the tables.  NULL where there are not so many.
 */
static const char *
find_dictionary (const SymJson *json)
{
  guint n = sym_json_get_kind (json, 0) == SYM_JSON_OBJECT ? sym_json_count (json, 0) : 0;
  gint64 number;

  for (SymJsonIter i = sym_json_iterate (json, 0); n > 100 && sym_json_iter_next (json, &i);)
    if (!sym_json_get_int (json, i.value, &number))
      return n > 1000 ? "a dictionary" : NULL;
  return n > 100 ? "a vocabulary" : NULL;
}

const char *
sym_io_find_json_kind (const SymJson *json)
{
  const char *what = find_dictionary (json);

  if (what == NULL)
    what = find_kind (json, 0, kinds, G_N_ELEMENTS (kinds));
  for (guint i = 0; i < 2 && what == NULL && sym_json_get_kind (json, 0) == SYM_JSON_ARRAY &&
                    i < sym_json_count (json, 0);
       i++)
    what = find_kind (json, sym_json_get_element (json, 0, i), lists, G_N_ELEMENTS (lists));
  return what;
}

char *
sym_io_describe_json (const SymJson *json)
{
  const char *what = sym_io_find_json_kind (json);

  return what != NULL ? g_strdup (what) : describe_values (json);
}

/* ---- Archives ---- */

static const struct {
  const char *suffix; /* of a file's name */
  const char *what;
} contents[] = {
  { "/constants.pkl",
    "a TorchScript program, whose graph is Python code: torch.export.save() or torch.onnx.export() "
    "writes one that can be opened" },
  { "data.pkl",
    "PyTorch weights, or a pickled module, without a graph: torch.export.save() writes one" },
  { "saved_model.pb", SYM_IO_SAVED_MODEL },
  { "[Content_Types].xml", "an office document" },
  { "AndroidManifest.xml", "an Android application" },
  { "META-INF/MANIFEST.MF", "a Java archive" },
  { "/METADATA", "a Python package" },
  { "__init__.py", "a Python package" },
};

static gboolean
has_file (const SymStoreArchive *archive, const char *suffix)
{
  guint n = MIN (sym_store_archive_get_n (archive), 4096);

  for (guint i = 0; i < n; i++)
    if (g_str_has_suffix (sym_store_archive_get_name (archive, i), suffix))
      return TRUE;
  return FALSE;
}

/* All files are arrays of NumPy. */
static gboolean
is_npz (const SymStoreArchive *archive)
{
  guint n = sym_store_archive_get_n (archive);

  for (guint i = 0; i < n; i++)
    if (!g_str_has_suffix (sym_store_archive_get_name (archive, i), ".npy"))
      return FALSE;
  return n > 0;
}

const char *
sym_io_describe_archive (const SymStoreArchive *archive)
{
  for (guint i = 0; i < G_N_ELEMENTS (contents); i++)
    if (has_file (archive, contents[i].suffix))
      return contents[i].what;
  return is_npz (archive) ? "NumPy arrays (.npz), without a graph" : NULL;
}
