/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite's variants to compute a product: its own choice, and every method and workflow forced.
 */
#include "jobs/sides.h"

#define CHOICE(id, m, w, mt, wt, mask)                                                             \
    {                                                                                              \
        .name = id, .method = m, .workflow = w, .method_text = mt, .workflow_text = wt,            \
        .with_mask = mask                                                                          \
    }
#define WARM(id, m, tiles)                                                                         \
    {                                                                                              \
        .name = id, .method = m, .method_text = "", .workflow_text = "", .with_mask = -1,          \
        .extra = true, .warm = true, .in_tiles = tiles                                             \
    }
#define VARIANT(id, v)                                                                             \
    {                                                                                              \
        .name = id, .method = GBL_METHOD_VECTOR, .method_text = "", .workflow_text = "",           \
        .with_mask = -1, .extra = true, .vector = v                                                \
    }
const product_variant PRODUCT_VARIANTS[] = {
    CHOICE("auto", GBL_DEFAULT, GBL_DEFAULT, "", "", 0),
    CHOICE("upper_bound", GBL_METHOD_ROWWISE, GBL_WORKFLOW_UPPER_BOUND, "rowwise", "upper bound",
           0),
    CHOICE("estimate", GBL_METHOD_ROWWISE, GBL_WORKFLOW_ESTIMATE, "rowwise", "estimate", -1),
    CHOICE("symbolic", GBL_METHOD_ROWWISE, GBL_WORKFLOW_SYMBOLIC, "rowwise", "symbolic", -1),
    CHOICE("tiled", GBL_METHOD_TILED, GBL_DEFAULT, "tiled", "", 0),
    CHOICE("panel", GBL_METHOD_PANEL, GBL_WORKFLOW_AS_THEY_ARE, "panel", "rows", 0),
    CHOICE("panel_grouped", GBL_METHOD_PANEL, GBL_WORKFLOW_GROUPED, "panel", "grouped rows", 0),
    CHOICE("outer", GBL_METHOD_OUTER, GBL_DEFAULT, "outer", "", 0),
    CHOICE("dot", GBL_METHOD_DOT, GBL_DEFAULT, "dot", "", 1),
    WARM("rowwise_warm", GBL_METHOD_ROWWISE, false),
    WARM("outer_warm", GBL_METHOD_OUTER, false),
    WARM("tiled_warm", GBL_METHOD_TILED, false),
    WARM("tiled_to_tiles", GBL_METHOD_TILED, true),
    VARIANT("spa", GBL_VECTOR_SPA),
    VARIANT("hash-32/256", GBL_VECTOR_HASH_32_256),
    VARIANT("hash-256/256", GBL_VECTOR_HASH_256_256),
    VARIANT("h-hash-32/256", GBL_VECTOR_H_HASH_32_256),
    VARIANT("h-hash-256/256", GBL_VECTOR_H_HASH_256_256)};
const int PRODUCT_VARIANT_COUNT = sizeof PRODUCT_VARIANTS / sizeof *PRODUCT_VARIANTS;
