/** Help text of `tessera cost`. */
export const COST_USAGE = `tessera cost [options]

  Estimates the area of a chiplet by unit, and the cost of a GPU of several chiplets against one die with the same
  units. Every figure is a range: low, typical, high. The assumptions are listed by their effect on the ratio of both
  costs, so the first dominates it. Memory chips, boards, tests and margins are not counted.

      --spec SPEC        preset or JSON file of a chiplet (default: default)
      --set LIST         hardware parameters that differ from it: name=value, separated by commas
      --chiplets N       number of dies, each with the units of a chiplet (default 4)
      --node NAME        process node: N16, N7 (default), N5
      --package NAME     organic (default), fan-out, interposer
      --link-bytes-per-cycle N  bandwidth of a die to the others in one direction (default 256)
      --assume LIST      assumptions that are known: name=value, separated by commas
      --volume N         number of GPUs that share the cost of the design; without it, the design is left out
      --cycles N,M       cycles of a frame on the chiplets and on one die, to compare performance per cost
      --json             print everything as JSON, with the source of each assumption
      --doc FILE         document whose tables are rewritten

  npx tessera cost --spec rdna2-like --chiplets 4 --node N7
  npx tessera cost --spec rdna2-like --chiplets 8 --node N5 --package fan-out --assume defectsPerCm2=0.1 --volume 1000000
`;
