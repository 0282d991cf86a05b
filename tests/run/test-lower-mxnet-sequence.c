/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

#define STEPS "float32 2,1,2: 1 -1 0.5 2; "

/* Against torch's layers, whose parameters lie in the same order. */
static const LowerCase rnn_cases[] = {
  { "RNN", "state_size=1; num_layers=2; bidirectional=True; mode=lstm; state_outputs=True",
    STEPS
    "float32 80: 0.2 -0.2 0.5 0.1 -0.3 0.4 0 -0.4 0.3 -0.1 -0.5 0.2 -0.1 -0.5 0.2 -0.2 0.5 0.1 "
    "-0.3 0.4 0 -0.4 0.3 -0.1 -0.4 0.3 -0.1 -0.5 0.2 -0.2 0.5 0.1 -0.3 0.4 0 -0.4 0.4 0 -0.4 "
    "0.3 -0.1 -0.5 0.2 -0.2 0.5 0.1 -0.3 0.4 -0.2 0.5 0.1 -0.3 0.4 0 -0.4 0.3 -0.5 0.2 -0.2 0.5 "
    "0.1 -0.3 0.4 0 0.3 -0.1 -0.5 0.2 -0.2 0.5 0.1 -0.3 0 -0.4 0.3 -0.1 -0.5 0.2 -0.2 0.5; "
    "float32 4,1,1: 0.5 0.75 1 1.25; float32 4,1,1: -0.5 0 0.5 1",
    "float32 2,1,2: 0.03252064 0.1031485 -0.07612962 0.2322125; "
    "float32 4,1,1: -0.1219898 0.1523694 -0.07612962 0.1031485; "
    "float32 4,1,1: -0.4468087 0.3544632 -0.1673806 0.1760753",
    .tolerance = 1e-5 },
  { "RNN", "state_size=1; num_layers=1; mode=gru; state_outputs=True",
    STEPS "float32 15: 0.2 -0.2 0.5 0.1 -0.3 0.4 0 -0.4 0.3 -0.1 -0.5 0.2 -0.2 0.5 0.1; "
          "float32 1,1,1: 0.5",
    "float32 2,1,1: 0.1160523 0.355987; float32 1,1,1: 0.355987", .tolerance = 1e-5 },
  { "RNN", "state_size=1; num_layers=1; mode=rnn_relu",
    STEPS "float32 5: 0.2 -0.2 0.5 0.1 -0.3; float32 1,1,1: 0.5", "float32 2,1,1: 0.45 0",
    .tolerance = 1e-5 },
  { "RNN", "state_size=1; num_layers=1; mode=gru",
    STEPS "float32 14: 0 0 0 0 0 0 0 0 0 0 0 0 0 0; float32 1,1,1: 0.5", .error = "14" },
  { NULL },
};

#define TWO_BY_TWO "float32 2,2: 1 2 3 4"

static const LowerCase sequence_cases[] = {
  { "SequenceMask", "", TWO_BY_TWO, TWO_BY_TWO },
  { "SequenceMask", "use_sequence_length=True; value=9", TWO_BY_TWO "; float32 2: 1 2",
    "float32 2,2: 1 2 9 4" },
  { "SequenceMask", "use_sequence_length=True; axis=1", TWO_BY_TWO "; float32 2: 1 2",
    "float32 2,2: 1 0 3 4" },
  { "SequenceLast", "", TWO_BY_TWO, "float32 2: 3 4" },
  { "SequenceLast", "use_sequence_length=True", TWO_BY_TWO "; float32 2: 1 2", "float32 2: 1 4" },
  { "SequenceLast", "use_sequence_length=True; axis=1", TWO_BY_TWO "; float32 2: 1 2",
    "float32 2: 1 4" },
  { "SequenceReverse", "", TWO_BY_TWO, "float32 2,2: 3 4 1 2" },
  { "SequenceReverse", "use_sequence_length=True", TWO_BY_TWO "; float32 2: 1 2",
    "float32 2,2: 1 4 3 2" },
  { NULL },
};

static const LowerCase quantize_cases[] = {
  { "_contrib_quantize_v2", "out_type=int8; min_calib_range=-1.0; max_calib_range=2.0",
    "float32 4: -2 -1 0.5 3", "int8 4: -127 -64 32 127; float32 1: -2; float32 1: 2" },
  { "_contrib_quantize_v2", "out_type=uint8", "float32 3: 0 1 2",
    "uint8 3: 0 128 255; float32 1: 0; float32 1: 2" },
  { "_contrib_quantize", "out_type=uint8", "float32 2: 1 2; float32 1: 0; float32 1: 2",
    "uint8 2: 128 255; float32 1: 0; float32 1: 2" },
  { "_contrib_dequantize", "", "int8 2: 127 -64; float32 1: -1; float32 1: 2",
    "float32 2: 2 -1.007874", .tolerance = 1e-6 },
  { "_contrib_dequantize", "", "uint8 2: 255 0; float32 1: -1; float32 1: 2", "float32 2: 2 -1" },
  { NULL },
};

static const LowerCase create_cases[] = {
  { "_zeros", "shape=(1, 2)", "", "float32 1,2: 0 0" },
  { "_ones", "shape=(2,); dtype=int32", "", "int32 2: 1 1" },
  { "_full", "shape=(2,); value=3.5", "", "float32 2: 3.5 3.5" },
  { "_eye", "N=2; M=3; k=1", "", "float32 2,3: 0 1 0 0 0 1" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-rnn", rnn_cases);
  lower_case_add_all ("mxnet-sequence", sequence_cases);
  lower_case_add_all ("mxnet-quantize", quantize_cases);
  lower_case_add_all ("mxnet-create", create_cases);
  return g_test_run ();
}
