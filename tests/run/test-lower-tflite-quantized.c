/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* Quantised layers of TensorFlow Lite.  The numbers are those of numpy: sums of integers, times the
 * scales, rounded away from zero, as the reference kernels have them. */

#define OP "tflite:"

static const LowerCase quantized_cases[] = {
  { OP "CONV_2D",
    "padding=SAME; stride_w=1; stride_h=1; fused_activation_function=RELU6; "
    "quantized_operands=[{'scale': [0.05], 'zero_point': [-3], 'axis': 0, 'dtype': 'int8'}, "
    "{'scale': [0.01, 0.02, 0.005], 'zero_point': None, 'axis': 0, 'dtype': 'int8'}, "
    "{'scale': [0.0005, 0.001, 0.00025], 'zero_point': None, 'axis': 0, 'dtype': 'int32'}]; "
    "quantized_results=[{'scale': [0.1], 'zero_point': [5], 'axis': 0, 'dtype': 'int8'}]",
    "int8 1,4,4,2: 102 15 -85 -69 -46 -65 28 16 5 -93 -51 -96 -11 87 95 33 -83 40 -12 91 14 "
    "-83 -23 -86 -32 -94 -33 -16 55 102 18 -119; int8 3,3,3,2: 74 -114 -42 44 -126 -96 15 81 "
    "-79 26 114 111 34 86 84 -45 -63 78 -69 -117 127 53 123 -100 29 -119 120 98 -27 90 45 "
    "127 52 -73 -85 -35 -120 114 16 1 83 104 109 49 65 -83 -118 -81 57 99 49 0 44 -122; "
    "int32 3: 417 -356 -489",
    "int8 1,4,4,3: 5 65 65 5 5 5 5 5 5 39 65 19 5 5 5 55 5 5 65 65 5 5 65 5 65 65 5 5 5 5 5 "
    "5 65 5 65 65 5 5 49 65 65 5 5 5 5 65 5 31" },
  { OP "DEPTHWISE_CONV_2D",
    "padding=SAME; stride_w=1; stride_h=1; depth_multiplier=1; quantized_operands=[{'scale': "
    "[0.05], 'zero_point': [-3], 'axis': 0, 'dtype': 'int8'}, {'scale': [0.01, 0.03], "
    "'zero_point': None, 'axis': 3, 'dtype': 'int8'}, {'scale': [0.0005, 0.0015], "
    "'zero_point': None, 'axis': 0, 'dtype': 'int32'}]; quantized_results=[{'scale': [0.2], "
    "'zero_point': [-7], 'axis': 0, 'dtype': 'int8'}]",
    "int8 1,4,4,2: 102 15 -85 -69 -46 -65 28 16 5 -93 -51 -96 -11 87 95 33 -83 40 -12 91 14 "
    "-83 -23 -86 -32 -94 -33 -16 55 102 18 -119; int8 1,3,3,2: -21 33 -87 -91 -58 29 -20 -34 "
    "-78 -66 -17 107 53 113 96 8 -35 112; int32 2: 326 190",
    "int8 1,4,4,2: -17 -128 -3 -34 -12 14 12 79 -35 19 7 127 7 38 -32 -128 11 73 -6 -56 -10 "
    "-128 -11 127 19 20 2 37 -17 -88 -10 62" },
  { OP "FULLY_CONNECTED",
    "quantized_operands=[{'scale': [0.02], 'zero_point': [128], 'axis': 0, 'dtype': "
    "'uint8'}, {'scale': [0.01], 'zero_point': [120], 'axis': 0, 'dtype': 'uint8'}, "
    "{'scale': [0.0002], 'zero_point': None, 'axis': 0, 'dtype': 'int32'}]; "
    "quantized_results=[{'scale': [0.05], 'zero_point': [100], 'axis': 0, 'dtype': 'uint8'}]",
    "uint8 2,3: 176 78 47 126 190 205; uint8 2,3: 211 105 77 24 67 135; int32 2: 100 -300",
    "uint8 2,2: 135 86 83 91" },
  { OP "FULLY_CONNECTED",
    "quantized_operands=[None, {'scale': [0.01, 0.02], 'zero_point': None, 'axis': 0, "
    "'dtype': 'int8'}]",
    "float32 2,3: 0.5 -2 -1.75 0.75 -1 -0.5; int8 2,3: -32 -2 124 114 -66 -33",
    "float32 2,2: -2.2899999618530273 4.934999942779541 -0.8399999737739563 3.359999895095825",
    .tolerance = 1e-05 },
  { OP "ADD",
    "fused_activation_function=RELU; quantized_operands=[{'scale': [0.05], 'zero_point': "
    "[3], 'axis': 0, 'dtype': 'int8'}, {'scale': [0.11], 'zero_point': [-4], 'axis': 0, "
    "'dtype': 'int8'}]; quantized_results=[{'scale': [0.09], 'zero_point': [-128], 'axis': "
    "0, 'dtype': 'int8'}]",
    "int8 2,3: -50 -20 43 -52 16 -15; int8 2,3: -6 26 96 -4 107 -31",
    "int8 2,3: -128 -104 16 -128 15 -128" },
  { OP "CONCATENATION",
    "axis=1; quantized_operands=[{'scale': [0.05], 'zero_point': [3], 'axis': 0, 'dtype': "
    "'int8'}, {'scale': [0.11], 'zero_point': [-4], 'axis': 0, 'dtype': 'int8'}]; "
    "quantized_results=[{'scale': [0.11], 'zero_point': [-4], 'axis': 0, 'dtype': 'int8'}]",
    "int8 2,3: -50 -20 43 -52 16 -15; int8 2,3: -6 26 96 -4 107 -31",
    "int8 2,6: -28 -14 14 -6 26 96 -29 2 -12 -4 107 -31" },
  { OP "PAD",
    "quantized_operands=[{'scale': [0.5], 'zero_point': [-20], 'axis': 0, 'dtype': 'int8'}, "
    "None]; quantized_results=[{'scale': [0.5], 'zero_point': [-20], 'axis': 0, 'dtype': "
    "'int8'}]",
    "int8 2,3: -50 -20 43 -52 16 -15; int32 2,2: 0 1 1 0",
    "int8 3,4: -20 -50 -20 43 -20 -52 16 -15 -20 -20 -20 -20" },
  { OP "AVERAGE_POOL_2D",
    "padding=VALID; stride_w=2; stride_h=2; filter_width=2; filter_height=2; "
    "quantized_operands=[{'scale': [0.5], 'zero_point': [10], 'axis': 0, 'dtype': 'int8'}]; "
    "quantized_results=[{'scale': [0.5], 'zero_point': [10], 'axis': 0, 'dtype': 'int8'}]",
    "int8 1,4,4,2: 102 15 -85 -69 -46 -65 28 16 5 -93 -51 -96 -11 87 95 33 -83 40 -12 91 14 "
    "-83 -23 -86 -32 -94 -33 -16 55 102 18 -119",
    "int8 1,2,2,2: -7 -61 17 18 -40 5 16 -47" },
  { OP "SOFTMAX",
    "beta=1.0; quantized_operands=[{'scale': [0.05], 'zero_point': [3], 'axis': 0, 'dtype': "
    "'int8'}]; quantized_results=[{'scale': [0.00390625], 'zero_point': [-128], 'axis': 0, "
    "'dtype': 'int8'}]",
    "int8 2,3: -50 -20 43 -52 16 -15", "int8 2,3: -126 -118 115 -121 78 -84" },
  { OP "LOGISTIC",
    "quantized_operands=[{'scale': [0.05], 'zero_point': [3], 'axis': 0, 'dtype': 'int8'}]; "
    "quantized_results=[{'scale': [0.00390625], 'zero_point': [-128], 'axis': 0, 'dtype': "
    "'int8'}]",
    "int8 2,3: -50 -20 43 -52 16 -15", "int8 2,3: -111 -66 97 -113 40 -54" },
  { OP "QUANTIZE",
    "quantized_results=[{'scale': [0.1], 'zero_point': [7], 'axis': 0, 'dtype': 'uint8'}]",
    "float32 2,3: 0.5 -2 -1.75 0.75 -1 -0.5", "uint8 2,3: 12 0 0 15 0 2" },
  { OP "QUANTIZE",
    "quantized_operands=[{'scale': [0.05], 'zero_point': [3], 'axis': 0, 'dtype': 'int8'}]; "
    "quantized_results=[{'scale': [0.05], 'zero_point': [131], 'axis': 0, 'dtype': 'uint8'}]",
    "int8 2,3: -50 -20 43 -52 16 -15", "uint8 2,3: 78 108 171 76 144 113" },
  { OP "DEQUANTIZE",
    "quantized_operands=[{'scale': [0.05], 'zero_point': [3], 'axis': 0, 'dtype': 'int8'}]",
    "int8 2,3: -50 -20 43 -52 16 -15",
    "float32 2,3: -2.6500000953674316 -1.149999976158142 2 -2.75 0.6499999761581421 "
    "-0.8999999761581421",
    .tolerance = 1e-06 },
  { OP "RESHAPE",
    "new_shape=[3, 2]; quantized_operands=[{'scale': [0.05], 'zero_point': [3], 'axis': 0, "
    "'dtype': 'int8'}, None]; quantized_results=[{'scale': [0.05], 'zero_point': [3], "
    "'axis': 0, 'dtype': 'int8'}]",
    "int8 2,3: -50 -20 43 -52 16 -15", "int8 3,2: -50 -20 43 -52 16 -15" },
  { OP "TFLite_Detection_PostProcess",
    "max_classes_per_detection=1; use_regular_nms=False; max_detections=4; "
    "nms_score_threshold=0.3; nms_iou_threshold=0.5; num_classes=2; y_scale=10.0; x_scale=10.0; "
    "h_scale=5.0; w_scale=5.0; quantized_operands=[{'scale': [0.05], 'zero_point': [120], 'axis': "
    "0, 'dtype': 'uint8'}, {'scale': [0.0039], 'zero_point': [2], 'axis': 0, 'dtype': 'uint8'}, "
    "{'scale': [0.005], 'zero_point': [1], 'axis': 0, 'dtype': 'uint8'}]",
    "uint8 1,6,4: 148 136 145 95 91 130 113 98 140 99 148 129 135 120 145 145 147 130 126 140 134 "
    "128 132 142; uint8 1,6,3: 131 0 183 21 149 201 166 253 230 56 194 174 117 30 136 49 66 186; "
    "uint8 6,4: 60 60 80 80 62 64 80 84 150 150 60 60 152 149 60 64 100 180 90 40 61 63 82 80",
    "float32 1,4,4: 0.579338372 0.552634299 0.969661653 0.875415683 0.0635772198 0.169227347 "
    "0.431872785 0.502272666 0.10003189 0.0796998441 0.556668103 0.571900129 0.318816364 "
    "0.785663247 0.791333616 1.02383673; float32 1,4: 0 1 1 1; float32 1,4: 0.978900015 "
    "0.77609998 0.717599988 0.522599995; float32 1: 4",
    .tolerance = 1e-05 },
  { OP "TFLite_Detection_PostProcess",
    "max_classes_per_detection=2; use_regular_nms=False; max_detections=4; "
    "nms_score_threshold=0.3; nms_iou_threshold=0.5; num_classes=2; y_scale=10.0; x_scale=10.0; "
    "h_scale=5.0; w_scale=5.0; quantized_operands=[{'scale': [0.05], 'zero_point': [120], 'axis': "
    "0, 'dtype': 'uint8'}, {'scale': [0.0039], 'zero_point': [2], 'axis': 0, 'dtype': 'uint8'}, "
    "{'scale': [0.005], 'zero_point': [1], 'axis': 0, 'dtype': 'uint8'}]",
    "uint8 1,6,4: 148 136 145 95 91 130 113 98 140 99 148 129 135 120 145 145 147 130 126 140 134 "
    "128 132 142; uint8 1,6,3: 131 0 183 21 149 201 166 253 230 56 194 174 117 30 136 49 66 186; "
    "uint8 6,4: 60 60 80 80 62 64 80 84 150 150 60 60 152 149 60 64 100 180 90 40 61 63 82 80",
    "float32 1,8,4: 0.579338372 0.552634299 0.969661653 0.875415683 0.579338372 0.552634299 "
    "0.969661653 0.875415683 0.0635772198 0.169227347 0.431872785 0.502272666 0.0635772198 "
    "0.169227347 0.431872785 0.502272666 0.10003189 0.0796998441 0.556668103 0.571900129 "
    "0.10003189 0.0796998441 0.556668103 0.571900129 0.318816364 0.785663247 0.791333616 "
    "1.02383673 0.318816364 0.785663247 0.791333616 1.02383673; float32 1,8: 0 1 1 0 1 0 1 0; "
    "float32 1,8: 0.978900015 0.889199972 0.77609998 0.573300004 0.717599988 0.249599993 "
    "0.522599995 0.109200001; float32 1: 4",
    .tolerance = 1e-05 },
  { OP "TFLite_Detection_PostProcess",
    "use_regular_nms=True; detections_per_class=2; max_detections=4; nms_score_threshold=0.3; "
    "nms_iou_threshold=0.5; num_classes=2; y_scale=10.0; x_scale=10.0; h_scale=5.0; w_scale=5.0; "
    "quantized_operands=[{'scale': [0.05], 'zero_point': [120], 'axis': 0, 'dtype': 'uint8'}, "
    "{'scale': [0.0039], 'zero_point': [2], 'axis': 0, 'dtype': 'uint8'}, {'scale': [0.005], "
    "'zero_point': [1], 'axis': 0, 'dtype': 'uint8'}]",
    "uint8 1,6,4: 148 136 145 95 91 130 113 98 140 99 148 129 135 120 145 145 147 130 126 140 134 "
    "128 132 142; uint8 1,6,3: 131 0 183 21 149 201 166 253 230 56 194 174 117 30 136 49 66 186; "
    "uint8 6,4: 60 60 80 80 62 64 80 84 150 150 60 60 152 149 60 64 100 180 90 40 61 63 82 80",
    "float32 1,4,4: 0.579338372 0.552634299 0.969661653 0.875415683 0.579338372 0.552634299 "
    "0.969661653 0.875415683 0.0635772198 0.169227347 0.431872785 0.502272666 0.0635772198 "
    "0.169227347 0.431872785 0.502272666; float32 1,4: 0 1 1 0; float32 1,4: 0.978900015 "
    "0.889199972 0.77609998 0.573300004; float32 1: 4",
    .tolerance = 1e-05 },
  { OP "MUL",
    "quantized_operands=[{'scale': [0.05], 'zero_point': [3], 'axis': 0, 'dtype': 'int8'}, "
    "{'scale': [0.11], 'zero_point': [-4], 'axis': 0, 'dtype': 'int8'}]; "
    "quantized_results=[{'scale': [0.09], 'zero_point': [-9], 'axis': 0, 'dtype': 'int8'}]",
    "int8 2,3: -50 -20 43 -52 16 -15; int8 2,3: -6 26 96 -4 107 -31",
    "int8 2,3: -3 -51 127 -9 79 21" },
  { OP "MAX_POOL_2D",
    "padding=VALID; stride_w=2; stride_h=2; filter_width=2; filter_height=2; "
    "quantized_operands=[{'scale': [0.5], 'zero_point': [10], 'axis': 0, 'dtype': 'int8'}]; "
    "quantized_results=[{'scale': [0.5], 'zero_point': [10], 'axis': 0, 'dtype': 'int8'}]",
    "int8 1,4,4,2: 102 15 -85 -69 -46 -65 28 16 5 -93 -51 -96 -11 87 95 33 -83 40 -12 91 14 "
    "-83 -23 -86 -32 -94 -33 -16 55 102 18 -119",
    "int8 1,2,2,2: 102 15 95 87 -12 91 55 102" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("lower-tflite/quantized", quantized_cases);
  return g_test_run ();
}
