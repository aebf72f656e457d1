# Prints the plan of a module: one line per arena, buffer and step, shapes in place of their aliases. Costs and grids of
# steps and the size of the workspace are code generation's and left out.
/^#shape/ {
  name = $1
  sub(/^[^=]*= #graph.shape/, "")
  shapes[name] = $0
  next
}
/^ *plan\./ {
  sub(/ loc\(.*/, "")
  sub(/ grid .*/, "")
  sub(/workspace size .*/, "workspace")
  sub(/, parts = .*/, "")
  sub(/ type tensor.*> source/, " source")
  count = split($0, words, " ")
  line = ""
  for (i = 1; i <= count; ++i)
    line = line (i > 1 ? " " : "") (words[i] in shapes ? shapes[words[i]] : words[i])
  print line
}
