/**
 * `npm run bench [-- NAME …]`: measures CPU time and writes results/bench.csv. Without a name it
 * measures whole frames and their stages. `coupling`, `shader`, `sweep`, `service`, `start`,
 * `peers` and `webgl` are described in the files of these names.
 */
import { runCouplingBench } from './coupling-bench.ts';
import { runFrameBench } from './frame-bench.ts';
import { runPeersBench } from './peers-bench.ts';
import { runServiceBench } from './service-bench.ts';
import { runShaderBench } from './shader-bench.ts';
import { runStartBench } from './start-bench.ts';
import { runSweepBench } from './sweep-bench.ts';
import { runWebGlBench } from './webgl-bench.ts';

const BENCHES: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  frames: runFrameBench,
  coupling: runCouplingBench,
  service: runServiceBench,
  shader: runShaderBench,
  sweep: runSweepBench,
  peers: runPeersBench,
  webgl: runWebGlBench,
  start: runStartBench,
};

const [name = 'frames', ...args] = process.argv.slice(2);
const run = BENCHES[name];
if (run === undefined) {
  throw new Error(`bench: '${name}' is none of ${Object.keys(BENCHES).join(', ')}`);
}
await run(args);
