# Sets explorer_sources to the sources of the explorer; ${top} is the source tree.
set(top ${CMAKE_CURRENT_LIST_DIR}/..)
set(isa base/bounded base/faults base/input_error base/number_text base/out_file base/readable
        base/text_cursor base/word_text codec/arch codec/control codec/decode codec/disassemble
        codec/encode codec/encode_fields codec/form codec/form_template codec/group_shape codec/matcher
        codec/matcher_long codec/matcher_operands codec/special_register codec/sm70_template
        codec/unmodelled lanes/lane_map lanes/lane_move)
list(TRANSFORM isa PREPEND ${top}/isa/)
list(TRANSFORM isa APPEND .cc)
file(GLOB families CONFIGURE_DEPENDS ${top}/isa/families/*.cc)
# All networks and their common code, but not the unit, which is a SystemC module.
file(GLOB networks CONFIGURE_DEPENDS ${top}/model/shuffle/*.cc ${top}/model/shuffle/networks/*.cc)
list(FILTER networks EXCLUDE REGEX "/shuffle_unit.cc$")
set(report explain/explain explain/explain_json explain/lane_pattern explain/lane_report
           explain/lane_report_json explain/network_svg
           explain/shuffle_request explain/svg run/csv run/rows)
list(TRANSFORM report PREPEND ${top}/report/)
list(TRANSFORM report APPEND .cc)
set(explorer_sources ${top}/explorer/explorer.cc ${top}/explorer/no_configs.cc ${isa} ${families} ${networks} ${report}
                     ${top}/model/core/parameter.cc)
