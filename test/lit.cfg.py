# lit configuration of Kiln's IR tests. Values of the build come from
# lit.site.cfg.py, which CMake writes.
import os

import lit.formats

config.name = "Kiln"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".onnxtxt", ".test"]
config.excludes = ["unit", "e2e", "python", "bench", "lint", "fuzz", "conformance",
                   "lib", "Inputs"]
config.test_source_root = os.path.dirname(__file__)
# The suite runs a second time through --verify-roundtrip, at the same moment:
# each run has a directory of its own for the files its tests write.
roundtrip = os.environ.get("KILN_OPT_CHECK_IR_ROUNDTRIP") == "1"
config.test_exec_root = os.path.join(config.kiln_build,
                                     "test-roundtrip" if roundtrip else "test")

path = [os.path.join(config.kiln_build, "bin"), config.llvm_tools]
config.environment["PATH"] = os.pathsep.join(path + [os.environ.get("PATH", "")])
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"
config.substitutions.append(("%kiln_build", config.kiln_build))
config.substitutions.append(("%data", config.kiln_data))

if roundtrip:
    config.substitutions.append((r"kiln-opt ", "kiln-opt --verify-roundtrip "))

if os.path.isdir(config.kiln_data):
    config.available_features.add("kiln-data")
