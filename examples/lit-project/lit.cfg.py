# lit's configuration of this project; README.md says how to run it.
import os

import lit.formats

config.name = "My tests of Kiln"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".onnxtxt"]
config.excludes = ["Inputs", "lit-output"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(os.getcwd(), "lit-output")
