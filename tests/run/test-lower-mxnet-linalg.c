/* SPDX-License-Identifier: MIT */
#include "lower-case.h"

/* By numpy's linalg, and products of what it gives. */
static const LowerCase linalg_cases[] = {
  { "_linalg_potrf", "", "float32 2,3,3: 4 2 0.5 2 5 1 0.5 1 3 1 0 0 0 4 0 0 0 9",
    "float32 2,3,3: 2 0 0 1 2 0 0.25 0.375 1.67238602 1 0 0 0 2 0 0 0 3", .tolerance = 2e-5 },
  { "_linalg_potrf", "lower=False", "float32 2,3,3: 4 2 0.5 2 5 1 0.5 1 3 1 0 0 0 4 0 0 0 9",
    "float32 2,3,3: 2 1 0.25 0 2 0.375 0 0 1.67238602 1 0 0 0 2 0 0 0 3", .tolerance = 2e-5 },
  { "_npi_cholesky", "", "float32 3,3: 4 2 0.5 2 5 1 0.5 1 3",
    "float32 3,3: 2 0 0 1 2 0 0.25 0.375 1.67238602", .tolerance = 2e-5 },
  { "_linalg_potri", "", "float32 2,3,3: 2 0 0 1 2 0 0.25 0.375 1.67238602 1 0 0 0 2 0 0 0 3",
    "float32 2,3,3: 0.312849162 -0.122905028 -0.0111731844 -0.122905028 0.262569832 -0.0670391061 "
    "-0.0111731844 -0.0670391061 0.357541899 1 0 0 0 0.25 0 0 0 0.111111111",
    .tolerance = 2e-5 },
  { "_linalg_potri", "lower=False",
    "float32 2,3,3: 2 1 0.25 0 2 0.375 0 0 1.67238602 1 0 0 0 2 0 0 0 3",
    "float32 2,3,3: 0.312849162 -0.122905028 -0.0111731844 -0.122905028 0.262569832 -0.0670391061 "
    "-0.0111731844 -0.0670391061 0.357541899 1 0 0 0 0.25 0 0 0 0.111111111",
    .tolerance = 2e-5 },
  { "_linalg_inverse", "", "float32 3,3: 0 2 1 1 3 -1 2 -1 4",
    "float32 3,3: -0.578947368 0.473684211 0.263157895 0.315789474 0.105263158 -0.0526315789 "
    "0.368421053 -0.210526316 0.105263158",
    .tolerance = 2e-5 },
  { "_linalg_trmm", "alpha=2.0", "float32 3,3: 0 2 1 1 3 -1 2 -1 4; float32 3,2: 1 2 3 4 5 6",
    "float32 3,2: 0 0 20 28 38 48", .tolerance = 2e-5 },
  { "_linalg_trmm", "rightside=True; transpose=True; lower=False",
    "float32 3,3: 0 2 1 1 3 -1 2 -1 4; float32 2,3: 1 3 5 2 4 6", "float32 2,3: 11 4 20 14 6 24",
    .tolerance = 2e-5 },
  { "_linalg_trsm", "alpha=2.0", "float32 3,3: 2 2 1 1 5 -1 2 -1 6; float32 3,2: 1 2 3 4 5 6",
    "float32 3,2: 1 2 1 1.2 1.5 1.53333333", .tolerance = 2e-5 },
  { "_linalg_trsm", "rightside=True; transpose=True",
    "float32 3,3: 2 2 1 1 5 -1 2 -1 6; float32 2,3: 1 3 5 2 4 6",
    "float32 2,3: 0.5 0.5 0.75 1 0.6 0.766666667", .tolerance = 2e-5 },
  { "_linalg_syrk", "alpha=0.5", "float32 3,2: 1 2 3 4 5 6",
    "float32 3,3: 2.5 5.5 8.5 5.5 12.5 19.5 8.5 19.5 30.5", .tolerance = 2e-5 },
  { "_linalg_syrk", "transpose=True", "float32 3,2: 1 2 3 4 5 6", "float32 2,2: 35 44 44 56",
    .tolerance = 2e-5 },
  { "_npi_qr", "", "float32 3,2: 1 2 3 4 5 6",
    "float32 3,2: -0.169030851 0.897085227 -0.507092553 0.276026224 -0.845154255 -0.34503278; "
    "float32 2,2: -5.91607978 -7.43735744 0 0.828078671",
    .tolerance = 2e-5 },
  { "_npi_qr", "", "float32 3,3: 0 2 1 1 3 -1 2 -1 4",
    "float32 3,3: 0 -0.538381902 -0.842700972 -0.447213595 -0.753734663 0.481543412 -0.894427191 "
    "0.376867331 -0.240771706; float32 3,3: -2.23606798 -0.447213595 -3.13049517 0 -3.71483512 "
    "1.72282209 0 0 -2.28733121",
    .tolerance = 2e-5 },
  { "_npi_qr", "", "float32 2,3: 1 3 5 2 4 6",
    "float32 2,2: -0.447213595 -0.894427191 -0.894427191 0.447213595; float32 2,3: -2.23606798 "
    "-4.91934955 -7.60263112 0 -0.894427191 -1.78885438",
    .tolerance = 2e-5 },
  { "_linalg_gelqf", "", "float32 2,3: 1 3 5 2 4 6",
    "float32 2,3: -0.169030851 -0.507092553 -0.845154255 0.897085227 0.276026224 -0.34503278; "
    "float32 2,2: -5.91607978 0 -7.43735744 0.828078671",
    .tolerance = 2e-5 },
  { "_linalg_syevd", "", "float32 3,3: 4 2 0.5 2 5 1 0.5 1 3",
    "float32 3,3: -0.608513629 0.632196084 -0.479624097 -0.540254161 0.112654181 0.833927141 "
    "0.581237133 0.766574945 0.27299496; float32 3: 2.31625773 2.81116708 6.87257519",
    .tolerance = 2e-5 },
  { "_npi_eigh", "", "float32 3,3: 4 2 0.5 2 5 1 0.5 1 3",
    "float32 3: 2.31625773 2.81116708 6.87257519; float32 3,3: -0.608513629 -0.540254161 "
    "0.581237133 0.632196084 0.112654181 0.766574945 -0.479624097 0.833927141 0.27299496",
    .tolerance = 2e-5 },
  { "_npi_eigvalsh", "UPLO=U", "float32 3,3: 4 2 0.5 0 5 1 0 0 3",
    "float32 3: 2.31625773 2.81116708 6.87257519", .tolerance = 2e-5 },
  { "_npi_svd", "", "float32 2,3: 1 2 3 4 5 6.5", "-; float32 2: 9.8388626 0.668418036; -",
    .tolerance = 2e-5 },
  { "_npi_svd", "", "float32 2,3: 3 0 0 0 5 0",
    "float32 2,2: 0 1 1 0; float32 2: 5 3; float32 2,3: 0 1 0 1 0 0", .tolerance = 2e-5 },
  { "_npi_solve", "", "float32 3,3: 0 2 1 1 3 -1 2 -1 4; float32 3,2: 1 2 3 4 5 6",
    "float32 3,2: 2.15789474 2.31578947 0.368421053 0.736842105 0.263157895 0.526315789",
    .tolerance = 2e-5 },
  { "_npi_solve", "", "float32 3,3: 0 2 1 1 3 -1 2 -1 4; float32 3: 1 3 5",
    "float32 3: 2.15789474 0.368421053 0.263157895", .tolerance = 2e-5 },
  { "_linalg_det", "", "float32 2,3,3: 0 2 1 1 3 -1 2 -1 4 0 4 2 2 6 -2 4 -2 8",
    "float32 2: -19 -152", .tolerance = 2e-5 },
  { "_linalg_slogdet", "", "float32 2,3,3: 0 2 1 1 3 -1 2 -1 4 0 -2 -1 -1 -3 1 -2 1 -4",
    "float32 2: -1 1; float32 2: 2.94443898 2.94443898", .tolerance = 2e-5 },
  { "_linalg_det", "", "float32 2,2: 1 2 2 4", "float32 1: 0", .tolerance = 2e-5 },
  { "_linalg_extractdiag", "offset=1", "float32 2,3,3: 4 2 0.5 2 5 1 0.5 1 3 1 0 0 0 4 0 0 0 9",
    "float32 2,2: 2 1 0 0", .tolerance = 2e-5 },
  { "_linalg_makediag", "offset=-1", "float32 2,2: 1 2 3 4",
    "float32 2,3,3: 0 0 0 1 0 0 0 2 0 0 0 0 3 0 0 0 4 0", .tolerance = 2e-5 },
  { "_linalg_sumlogdiag", "", "float32 2,3,3: 4 2 0.5 2 5 1 0.5 1 3 1 0 0 0 4 0 0 0 9",
    "float32 2: 4.09434456 3.58351894", .tolerance = 2e-5 },
  { "_linalg_extracttrian", "", "float32 3,3: 1 2 3 4 5 6 7 8 9", "float32 6: 1 4 5 7 8 9",
    .tolerance = 2e-5 },
  { "_linalg_extracttrian", "lower=False", "float32 3,3: 1 2 3 4 5 6 7 8 9",
    "float32 6: 1 2 3 5 6 9", .tolerance = 2e-5 },
  { "_linalg_extracttrian", "offset=1", "float32 3,3: 1 2 3 4 5 6 7 8 9", "float32 3: 2 3 6",
    .tolerance = 2e-5 },
  { "_linalg_extracttrian", "offset=-1", "float32 3,3: 1 2 3 4 5 6 7 8 9", "float32 3: 4 7 8",
    .tolerance = 2e-5 },
  { "_linalg_maketrian", "", "float32 6: 1 2 3 4 5 6", "float32 3,3: 1 0 0 2 3 0 4 5 6",
    .tolerance = 2e-5 },
  { "_linalg_maketrian", "offset=1", "float32 3: 1 2 3", "float32 3,3: 0 1 2 0 0 3 0 0 0",
    .tolerance = 2e-5 },
  { "_npi_tensorinv", "ind=2", "float32 2,2,4: 2 1 1 3 0 1 1 0 4 1 2 0 1 1 0 5",
    "float32 4,2,2: -1 -0.2 0.6 0.6 -4 1.2 1.4 2.4 4 -0.2 -1.4 -2.4 1 -0.2 -0.4 -0.4",
    .tolerance = 2e-5 },
  { "_linalg_potrf", "", "float32 2,2: 1 2 2 1", .error = "positive definite" },
  { "_linalg_inverse", "", "float32 2,2: 1 2 2 4", .error = "singular" },
  { "_linalg_inverse", "", "float32 2,3: 1 2 2 4 5 6", .error = "square" },
  { NULL },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  lower_case_add_all ("mxnet-linalg", linalg_cases);
  return g_test_run ();
}
