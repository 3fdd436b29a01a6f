/* SPDX-License-Identifier: Apache-2.0
 *
 * The operators are those of single values again; see laneops.h.
 */
#pragma pop_macro("GB_FMIN")
#pragma pop_macro("GB_FMAX")
#pragma pop_macro("GB_IMIN")
#pragma pop_macro("GB_IADD")
#undef LANES64
#undef LANES32
