"""Builds ONNX models of decoders (Llama, Qwen, Phi, Gemma, GPT-2) in the spellings of the common exporters."""
