"""tinylm: a byte-level Llama of 3.4 million parameters, trained on the headers of LLVM and MLIR."""
