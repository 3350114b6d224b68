MemcpyHtoD,0x00007f5800000000,4096
kernel-1.traceg
MemcpyHtoD,0x00007f5800001000,16
kernel-2.traceg.xz
