; Much of what LLVM's NVPTX back end can emit. llvm.sm_90a.ptx is made from it by (-O0 for the other)
; llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90a -mattr=+ptx87 -O2 llvm.ll -o llvm.sm_90a.ptx
target triple = "nvptx64-nvidia-cuda"
@g = addrspace(1) global [4 x ptr] [ptr addrspacecast (ptr addrspace(1) @h to ptr), ptr @dev, ptr null, ptr addrspacecast (ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @h, i64 12) to ptr)]
@h = addrspace(1) global [16 x i32] zeroinitializer
@packed = addrspace(1) global <{ i8, ptr, i32 }> <{ i8 1, ptr addrspacecast (ptr addrspace(1) @h to ptr), i32 7 }>
@c = addrspace(4) constant [3 x half] [half 1.0, half 2.0, half 3.0]
@bf = addrspace(1) global [2 x bfloat] [bfloat 1.0, bfloat 2.0]
@dyn = external addrspace(3) global [0 x i8], align 16
@sm = internal addrspace(3) global [1024 x float] undef, align 128
@bar = internal addrspace(3) global i64 undef, align 8
@str = private addrspace(4) constant [6 x i8] c"hi %d\00"
@dbl = addrspace(1) global [2 x double] [double 1.5, double -0.0]
@i128 = addrspace(1) global i128 5
%S = type { i32, double, [3 x i8] }
@agg = addrspace(1) global %S { i32 3, double 2.0, [3 x i8] c"abc" }
declare i32 @vprintf(ptr, ptr)
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.idx.i32p(i32, i32, i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32, i32)
declare {i32, i1} @llvm.nvvm.elect.sync(i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(1), i32, i16, i64, i1, i1)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1), ptr addrspace(3), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i32, i16, i64, i1, i1, i32)
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.3d(ptr addrspace(3), ptr, i32, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile.1d(ptr addrspace(3), ptr, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.2d(ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group.read(i32)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
declare void @llvm.nvvm.fence.proxy.tensormap_generic.acquire.gpu(ptr, i32)
declare void @llvm.nvvm.griddepcontrol.wait()
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare i32 @llvm.nvvm.getctarank.shared.cluster(ptr addrspace(3))
declare {i32,i32,i32,i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3))
declare {float,float,float,float} @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32,i32,i32,i32,i32,i32,float,float,float,float)
declare void @llvm.nvvm.nanosleep(i32)
declare float @llvm.nvvm.ex2.approx.ftz.f(float)
declare i32 @llvm.nvvm.idp4a.s.s(i32,i32,i32)
declare i32 @llvm.nvvm.prmt(i32,i32,i32)
declare i16 @llvm.nvvm.ff.to.e4m3x2.rn(float,float)
declare <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn(i16)
declare i32 @llvm.nvvm.f2tf32.rna(float)
declare float @llvm.nvvm.fma.rz.ftz.f(float,float,float)
declare <2 x half> @llvm.fma.v2f16(<2 x half>,<2 x half>,<2 x half>)
declare <2 x bfloat> @llvm.maxnum.v2bf16(<2 x bfloat>,<2 x bfloat>)
declare half @llvm.minimum.f16(half,half)
declare i64 @llvm.ctpop.i64(i64)
declare i32 @llvm.fshl.i32(i32,i32,i32)
declare i32 @llvm.bitreverse.i32(i32)
declare void @llvm.trap()
declare i1 @llvm.nvvm.isspacep.shared(ptr)
declare void @llvm.prefetch.p0(ptr,i32,i32,i32)
declare {i32,i1} @llvm.uadd.with.overflow.i32(i32,i32)
define internal i32 @dev(i32 %a, double %b) noinline { %x=fptosi double %b to i32 %y=add i32 %x,%a ret i32 %y }
define internal %S @aggret(%S %s, <4 x float> %v) noinline { %e=extractelement <4 x float> %v, i32 2 %d=fpext float %e to double %r=insertvalue %S %s, double %d, 1 ret %S %r }
define ptx_kernel void @atom(ptr %p, ptr addrspace(1) %q, ptr addrspace(3) %s, i64 %v, float %f, i128 %w) {
 %1=atomicrmw add ptr %p, i64 %v seq_cst
 %2=atomicrmw fadd ptr addrspace(1) %q, float %f monotonic
 %3=atomicrmw umax ptr addrspace(3) %s, i32 3 acquire
 %4=cmpxchg ptr %p, i32 1, i32 2 acq_rel monotonic
 %5=atomicrmw xchg ptr addrspace(1) %q, i64 %v syncscope("block") release
 %6=load atomic i32, ptr %p acquire, align 4
 store atomic i64 %v, ptr %p release, align 8
 %7=load atomic i32, ptr addrspace(1) %q syncscope("cluster") monotonic, align 4
 fence syncscope("device") acq_rel
 fence seq_cst
 %8=atomicrmw uinc_wrap ptr %p, i32 7 seq_cst
 %9=load volatile i16, ptr %p
 %10=cmpxchg ptr %p, i8 1, i8 2 seq_cst seq_cst
 %11=atomicrmw sub ptr %p, i16 3 seq_cst
 %12=atomicrmw fadd ptr addrspace(1) %q, double 1.0 seq_cst
 %13=atomicrmw fadd ptr %p, half 1.0 seq_cst
 %14=mul i128 %w,%w
 %15=lshr i128 %14, 70
 store i128 %15, ptr %p, align 16
 %16=cmpxchg ptr %p, i128 %w, i128 5 seq_cst seq_cst
 %17=udiv i64 %v, 7
 store i64 %17, ptr addrspace(1) %q
 ret void }
define ptx_kernel void @misc(ptr byval(%S) align 8 %bv, ptr noalias readonly %in, ptr noalias %out, i32 %n, ptr %map, ptr %fp) {
 %t=call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
 %cr=call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
 %cl=call i64 @llvm.nvvm.read.ptx.sreg.clock64()
 %pa=getelementptr %S, ptr %bv, i32 0, i32 1
 %pd=load double, ptr %pa
 %sh=call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1,i32 %t,i32 1,i32 31)
 %sp=call {i32,i1} @llvm.nvvm.shfl.sync.idx.i32p(i32 -1,i32 %t,i32 1,i32 31)
 %rd=call i32 @llvm.nvvm.redux.sync.add(i32 %t,i32 -1)
 %mm=call i32 @llvm.nvvm.match.any.sync.i32(i32 -1,i32 %t)
 %ma=call {i32,i1} @llvm.nvvm.match.all.sync.i32p(i32 -1,i32 %t)
 %el=call {i32,i1} @llvm.nvvm.elect.sync(i32 -1)
 %e1=extractvalue {i32,i1} %el,1
 %bl=call i32 @llvm.nvvm.vote.ballot.sync(i32 -1,i1 %e1)
 call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) @sm, ptr addrspace(1) @h)
 call void @llvm.nvvm.cp.async.commit.group()
 call void @llvm.nvvm.cp.async.wait.group(i32 1)
 call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar,i32 1)
 %ar=call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
 %tw=call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar,i64 %ar)
 %cs=addrspacecast ptr addrspace(3) @sm to ptr
 %c7=call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @sm, i32 1)
 %gr=call i32 @llvm.nvvm.getctarank.shared.cluster(ptr addrspace(3) @sm)
 call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) %c7, ptr addrspace(3) @bar, ptr addrspace(1) @h, i32 64, i16 3, i64 5, i1 1, i1 1)
 call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) @h, ptr addrspace(3) @sm, i32 64, i64 0, i1 0)
 call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %c7, ptr addrspace(3) @bar, ptr %map, i32 %t, i32 0, i16 3, i64 0, i1 1, i1 0, i32 0)
 call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.3d(ptr addrspace(3) @sm, ptr %map, i32 1, i32 2, i32 3, i64 7, i1 1)
 call void @llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile.1d(ptr addrspace(3) @sm, ptr %map, i32 1, i64 0, i1 0)
 call void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.2d(ptr %map, i32 1, i32 2, i64 0, i1 0)
 call void @llvm.nvvm.cp.async.bulk.commit.group()
 call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
 call void @llvm.nvvm.wgmma.fence.sync.aligned()
 call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
 call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
 call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 232)
 call void @llvm.nvvm.barrier.cluster.arrive.aligned()
 call void @llvm.nvvm.barrier.cluster.wait.aligned()
 call void @llvm.nvvm.fence.proxy.tensormap_generic.acquire.gpu(ptr %map, i32 128)
 call void @llvm.nvvm.griddepcontrol.wait()
 %lm=call {i32,i32,i32,i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) @sm)
 %l0=extractvalue {i32,i32,i32,i32} %lm,0
 %d=call {float,float,float,float} @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %l0,i32 %t,i32 %t,i32 %t,i32 %t,i32 %t,float 0.0,float 0.0,float 0.0,float 0.0)
 %d0=extractvalue {float,float,float,float} %d,0
 call void @llvm.nvvm.nanosleep(i32 20)
 %ex=call float @llvm.nvvm.ex2.approx.ftz.f(float %d0)
 %dp=call i32 @llvm.nvvm.idp4a.s.s(i32 %t,i32 %n,i32 %sh)
 %pr=call i32 @llvm.nvvm.prmt(i32 %dp,i32 %t,i32 21520)
 %f8=call i16 @llvm.nvvm.ff.to.e4m3x2.rn(float %ex,float %d0)
 %h2=call <2 x half> @llvm.nvvm.e5m2x2.to.f16x2.rn(i16 %f8)
 %fm=call <2 x half> @llvm.fma.v2f16(<2 x half> %h2,<2 x half> %h2,<2 x half> <half 1.0, half 2.0>)
 %tf=call i32 @llvm.nvvm.f2tf32.rna(float %ex)
 %rz=call float @llvm.nvvm.fma.rz.ftz.f(float %ex,float %ex,float 1.0)
 %bi=load <2 x bfloat>, ptr %in
 %bm=call <2 x bfloat> @llvm.maxnum.v2bf16(<2 x bfloat> %bi,<2 x bfloat> <bfloat 1.0, bfloat 0.0>)
 store <2 x bfloat> %bm, ptr %out
 %hm=load half, ptr addrspace(4) @c
 %hx=call half @llvm.minimum.f16(half %hm, half 2.0)
 store half %hx, ptr %out
 store <2 x half> %fm, ptr %out
 %v8=load <8 x float>, ptr %in, align 32
 %v9=fmul <8 x float> %v8, %v8
 store <8 x float> %v9, ptr %out, align 32
 %b16=load <16 x i8>, ptr %in, align 16
 %b17=add <16 x i8> %b16, splat (i8 3)
 store <16 x i8> %b17, ptr %out, align 16
 %pc=call i64 @llvm.ctpop.i64(i64 %cl)
 store i64 %pc, ptr %out
 %fs=call i32 @llvm.fshl.i32(i32 %t,i32 %n,i32 %pr)
 %br=call i32 @llvm.bitreverse.i32(i32 %fs)
 store i32 %br, ptr %out
 %is=call i1 @llvm.nvvm.isspacep.shared(ptr %out)
 call void @llvm.prefetch.p0(ptr %in,i32 0,i32 3,i32 1)
 %uo=call {i32,i1} @llvm.uadd.with.overflow.i32(i32 %t,i32 %n)
 %uo1=extractvalue {i32,i1} %uo,1
 %or=or i1 %uo1,%is
 %or2=xor i1 %or,%tw
 %ps=alloca [4 x i32]
 store i32 %t, ptr %ps
 %pi=getelementptr i32, ptr %ps, i32 %n
 %pv=load i32, ptr %pi
 %vla=alloca i8, i32 %n
 store i8 1, ptr %vla
 %vp=call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @str to ptr), ptr %ps)
 %ic=call i32 %fp(i32 %pv, double %pd)
 store i32 %ic, ptr %out
 %sv=load %S, ptr addrspace(1) @agg
 %sr=call %S @aggret(%S %sv, <4 x float> <float 1.0,float 2.0,float 3.0,float 4.0>)
 store %S %sr, ptr %out
 %asm=call i32 asm sideeffect "{ .reg .pred p; setp.ne.u32 p, $1, 0; selp.u32 $0, 1, 0, p; L_in: @p bra L_in; }", "=r,r"(i32 %t)
 store i32 %asm, ptr %out
 %dc=uitofp i64 %pc to double
 %ds=call double @llvm.sqrt.f64(double %dc)
 %dd=fdiv double %ds, %dc
 store double %dd, ptr %out
 %fd=fdiv float %ex, %rz
 %fr=frem float %fd, 3.0
 store float %fr, ptr %out
 %i8=fptoui float %fr to i8
 store i8 %i8, ptr %out
 %bff=fptrunc float %fr to bfloat
 store bfloat %bff, ptr %out
 %fst=fptosi half %hx to i64
 store i64 %fst, ptr %out
 br i1 %or2, label %sw, label %end
sw:
 switch i32 %n, label %end [ i32 0, label %a i32 1, label %b i32 2, label %cc i32 3, label %dd2 i32 4, label %a i32 5, label %b i32 6, label %cc i32 7, label %dd2 ]
a: store i32 1, ptr %out br label %end
b: store i32 2, ptr %out call void @llvm.nvvm.barrier0() br label %end
cc: store i32 %tf, ptr %out br label %end
dd2: call void @llvm.trap() unreachable
end: ret void }
declare double @llvm.sqrt.f64(double)
