// SPDX-License-Identifier: Apache-2.0
// Lanes that part one inside another, and in loops: nest_DEPTH_SIDE, trips_OUTER_MASK_SIDE, part_LOW_INNER.
#include "passes.cuh"
PRE nest_1_0 ARGS { HEAD if (lane & 16) { MUL(0) adds<6>(f); } else { adds<4>(f); adds<4>(f); MUL(1) } TAIL
PRE nest_1_1 ARGS { HEAD if (lane & 16) { adds<4>(f); adds<4>(f); MUL(1) } else { MUL(0) adds<6>(f); } TAIL
PRE nest_2_0 ARGS { HEAD if (lane & 16) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 8) { MUL(0) adds<6>(f); } else { adds<4>(f); adds<4>(f); MUL(1) } MUL(1) } TAIL
PRE nest_2_1 ARGS { HEAD if (lane & 16) { adds<4>(f); if (lane & 8) { adds<4>(f); adds<4>(f); MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } TAIL
PRE nest_3_0 ARGS { HEAD if (lane & 16) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 8) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 4) { MUL(0) adds<6>(f); } else { adds<4>(f); adds<4>(f); MUL(1) } MUL(1) } MUL(1) } TAIL
PRE nest_3_1 ARGS { HEAD if (lane & 16) { adds<4>(f); if (lane & 8) { adds<4>(f); if (lane & 4) { adds<4>(f); adds<4>(f); MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } TAIL
PRE nest_4_0 ARGS { HEAD if (lane & 16) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 8) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 4) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 2) { MUL(0) adds<6>(f); } else { adds<4>(f); adds<4>(f); MUL(1) } MUL(1) } MUL(1) } MUL(1) } TAIL
PRE nest_4_1 ARGS { HEAD if (lane & 16) { adds<4>(f); if (lane & 8) { adds<4>(f); if (lane & 4) { adds<4>(f); if (lane & 2) { adds<4>(f); adds<4>(f); MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } TAIL
PRE nest_5_0 ARGS { HEAD if (lane & 16) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 8) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 4) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 2) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 1) { MUL(0) adds<6>(f); } else { adds<4>(f); adds<4>(f); MUL(1) } MUL(1) } MUL(1) } MUL(1) } MUL(1) } TAIL
PRE nest_5_1 ARGS { HEAD if (lane & 16) { adds<4>(f); if (lane & 8) { adds<4>(f); if (lane & 4) { adds<4>(f); if (lane & 2) { adds<4>(f); if (lane & 1) { adds<4>(f); adds<4>(f); MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } TAIL
PRE trips_0_1_0 ARGS { HEAD int c = lane & 1; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) TAIL
PRE trips_0_3_0 ARGS { HEAD int c = lane & 3; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) TAIL
PRE trips_0_7_0 ARGS { HEAD int c = lane & 7; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) TAIL
PRE trips_1_1_0 ARGS { HEAD if (lane & 16) { MUL(0) adds<6>(f); } else { adds<4>(f); int c = lane & 1; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } TAIL
PRE trips_1_1_1 ARGS { HEAD if (lane & 16) { adds<4>(f); int c = lane & 1; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } else { MUL(0) adds<6>(f); } TAIL
PRE trips_1_3_0 ARGS { HEAD if (lane & 16) { MUL(0) adds<6>(f); } else { adds<4>(f); int c = lane & 3; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } TAIL
PRE trips_1_3_1 ARGS { HEAD if (lane & 16) { adds<4>(f); int c = lane & 3; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } else { MUL(0) adds<6>(f); } TAIL
PRE trips_1_7_0 ARGS { HEAD if (lane & 16) { MUL(0) adds<6>(f); } else { adds<4>(f); int c = lane & 7; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } TAIL
PRE trips_1_7_1 ARGS { HEAD if (lane & 16) { adds<4>(f); int c = lane & 7; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } else { MUL(0) adds<6>(f); } TAIL
PRE trips_2_1_0 ARGS { HEAD if (lane & 16) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 8) { MUL(0) adds<6>(f); } else { adds<4>(f); int c = lane & 1; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } MUL(1) } TAIL
PRE trips_2_1_1 ARGS { HEAD if (lane & 16) { adds<4>(f); if (lane & 8) { adds<4>(f); int c = lane & 1; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } TAIL
PRE trips_2_3_0 ARGS { HEAD if (lane & 16) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 8) { MUL(0) adds<6>(f); } else { adds<4>(f); int c = lane & 3; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } MUL(1) } TAIL
PRE trips_2_3_1 ARGS { HEAD if (lane & 16) { adds<4>(f); if (lane & 8) { adds<4>(f); int c = lane & 3; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } TAIL
PRE trips_2_7_0 ARGS { HEAD if (lane & 16) { MUL(0) adds<6>(f); } else { adds<4>(f); if (lane & 8) { MUL(0) adds<6>(f); } else { adds<4>(f); int c = lane & 7; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } MUL(1) } TAIL
PRE trips_2_7_1 ARGS { HEAD if (lane & 16) { adds<4>(f); if (lane & 8) { adds<4>(f); int c = lane & 7; _Pragma("unroll 1") for (int k = 0; k <= c; ++k) { adds<4>(f); } MUL(2) MUL(1) } else { MUL(0) adds<6>(f); } MUL(1) } else { MUL(0) adds<6>(f); } TAIL
PRE part_4_2 ARGS { HEAD if (lane < 4) { adds<4>(f); if (lane < 2) { MUL(0) adds<6>(f); } else { adds<8>(f); } MUL(1) } else { MUL(3) adds<6>(f); } TAIL
PRE part_12_4 ARGS { HEAD if (lane < 12) { adds<4>(f); if (lane < 4) { MUL(0) adds<6>(f); } else { adds<8>(f); } MUL(1) } else { MUL(3) adds<6>(f); } TAIL
PRE part_12_6 ARGS { HEAD if (lane < 12) { adds<4>(f); if (lane < 6) { MUL(0) adds<6>(f); } else { adds<8>(f); } MUL(1) } else { MUL(3) adds<6>(f); } TAIL
