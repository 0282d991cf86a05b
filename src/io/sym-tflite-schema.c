/* SPDX-License-Identifier: MIT */
#include "io/sym-tflite.h"

/* Schema 3 to 3d of TensorFlow Lite (tensorflow/compiler/mlir/lite/schema/schema.fbs), and what
 * Circle adds to its options.  Kinds of operators are left as numbers, which the reader of the JSON
 * knows. */

#define TABLE(name, fields)            \
  {                                    \
    name, SYM_FLAT_TABLE, NULL, fields \
  }
#define ENUM(name, base, names)      \
  {                                  \
    name, SYM_FLAT_ENUM, base, names \
  }
#define UNION(name, tables)            \
  {                                    \
    name, SYM_FLAT_UNION, NULL, tables \
  }

/* Options of operators that have no other field than an activation, or none at all. */
#define ACTIVATION(name) TABLE (name, "fused_activation_function:ActivationFunctionType")
#define NOTHING(name) TABLE (name, "")

const SymFlatEntry sym_tflite_schema[] = {
  TABLE ("Tensor",
         "shape:[int] type:TensorType buffer:uint name:string"
         " quantization:QuantizationParameters is_variable:bool"
         " sparsity:SparsityParameters shape_signature:[int] has_rank:bool"
         " variant_tensors:[VariantSubType] external_buffer:uint"),
  TABLE ("Operator",
         "opcode_index:uint inputs:[int] outputs:[int] builtin_options:BuiltinOptions"
         " custom_options:[ubyte] custom_options_format:CustomOptionsFormat"
         " mutating_variable_inputs:[bool] intermediates:[int]"
         " large_custom_options_offset:ulong large_custom_options_size:ulong"
         " builtin_options_2:BuiltinOptions2 debug_metadata_index:int"),
  TABLE ("QuantizationParameters",
         "min:[float] max:[float] scale:[float] zero_point:[long]"
         " details:QuantizationDetails quantized_dimension:int"),
  ENUM ("TensorType",
        "byte",
        "FLOAT32 FLOAT16 INT32 UINT8 INT64 STRING BOOL INT16 COMPLEX64 INT8 FLOAT64 COMPLEX128"
        " UINT64 RESOURCE VARIANT UINT32 UINT16 INT4 BFLOAT16 INT2 UINT4 FLOAT8_E4M3FN"
        " FLOAT8_E5M2"),
  TABLE ("Buffer", "data:place offset:ulong size:ulong"),
  ENUM ("ActivationFunctionType", "byte", "NONE RELU RELU_N1_TO_1 RELU6 TANH SIGN_BIT"),
  ENUM ("Padding", "byte", "SAME VALID"),
  TABLE ("Model",
         "version:uint operator_codes:[OperatorCode] subgraphs:[SubGraph]"
         " description:string buffers:[Buffer] metadata_buffer:[int]"
         " metadata:[Metadata] signature_defs:[SignatureDef]"
         " external_buffer_groups:[ExternalBufferGroup]"
         " external_buffers:[ExternalBuffer]"),
  TABLE ("OperatorCode",
         "deprecated_builtin_code:byte custom_code:string version:int builtin_code:int"),
  TABLE ("SubGraph",
         "tensors:[Tensor] inputs:[int] outputs:[int] operators:[Operator] name:string"
         " -:int"),
  TABLE ("Metadata", "name:string buffer:uint"),
  TABLE ("TensorMap", "name:string tensor_index:uint"),
  TABLE ("SignatureDef",
         "inputs:[TensorMap] outputs:[TensorMap] signature_key:string -:string"
         " subgraph_index:uint"),
  TABLE ("ExternalBufferGroup", "name:string"),
  TABLE ("ExternalBuffer", "id:uint group:uint offset:ulong length:ulong packing:string"),

  /* Quantization and sparsity */
  UNION ("QuantizationDetails", "CustomQuantization BlockwiseQuantization MultiAxisQuantization"),
  TABLE ("CustomQuantization", "custom:[ubyte]"),
  TABLE ("BlockwiseQuantization", "scales:int zero_points:int block_size:int"),
  TABLE ("MultiAxisQuantization",
         "scales:int zero_points:int block_size:int quantized_dimensions:[int]"),
  ENUM ("DimensionType", "byte", "DENSE SPARSE_CSR"),
  UNION ("SparseIndexVector", "Int32Vector Uint16Vector Uint8Vector"),
  TABLE ("Int32Vector", "values:[int]"),
  TABLE ("Uint16Vector", "values:[ushort]"),
  TABLE ("Uint8Vector", "values:[ubyte]"),
  TABLE ("DimensionMetadata",
         "format:DimensionType dense_size:int"
         " array_segments:SparseIndexVector array_indices:SparseIndexVector"),
  TABLE ("SparsityParameters",
         "traversal_order:[int] block_map:[int] dim_metadata:[DimensionMetadata]"),
  TABLE ("VariantSubType", "shape:[int] type:TensorType has_rank:bool"),

  /* Options of operators */
  UNION ("BuiltinOptions",
         "Conv2DOptions DepthwiseConv2DOptions ConcatEmbeddingsOptions LSHProjectionOptions"
         " Pool2DOptions SVDFOptions RNNOptions FullyConnectedOptions SoftmaxOptions"
         " ConcatenationOptions AddOptions L2NormOptions LocalResponseNormalizationOptions"
         " LSTMOptions ResizeBilinearOptions CallOptions ReshapeOptions SkipGramOptions"
         " SpaceToDepthOptions EmbeddingLookupSparseOptions MulOptions PadOptions GatherOptions"
         " BatchToSpaceNDOptions SpaceToBatchNDOptions TransposeOptions ReducerOptions SubOptions"
         " DivOptions SqueezeOptions SequenceRNNOptions StridedSliceOptions ExpOptions"
         " TopKV2Options SplitOptions LogSoftmaxOptions CastOptions DequantizeOptions"
         " MaximumMinimumOptions ArgMaxOptions LessOptions NegOptions PadV2Options GreaterOptions"
         " GreaterEqualOptions LessEqualOptions SelectOptions SliceOptions TransposeConvOptions"
         " SparseToDenseOptions TileOptions ExpandDimsOptions EqualOptions NotEqualOptions"
         " ShapeOptions PowOptions ArgMinOptions FakeQuantOptions PackOptions LogicalOrOptions"
         " OneHotOptions LogicalAndOptions LogicalNotOptions UnpackOptions FloorDivOptions"
         " SquareOptions ZerosLikeOptions FillOptions BidirectionalSequenceLSTMOptions"
         " BidirectionalSequenceRNNOptions UnidirectionalSequenceLSTMOptions FloorModOptions"
         " RangeOptions ResizeNearestNeighborOptions LeakyReluOptions SquaredDifferenceOptions"
         " MirrorPadOptions AbsOptions SplitVOptions UniqueOptions ReverseV2Options AddNOptions"
         " GatherNdOptions CosOptions WhereOptions RankOptions ReverseSequenceOptions"
         " MatrixDiagOptions QuantizeOptions MatrixSetDiagOptions HardSwishOptions IfOptions"
         " WhileOptions DepthToSpaceOptions NonMaxSuppressionV4Options NonMaxSuppressionV5Options"
         " ScatterNdOptions SelectV2Options DensifyOptions SegmentSumOptions BatchMatMulOptions"
         " CumsumOptions CallOnceOptions BroadcastToOptions Rfft2dOptions Conv3DOptions"
         " HashtableOptions HashtableFindOptions HashtableImportOptions HashtableSizeOptions"
         " VarHandleOptions ReadVariableOptions AssignVariableOptions RandomOptions"
         " BucketizeOptions GeluOptions DynamicUpdateSliceOptions UnsortedSegmentProdOptions"
         " UnsortedSegmentMaxOptions UnsortedSegmentMinOptions UnsortedSegmentSumOptions"
         " ATan2Options SignOptions BitcastOptions BitwiseXorOptions RightShiftOptions"
         " BCQGatherOptions=252 BCQFullyConnectedOptions=253 InstanceNormOptions=254"),
  TABLE ("Conv2DOptions",
         "padding:Padding stride_w:int stride_h:int"
         " fused_activation_function:ActivationFunctionType"
         " dilation_w_factor:int dilation_h_factor:int"
         " quantized_bias_type:TensorType"),
  TABLE ("DepthwiseConv2DOptions",
         "padding:Padding stride_w:int stride_h:int depth_multiplier:int"
         " fused_activation_function:ActivationFunctionType"
         " dilation_w_factor:int dilation_h_factor:int"),
  TABLE ("Conv3DOptions",
         "padding:Padding stride_d:int stride_w:int stride_h:int"
         " fused_activation_function:ActivationFunctionType"
         " dilation_d_factor:int dilation_w_factor:int dilation_h_factor:int"),
  TABLE ("Pool2DOptions",
         "padding:Padding stride_w:int stride_h:int filter_width:int"
         " filter_height:int fused_activation_function:ActivationFunctionType"),
  TABLE ("TransposeConvOptions",
         "padding:Padding stride_w:int stride_h:int"
         " fused_activation_function:ActivationFunctionType"
         " quantized_bias_type:TensorType"),
  TABLE ("FullyConnectedOptions",
         "fused_activation_function:ActivationFunctionType"
         " weights_format:FullyConnectedOptionsWeightsFormat"
         " keep_num_dims:bool asymmetric_quantize_inputs:bool"
         " quantized_bias_type:TensorType"),
  ENUM ("FullyConnectedOptionsWeightsFormat", "byte", "DEFAULT SHUFFLED4x16INT8"),
  TABLE ("AddOptions", "fused_activation_function:ActivationFunctionType pot_scale_int16:bool"),
  TABLE ("SubOptions", "fused_activation_function:ActivationFunctionType pot_scale_int16:bool"),
  ACTIVATION ("MulOptions"),
  ACTIVATION ("DivOptions"),
  ACTIVATION ("L2NormOptions"),
  TABLE ("ConcatenationOptions", "axis:int fused_activation_function:ActivationFunctionType"),
  TABLE ("LocalResponseNormalizationOptions", "radius:int bias:float alpha:float beta:float"),
  TABLE ("InstanceNormOptions", "epsilon:float fused_activation_function:ActivationFunctionType"),
  TABLE ("SoftmaxOptions", "beta:float"),
  TABLE ("LeakyReluOptions", "alpha:float"),
  TABLE ("GeluOptions", "approximate:bool"),
  TABLE ("BatchMatMulOptions", "adj_x:bool adj_y:bool asymmetric_quantize_inputs:bool"),
  TABLE ("FakeQuantOptions", "min:float max:float num_bits:int narrow_range:bool"),
  TABLE ("BCQGatherOptions", "input_hidden_size:int axis:int"),
  TABLE ("BCQFullyConnectedOptions",
         "weights_hidden_size:int fused_activation_function:ActivationFunctionType"),

  /* Cells */
  TABLE ("SVDFOptions",
         "rank:int fused_activation_function:ActivationFunctionType"
         " asymmetric_quantize_inputs:bool"),
  TABLE ("RNNOptions",
         "fused_activation_function:ActivationFunctionType"
         " asymmetric_quantize_inputs:bool"),
  TABLE ("SequenceRNNOptions",
         "time_major:bool"
         " fused_activation_function:ActivationFunctionType"
         " asymmetric_quantize_inputs:bool"),
  TABLE ("BidirectionalSequenceRNNOptions",
         "time_major:bool fused_activation_function:ActivationFunctionType merge_outputs:bool"
         " asymmetric_quantize_inputs:bool"),
  ENUM ("LSTMKernelType", "byte", "FULL BASIC"),
  TABLE ("LSTMOptions",
         "fused_activation_function:ActivationFunctionType cell_clip:float"
         " proj_clip:float kernel_type:LSTMKernelType"
         " asymmetric_quantize_inputs:bool"),
  TABLE ("UnidirectionalSequenceLSTMOptions",
         "fused_activation_function:ActivationFunctionType cell_clip:float proj_clip:float"
         " time_major:bool asymmetric_quantize_inputs:bool diagonal_recurrent_tensors:bool"),
  TABLE ("BidirectionalSequenceLSTMOptions",
         "fused_activation_function:ActivationFunctionType cell_clip:float proj_clip:float"
         " merge_outputs:bool time_major:bool asymmetric_quantize_inputs:bool"),

  /* Words */
  TABLE ("ConcatEmbeddingsOptions",
         "num_channels:int num_columns_per_channel:[int] embedding_dim_per_channel:[int]"),
  ENUM ("LSHProjectionType", "byte", "UNKNOWN SPARSE DENSE"),
  TABLE ("LSHProjectionOptions", "type:LSHProjectionType"),
  TABLE ("SkipGramOptions", "ngram_size:int max_skip_size:int include_all_ngrams:bool"),
  ENUM ("CombinerType", "byte", "SUM MEAN SQRTN"),
  TABLE ("EmbeddingLookupSparseOptions", "combiner:CombinerType"),
  TABLE ("HashtableOptions", "table_id:int key_dtype:TensorType value_dtype:TensorType"),
  NOTHING ("HashtableFindOptions"),
  NOTHING ("HashtableImportOptions"),
  NOTHING ("HashtableSizeOptions"),

  /* Shapes */
  TABLE ("ResizeBilinearOptions", "-:int -:int align_corners:bool half_pixel_centers:bool"),
  TABLE ("ResizeNearestNeighborOptions", "align_corners:bool half_pixel_centers:bool"),
  TABLE ("ReshapeOptions", "new_shape:[int]"),
  TABLE ("SqueezeOptions", "squeeze_dims:[int]"),
  TABLE ("SpaceToDepthOptions", "block_size:int"),
  TABLE ("DepthToSpaceOptions", "block_size:int"),
  TABLE ("GatherOptions", "axis:int batch_dims:int"),
  TABLE ("ReducerOptions", "keep_dims:bool"),
  TABLE ("SplitOptions", "num_splits:int"),
  TABLE ("SplitVOptions", "num_splits:int"),
  TABLE ("StridedSliceOptions",
         "begin_mask:int end_mask:int ellipsis_mask:int new_axis_mask:int"
         " shrink_axis_mask:int offset:bool"),
  TABLE ("PackOptions", "values_count:int axis:int"),
  TABLE ("UnpackOptions", "num:int axis:int"),
  TABLE ("OneHotOptions", "axis:int"),
  ENUM ("MirrorPadMode", "byte", "REFLECT SYMMETRIC"),
  TABLE ("MirrorPadOptions", "mode:MirrorPadMode"),
  TABLE ("ReverseSequenceOptions", "seq_dim:int batch_dim:int"),
  TABLE ("SparseToDenseOptions", "validate_indices:bool"),
  TABLE ("ShapeOptions", "out_type:TensorType"),
  TABLE ("CastOptions", "in_data_type:TensorType out_data_type:TensorType"),
  TABLE ("ArgMaxOptions", "output_type:TensorType"),
  TABLE ("ArgMinOptions", "output_type:TensorType"),
  TABLE ("UniqueOptions", "idx_out_type:TensorType"),
  TABLE ("CumsumOptions", "exclusive:bool reverse:bool"),
  TABLE ("BucketizeOptions", "boundaries:[float]"),
  TABLE ("RandomOptions", "seed:long seed2:long"),
  NOTHING ("PadOptions"),
  NOTHING ("PadV2Options"),
  NOTHING ("SpaceToBatchNDOptions"),
  NOTHING ("BatchToSpaceNDOptions"),
  NOTHING ("TransposeOptions"),
  NOTHING ("TopKV2Options"),
  NOTHING ("SelectOptions"),
  NOTHING ("SelectV2Options"),
  NOTHING ("SliceOptions"),
  NOTHING ("TileOptions"),
  NOTHING ("ExpandDimsOptions"),
  NOTHING ("RankOptions"),
  NOTHING ("RangeOptions"),
  NOTHING ("FillOptions"),
  NOTHING ("ZerosLikeOptions"),
  NOTHING ("ReverseV2Options"),
  NOTHING ("GatherNdOptions"),
  NOTHING ("ScatterNdOptions"),
  NOTHING ("WhereOptions"),
  NOTHING ("MatrixDiagOptions"),
  NOTHING ("MatrixSetDiagOptions"),
  NOTHING ("BroadcastToOptions"),
  NOTHING ("DynamicUpdateSliceOptions"),
  NOTHING ("NonMaxSuppressionV4Options"),
  NOTHING ("NonMaxSuppressionV5Options"),
  NOTHING ("SegmentSumOptions"),
  NOTHING ("UnsortedSegmentProdOptions"),
  NOTHING ("UnsortedSegmentMaxOptions"),
  NOTHING ("UnsortedSegmentMinOptions"),
  NOTHING ("UnsortedSegmentSumOptions"),
  NOTHING ("DensifyOptions"),

  /* Element by element */
  NOTHING ("ExpOptions"),
  NOTHING ("LogSoftmaxOptions"),
  NOTHING ("DequantizeOptions"),
  NOTHING ("QuantizeOptions"),
  NOTHING ("MaximumMinimumOptions"),
  NOTHING ("LessOptions"),
  NOTHING ("LessEqualOptions"),
  NOTHING ("GreaterOptions"),
  NOTHING ("GreaterEqualOptions"),
  NOTHING ("EqualOptions"),
  NOTHING ("NotEqualOptions"),
  NOTHING ("NegOptions"),
  NOTHING ("PowOptions"),
  NOTHING ("LogicalOrOptions"),
  NOTHING ("LogicalAndOptions"),
  NOTHING ("LogicalNotOptions"),
  NOTHING ("FloorDivOptions"),
  NOTHING ("FloorModOptions"),
  NOTHING ("SquareOptions"),
  NOTHING ("SquaredDifferenceOptions"),
  NOTHING ("AbsOptions"),
  NOTHING ("AddNOptions"),
  NOTHING ("CosOptions"),
  NOTHING ("HardSwishOptions"),
  NOTHING ("Rfft2dOptions"),
  NOTHING ("ATan2Options"),
  NOTHING ("SignOptions"),
  NOTHING ("BitcastOptions"),
  NOTHING ("BitwiseXorOptions"),
  NOTHING ("RightShiftOptions"),

  /* Graphs and variables */
  ENUM ("CustomOptionsFormat", "byte", "FLEXBUFFERS"),
  TABLE ("CallOptions", "subgraph:uint"),
  TABLE ("IfOptions", "then_subgraph_index:int else_subgraph_index:int"),
  TABLE ("WhileOptions", "cond_subgraph_index:int body_subgraph_index:int"),
  TABLE ("CallOnceOptions", "init_subgraph_index:int"),
  TABLE ("VarHandleOptions", "container:string shared_name:string"),
  NOTHING ("ReadVariableOptions"),
  NOTHING ("AssignVariableOptions"),

  /* StableHLO */
  UNION ("BuiltinOptions2",
         "StablehloConcatenateOptions StablehloBroadcastInDimOptions StablehloSliceOptions"
         " StablehloConvolutionOptions StablehloCustomCallOptions StablehloReduceOptions"
         " StablehloScatterOptions StablehloCompareOptions StablehloDynamicSliceOptions"
         " StablehloPadOptions StablehloIotaOptions StablehloDotGeneralOptions"
         " StablehloReduceWindowOptions StablehloSortOptions StablehloWhileOptions"
         " StablehloGatherOptions StablehloTransposeOptions DilateOptions"
         " StablehloRngBitGeneratorOptions ReduceWindowOptions StableHLOCompositeOptions"
         " StablehloShiftLeftOptions StablehloCaseOptions"),
  TABLE ("StablehloGatherOptions",
         "offset_dims:[long] collapsed_slice_dims:[long] start_index_map:[long]"
         " index_vector_dim:long slice_sizes:[long] indices_are_sorted:bool"),
  TABLE ("StablehloTransposeOptions", "permutation:[long]"),
  ENUM ("StablehloPrecisionConfig", "uint", "DEFAULT HIGH HIGHEST"),
  TABLE ("StablehloDotGeneralOptions",
         "lhs_batching_dimensions:[long] rhs_batching_dimensions:[long]"
         " lhs_contracting_dimensions:[long] rhs_contracting_dimensions:[long]"
         " precision_config:[StablehloPrecisionConfig]"),
  TABLE ("StablehloReduceWindowOptions",
         "window_dimensions:[long] window_strides:[long] base_dilations:[long]"
         " window_dilations:[long] padding:[long] body_subgraph_index:int"),
  TABLE ("StablehloWhileOptions", "cond_subgraph_index:int body_subgraph_index:int"),
  TABLE ("StablehloSortOptions", "dimension:long is_stable:bool comparator_subgraph_index:int"),
  TABLE ("StablehloConcatenateOptions", "dimension:long"),
  TABLE ("StablehloBroadcastInDimOptions", "broadcast_dimensions:[long]"),
  ENUM ("StablehloComparisonDirection",
        "uint",
        "STABLEHLO_COMPARISON_DIRECTION_EQ STABLEHLO_COMPARISON_DIRECTION_NE"
        " STABLEHLO_COMPARISON_DIRECTION_GE STABLEHLO_COMPARISON_DIRECTION_GT"
        " STABLEHLO_COMPARISON_DIRECTION_LE STABLEHLO_COMPARISON_DIRECTION_LT"),
  ENUM ("StablehloComparisonType",
        "uint",
        "STABLEHLO_COMPARISON_TYPE_NOTYPE STABLEHLO_COMPARISON_TYPE_FLOAT"
        " STABLEHLO_COMPARISON_TYPE_FLOAT_TOTAL_ORDER STABLEHLO_COMPARISON_TYPE_SIGNED"
        " STABLEHLO_COMPARISON_TYPE_UNSIGNED"),
  TABLE ("StablehloCompareOptions",
         "comparison_direction:StablehloComparisonDirection"
         " compare_type:StablehloComparisonType"),
  TABLE ("StablehloDynamicSliceOptions", "slice_sizes:[long]"),
  TABLE ("StablehloPadOptions",
         "edge_padding_low:[long] edge_padding_high:[long] interior_padding:[long]"),
  TABLE ("StablehloIotaOptions", "iota_dimension:long"),
  TABLE ("StablehloCustomCallOptions",
         "call_target_name:string has_side_effect:bool backend_config:string api_version:int"
         " called_computations:[int] custom_attributes:[ubyte]"),
  TABLE ("StablehloReduceOptions", "dimensions:[long] body_subgraph_index:int"),
  TABLE ("StablehloSliceOptions", "start_indices:[long] limit_indices:[long] strides:[long]"),
  TABLE ("StablehloConvolutionOptions",
         "window_strides:[long] padding:[long] lhs_dilation:[long] rhs_dilation:[long]"
         " window_reversal:[bool] input_batch_dimension:long input_feature_dimension:long"
         " input_spatial_dimensions:[long] kernel_input_feature_dimension:long"
         " kernel_output_feature_dimension:long kernel_spatial_dimensions:[long]"
         " output_batch_dimension:long output_feature_dimension:long"
         " output_spatial_dimensions:[long] feature_group_count:long batch_group_count:long"
         " precision_config:[StablehloPrecisionConfig]"),
  TABLE ("StablehloScatterOptions",
         "indices_are_sorted:bool update_window_dims:[long] inserted_window_dims:[long]"
         " scatter_dims_to_operand_dims:[long] index_vector_dim:long unique_indices:bool"
         " update_computation_subgraph_index:int"),
  TABLE ("StablehloCaseOptions", "branch_subgraph_indices:[int]"),
  ENUM ("RngAlgorithm", "byte", "DEFAULT PHILOX THREEFRY"),
  TABLE ("StablehloRngBitGeneratorOptions", "algorithm:RngAlgorithm"),
  TABLE ("StableHLOCompositeOptions",
         "name:string decomposition_subgraph_index:int composite_attributes:[ubyte]"
         " composite_attributes_format:CustomOptionsFormat version:int"),
  NOTHING ("StablehloShiftLeftOptions"),
  NOTHING ("DilateOptions"),
  ENUM ("ReduceWindowFunction", "int", "UNSUPPORTED ADD MUL MINIMUM MAXIMUM ALL ANY"),
  TABLE ("ReduceWindowOptions", "reduce_function:ReduceWindowFunction"),
  { NULL, SYM_FLAT_TABLE, NULL, NULL },
};
