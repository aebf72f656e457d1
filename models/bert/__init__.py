"""Builds ONNX models of the BERT family the way the common exporter spells them."""
