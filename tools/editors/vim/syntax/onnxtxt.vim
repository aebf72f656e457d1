" ONNX's textual format
if exists("b:current_syntax")
  finish
endif

syn match onnxtxtValue "\<\h\w*"
syn match onnxtxtNumber "-\?\<\d\+\(\.\d*\)\?\([eE][-+]\?\d*\)\?"
syn match onnxtxtNumber "\c-\?\<\(inf\|infinity\|nan\)\>"
syn match onnxtxtAttribute "\<\h\w*\ze\s*=\s*[-0-9\"\[@]"
syn match onnxtxtAttribute "\<\h\w*\ze\s*=\s*\(float\|double\|bfloat16\|string\|bool\|complex\|u\?int\)[0-9a-z]*\>"
syn match onnxtxtAttribute "\<\h\w*\ze\s*:\s*\h\w*\s*="
syn match onnxtxtGraph "\<\h\w*\ze\s*(\([^()]\|([^()]*)\)*)\s*=>"
syn match onnxtxtGraph "^\s*\zs\h\w*\ze\s*("
syn match onnxtxtOp "\(=\s*\(\h\w*\s*\.\s*\)*\)\@<=\h\w*\ze\s*\(:\s*\h\w*\s*\)\?<"
syn match onnxtxtOp "\(=\s*\(\h\w*\s*\.\s*\)*\)\@<=\h\w*\ze\s*\(:\s*\h\w*\s*\)\?(\(\([^()]\|([^()]*)\)*)\s*=>\)\@!"
syn match onnxtxtReference "@\h\w*"
syn match onnxtxtKey "\<\(ir_version\|opset_import\|producer_name\|producer_version\|domain\|model_version\|doc_string\|metadata_props\|overload\)\ze\s*:"
syn match onnxtxtType ":\s*\zs\(float\|int\|string\|tensor\|graph\|sparse_tensor\|type_proto\)s\?\ze\s*="
syn match onnxtxtType "\<\(seq\|map\|optional\|sparse_tensor\|opaque\)\ze\s*("
syn keyword onnxtxtType float double float16 bfloat16 string bool complex64 complex128
syn keyword onnxtxtType int2 int4 int8 int16 int32 int64 uint2 uint4 uint8 uint16 uint32 uint64
syn keyword onnxtxtType float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz float8e8m0 float6e2m3 float6e3m2 float4e2m1
syn region onnxtxtString start=+"+ skip=+\\.+ end=+"+
syn match onnxtxtComment "#.*$"

hi def link onnxtxtComment Comment
hi def link onnxtxtString String
hi def link onnxtxtKey Keyword
hi def link onnxtxtType Type
hi def link onnxtxtOp Function
hi def link onnxtxtGraph Structure
hi def link onnxtxtAttribute Identifier
hi def link onnxtxtReference PreProc
hi def link onnxtxtNumber Number

let b:current_syntax = "onnxtxt"
