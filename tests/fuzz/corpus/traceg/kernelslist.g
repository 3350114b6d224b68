MemcpyHtoD,0x00007f5800000000,4096
kernel-1.traceg
MemcpyHtoD,0x00007f5800001000,16
----
-kernel name = _Z8version5Pf
-kernel id = 1
-grid dim = (2,1,1)
-block dim = (64,1,1)
-shmem = 128
-nregs = 16
-binary version = 86
-cuda stream id = 0
-shmem base_addr = 0x00007f5800000000
-local mem base_addr = 0x00007f5a00000000
-nvbit version = 1.5.5
-accelsim tracer version = 5
-enable lineinfo = 1

#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate

#BEGIN_TB

thread block = 0,0,0

warp = 0
insts = 7
3 0000 ffffffff 1 R2 LDG.E.64.SYS 1 R4 8 2 0x7f5800000000 -6 1 -5 2 -4 3 -3 4 -2 5 -1 6 0 -6 1 -5 2 -4 3 -3 4 -2 5 -1 6 0 -6 1 -5 2 -4 0 
4 0010 00000100 1 R6 LDS.U.128 1 R3 16 2 0x7f5800000040 0 
4 0020 00ff00ff 1 R2 LDG.E.SYS 1 R4 4 2 0x7f5800000000 4 4 4 4 4 4 4 100 4 4 4 4 4 4 4 0 
5 0030 00ff00ff 0 SHFL.DOWN 2 R8 R2 0 6175 
5 0040 00ff00ff 0 SHFL.BFLY 3 R8 R2 R7 0 31 
6 0050 ffffffff 0 BAR.SYNC 0 0 0 
7 0060 ffffffff 0 EXIT 0 0 0 

warp = 1
insts = 7
3 0000 ffffffff 1 R2 LDG.E.64.SYS 1 R4 8 2 0x7f5800000000 -6 1 -5 2 -4 3 -3 4 -2 5 -1 6 0 -6 1 -5 2 -4 3 -3 4 -2 5 -1 6 0 -6 1 -5 2 -4 0 
4 0010 00000100 1 R6 LDS.U.128 1 R3 16 2 0x7f5800000040 0 
4 0020 00ff00ff 1 R2 LDG.E.SYS 1 R4 4 2 0x7f5800000000 4 4 4 4 4 4 4 100 4 4 4 4 4 4 4 0 
5 0030 00ff00ff 0 SHFL.DOWN 2 R8 R2 0 6175 
5 0040 00ff00ff 0 SHFL.BFLY 3 R8 R2 R7 0 31 
6 0050 ffffffff 0 BAR.SYNC 0 0 0 
7 0060 ffffffff 0 EXIT 0 0 0 

#END_TB
