#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes include/graphblas/grb_*.h: a #define for each name of the GraphBLAS C API 2.1, from GrB_X to
# gblite's name. The families of names stand below, as the tables of the standard have them.
#   graphblas_names.sh            writes the headers
#   graphblas_names.sh DIR        writes them into DIR; test/sources/test_graphblas_names.sh compares
#   graphblas_names.sh --list [FAMILY...]   prints the standard's names of all or some headers
#   graphblas_names.sh --extensions objects|functions   prints names of SuiteSparse and what they are
set -euo pipefail
cd "$(dirname "$0")/.."

signed="INT8 INT16 INT32 INT64"
unsigned="UINT8 UINT16 UINT32 UINT64"
float="FP32 FP64"
integer="$signed $unsigned"
numeric="$integer $float"
builtin="BOOL $numeric"
values="$builtin UDT"
complex="FC32 FC64"
kinds="Type UnaryOp BinaryOp IndexUnaryOp Monoid Semiring Scalar Vector Matrix Descriptor"

# each "SUFFIXES" NAME...: every name with every suffix
each() {
    local suffix suffixes=$1
    shift
    for suffix in $suffixes; do printf "%s_$suffix\n" "$@"; done
}
names() { printf '%s\n' "$@"; }

# -- constants: GrB_X is GBL_X

constants() {
    names SUCCESS NO_VALUE
    names UNINITIALIZED_OBJECT NULL_POINTER INVALID_VALUE INVALID_INDEX DOMAIN_MISMATCH \
        DIMENSION_MISMATCH OUTPUT_NOT_EMPTY NOT_IMPLEMENTED ALREADY_SET
    names PANIC OUT_OF_MEMORY INSUFFICIENT_SPACE INVALID_OBJECT INDEX_OUT_OF_BOUNDS EMPTY_OBJECT
    names {NON,}BLOCKING COMPLETE MATERIALIZE {CSR,CSC,COO}_FORMAT
    names OUTP MASK INP0 INP1 DEFAULT REPLACE COMP TRAN STRUCTURE COMP_STRUCTURE
    names {OUTP,MASK,INP0,INP1}_FIELD NAME {LIBRARY,API}_VER_{MAJOR,MINOR,PATCH} BLOCKING_MODE
    names STORAGE_ORIENTATION_HINT {EL,INP0,INP1,OUTP}_TYPE_{CODE,STRING} SIZE
    names ROWMAJOR COLMAJOR BOTH UNKNOWN
    names {UDT,BOOL,{,U}INT{8,16,32,64},FP{32,64}}_CODE
    names INDEX_MAX ALL GLOBAL
}

operators() {
    names $builtin
    each "$builtin" IDENTITY ABS AINV MINV
    each "$integer" BNOT
    names LNOT
    each "$builtin" FIRST SECOND ONEB MIN MAX PLUS MINUS TIMES DIV EQ NE GT LT GE LE
    each "$integer" BOR BAND BXOR BXNOR
    names LOR LAND LXOR LXNOR
    each "INT32 INT64" ROWINDEX COLINDEX DIAGINDEX
    names TRIL TRIU DIAG OFFDIAG COLLE COLGT ROWLE ROWGT
    each "$builtin" VALUE{EQ,NE,LT,LE,GT,GE}
}

algebra() {
    each "$numeric" {PLUS,TIMES,MIN,MAX}_MONOID
    names {LOR,LAND,LXOR,LXNOR}_MONOID_BOOL
    each "$numeric" {PLUS_TIMES,{MIN,MAX}_{PLUS,TIMES,FIRST,SECOND},MIN_MAX,MAX_MIN,PLUS_MIN}_SEMIRING
    names {LOR_LAND,LAND_LOR,LXOR_LAND,LXNOR_LOR}_SEMIRING_BOOL
    names DESC_{T1,T0,T0T1,{,R}{C,S,SC}{,T1,T0,T0T1},R{,T1,T0,T0T1}}
}

# -- functions: GrB_x is gbl_x

methods() {
    names init finalize getVersion Type_new {Unary,Binary,IndexUnary}Op_new Semiring_new
    each "$values" Monoid_new
    names Descriptor_{new,set} {Scalar,Vector,Matrix}_{new,dup,clear,nvals}
    names Vector_size Matrix_n{rows,cols}
    names {Vector,Matrix}_{resize,removeElement} Matrix_diag
    each "$values" {Scalar,Vector,Matrix}_{set,extract}Element {Vector,Matrix}_{build,extractTuples}
    names {Vector,Matrix}_{set,extract}Element_Scalar
    each "$values" Matrix_{import,export}
    names Matrix_export{Size,Hint} Matrix_{serialize,serializeSize,deserialize}
    each "free wait error" $kinds
    each "Scalar String INT32 SIZE VOID" $(printf '%s_get ' $kinds Global)
    each "Scalar String INT32 VOID" $(printf '%s_set ' $kinds Global)
}

operations() {
    names mxm mxv vxm transpose
    names {Vector,Matrix}_eWise{Add,Mult}_{BinaryOp,Monoid,Semiring}
    names {Vector,Matrix}_{apply,extract,assign} Col_{extract,assign} Row_assign
    each "$values Scalar" {Vector,Matrix}_{apply_{BinaryOp1st,BinaryOp2nd,IndexOp},select,assign}
    each "$values" {Vector,Matrix}_reduce
    names Matrix_reduce_{Monoid,BinaryOp} {Vector,Matrix}_reduce_{Monoid,BinaryOp}_Scalar
    names Matrix_kronecker_{BinaryOp,Monoid,Semiring}
}

polymorphic() {
    names free wait error get set Monoid_new {Scalar,Vector,Matrix}_{set,extract}Element
    names {Vector,Matrix}_{build,extractTuples} Matrix_{import,export}
    names eWise{Add,Mult} apply select extract assign reduce kronecker
}

# -- extensions: "X Y" for GxB_X, which is Y

# renamed FROM TO: names on stdin that match FROM, beside what they are
renamed() { sed -E "s/^$1\$/& $2/"; }

objects() {
    each "$builtin" ANY | renamed '.*' 'GBL_&'
    each "$builtin" PAIR | renamed 'PAIR_(.*)' 'GBL_ONEB_\1'
    each "$builtin" ONE IS{EQ,NE,GT,LT,GE,LE} RMINUS RDIV | renamed '.*' 'GBL_&'
    each "$numeric" LNOT LOR LAND LXOR | renamed '.*' 'GBL_&'
    names {LNOT,LOR,LAND,LXOR}_BOOL | renamed '(.*)_BOOL' 'GBL_\1'
    each "$integer" BGET BSET BCLR BSHIFT | renamed '.*' 'GBL_&'
    each "$float" FREXPX FREXPE | renamed '.*' 'GBL_&'
    each "INT32 INT64" POSITION{I,J}{,1} | renamed '.*' 'GBL_&'
    each "INT32 INT64" {FIRST,SECOND}{I,J}{,1} | renamed '.*' 'GBL_&'
}

algebra_objects() {
    printf '%s_MONOID\n' {PLUS,TIMES,MIN,MAX}_{{,U}INT{8,16,32,64},FP{32,64}} |
        renamed '(.*)_(.*)_MONOID' 'GBL_\1_MONOID_\2'
    printf 'ANY_%s_MONOID\n' $builtin | renamed 'ANY_(.*)_MONOID' 'GBL_ANY_MONOID_\1'
    printf '%s_MONOID\n' {BOR,BAND,BXOR,BXNOR}_UINT{8,16,32,64} |
        renamed '(.*)_(.*)_MONOID' 'GBL_\1_MONOID_\2'
    names {LOR,LAND,LXOR,LXNOR}_BOOL_MONOID | renamed '(.*)_BOOL_MONOID' 'GBL_\1_MONOID_BOOL'
    echo EQ_BOOL_MONOID GBL_LXNOR_MONOID_BOOL
    each "$numeric" PLUS_{TIMES,MIN,PAIR,FIRST,SECOND} {MIN,MAX}_{PLUS,TIMES,FIRST,SECOND} \
        MIN_MAX MAX_MIN | renamed '(.*)_(.*)' 'GBL_\1_SEMIRING_\2'
    each "$builtin" ANY_{PAIR,FIRST,SECOND} | renamed '(.*)_(.*)' 'GBL_\1_SEMIRING_\2'
    each "INT32 INT64" {MIN,MAX,ANY}_{FIRST,SECOND}{I,J} | renamed '(.*)_(.*)' 'GBL_\1_SEMIRING_\2'
    names {LOR_LAND,LAND_LOR,LXOR_LAND}_BOOL | renamed '(.*)_BOOL' 'GBL_\1_SEMIRING_BOOL'
    echo EQ_LOR_BOOL GBL_LXNOR_LOR_SEMIRING_BOOL
}

complex_objects() {
    names $complex | renamed '.*' 'GBL_&'
    each "$complex" IDENTITY AINV MINV ONE CONJ ABS CREAL CIMAG CARG SQRT EXP EXP2 EXPM1 LOG LOG2 \
        LOG10 LOG1P {,A}{SIN,COS,TAN}{,H} CEIL FLOOR ROUND TRUNC SIGNUM ISNAN ISINF ISFINITE FIRST \
        SECOND ANY {,R}{MINUS,DIV} PLUS TIMES POW IS{EQ,NE} {,VALUE}{EQ,NE} | renamed '.*' 'GBL_&'
    each "FP32 FP64" CMPLX | renamed '.*' 'GBL_&'
    each "$complex" PAIR | renamed 'PAIR_(.*)' 'GBL_ONEB_\1'
    printf '%s_MONOID\n' {PLUS,TIMES,ANY}_FC{32,64} |
        renamed '(.*)_(.*)_MONOID' 'GBL_\1_MONOID_\2'
    each "$complex" {PLUS,TIMES,ANY}_{FIRST,SECOND,PAIR,PLUS,TIMES,{,R}{MINUS,DIV}} |
        renamed '(.*)_(.*)' 'GBL_\1_SEMIRING_\2'
}

complex_functions() {
    each "$complex" Monoid_new {Scalar,Vector,Matrix}_{set,extract}Element \
        {Vector,Matrix}_{build,extractTuples,apply_{BinaryOp1st,BinaryOp2nd,IndexOp}} \
        {Vector,Matrix}_{select,assign,reduce} Matrix_{import,export} | renamed '.*' 'gbl_&'
}

functions() {
    {
        names {Matrix,Vector}_resize {Matrix,Vector,Scalar}_type Vector_sort
        names {Matrix,Vector}_{eWiseUnion,subassign,isStoredElement} {Row,Col}_subassign
        names {Matrix,Vector}_subassign_Scalar Vector_diag Matrix_{concat,split,reshape,sort}
        names Scalar_{new,dup,clear,nvals,free}
        each "$values" Scalar_{set,extract}Element
    } | renamed '.*' 'gbl_&'
}

# extension NAME ABOUT INCLUDER: a header of extensions; what stands before the names is on stdin
extension() {
    local guard=GRB_${1^^}_H
    cat <<END
/* SPDX-License-Identifier: Apache-2.0
 *
 * EXTENSIONS: no part of the GraphBLAS C API. Names of SuiteSparse:GraphBLAS for
 * $2.
 * Made by scripts/graphblas_names.sh; do not edit. Included by $3.
 */
#ifndef $guard
#define $guard

END
    cat
    printf '\n#endif\n'
}

extension_header() {
    {
        printf '#include "grb_complex_names.h"\n#include "grb_extension_algebra.h"\n\n'
        printf 'typedef gbl_Scalar GxB_Scalar;\n\n'
        { objects; functions; } | sed 's/^/#define GxB_/'
    } | extension extension_names "operators and functions that gblite has" grb_extensions.h
}

algebra_header() {
    algebra_objects | sed 's/^/#define GxB_/' |
        extension extension_algebra "monoids and semirings under their former names" \
            grb_extension_names.h
}

complex_header() {
    {
        printf '#include "../gblite.h"\n\n'
        printf 'typedef gbl_FC%s GxB_FC%s_t;\n' 32 32 64 64
        printf '#define GxB_FC%s_CODE GBL_FC%s_CODE\n' 32 32 64 64
        echo
        { complex_objects; complex_functions; } | sed 's/^/#define GxB_/'
    } | extension complex_names "complex numbers" grb_extension_names.h
}

# header NAME PREFIX WHAT: the header of one family
header() {
    local guard=GRB_${1^^}_H
    cat <<END
/* SPDX-License-Identifier: Apache-2.0
 *
 * $3.
 * Made by scripts/graphblas_names.sh; do not edit. Included by GraphBLAS.h.
 */
#ifndef $guard
#define $guard

END
    "$1" | sed "s/.*/#define GrB_& $2_&/"
    printf '\n#endif\n'
}

families="constants operators algebra methods operations polymorphic"
if [ "${1:-}" = --list ]; then
    shift
    for family in ${*:-$families}; do "$family"; done | sed 's/^/GrB_/'
    exit
fi
if [ "${1:-}" = --extensions ]; then
    {
        "$2"
        "complex_$2"
        [ "$2" = functions ] || algebra_objects
    } | sed 's/^/GxB_/'
    exit
fi
folder=${1:-include/graphblas}
extension_header >"$folder/grb_extension_names.h"
algebra_header >"$folder/grb_extension_algebra.h"
complex_header >"$folder/grb_complex_names.h"
write() { header "$@" >"$folder/grb_$1.h"; }
write constants GBL "Codes, enums, fields and other constants of the GraphBLAS C API"
write operators GBL "Types and operators of the GraphBLAS C API"
write algebra GBL "Monoids, semirings and descriptors of the GraphBLAS C API"
write methods gbl "Methods of the GraphBLAS C API on the library and on objects, by their typed names"
write operations gbl "Operations of the GraphBLAS C API, by their typed names"
write polymorphic gbl "Names of the GraphBLAS C API without a type, for C11; see gblite_generic.h"
