/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of the GraphBLAS C API without a type, for C11; see gblite_generic.h.
 * Made by scripts/graphblas_names.sh; do not edit. Included by GraphBLAS.h.
 */
#ifndef GRB_POLYMORPHIC_H
#define GRB_POLYMORPHIC_H

#define GrB_free gbl_free
#define GrB_wait gbl_wait
#define GrB_error gbl_error
#define GrB_get gbl_get
#define GrB_set gbl_set
#define GrB_Monoid_new gbl_Monoid_new
#define GrB_Scalar_setElement gbl_Scalar_setElement
#define GrB_Scalar_extractElement gbl_Scalar_extractElement
#define GrB_Vector_setElement gbl_Vector_setElement
#define GrB_Vector_extractElement gbl_Vector_extractElement
#define GrB_Matrix_setElement gbl_Matrix_setElement
#define GrB_Matrix_extractElement gbl_Matrix_extractElement
#define GrB_Vector_build gbl_Vector_build
#define GrB_Vector_extractTuples gbl_Vector_extractTuples
#define GrB_Matrix_build gbl_Matrix_build
#define GrB_Matrix_extractTuples gbl_Matrix_extractTuples
#define GrB_Matrix_import gbl_Matrix_import
#define GrB_Matrix_export gbl_Matrix_export
#define GrB_eWiseAdd gbl_eWiseAdd
#define GrB_eWiseMult gbl_eWiseMult
#define GrB_apply gbl_apply
#define GrB_select gbl_select
#define GrB_extract gbl_extract
#define GrB_assign gbl_assign
#define GrB_reduce gbl_reduce
#define GrB_kronecker gbl_kronecker

#endif
