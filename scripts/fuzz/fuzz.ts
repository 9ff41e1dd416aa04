/**
 * `npm run fuzz -- --mutations 1000000 --seed 1 --only wire,glsl`: processes damaged inputs of each
 * kind like the service. Branch coverage of the parsers chooses the inputs. A finding is an input
 * that is not answered with a 4xx problem, takes over two seconds of CPU time, kills its process,
 * makes its memory grow, or differs from an oracle. Its shortened bytes are saved under out/fuzz.
 * The exit status is 1 if there was one.
 *
 * - `--replay KIND FILE` processes a single saved input.
 * - `--check` processes the corpus alone (test/fuzz-corpus).
 * - `--minimize` renews the corpus with what earlier runs found (out/fuzz/corpus).
 * - `--missing` lists the branches that were not reached.
 * - `npm run fuzz -- glslang` compares with another compiler (oracles/glslang).
 * - `npm run fuzz -- chromium` compares WebGL calls with Chromium (webgl/compare-with-chromium.ts).
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ModuleBranch } from './coverage/branch-coverage.ts';
import {
  formatCoverage,
  formatMissing,
  joinBranches,
  tabulateCoverage,
} from './coverage/print-coverage.ts';
import { FUZZ_KINDS, KIND_NAMES, type KindName } from './kinds/kind-table.ts';
import { REGRESSION_PREFIX, writeInput } from './run/corpus.ts';
import { runKind } from './run/run-kind.ts';
import { runWorker } from './run/run-worker.ts';
import type { FuzzTask } from './run/worker-task.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    out: { type: 'string', default: join(ROOT, 'out/fuzz') },
    replay: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    minimize: { type: 'boolean', default: false },
    missing: { type: 'boolean', default: false },
    calls: { type: 'string', default: '20000' },
  },
});
const OUT = resolve(values.out);
mkdirSync(OUT, { recursive: true });
let findings = 0;

function save(kind: KindName, input: Uint8Array | null, reason: string): void {
  findings++;
  let name: string = kind;
  if (input !== null) {
    const hash = createHash('sha256').update(input).digest('hex').slice(0, 12);
    name = join(OUT, `${kind}-${hash}.bin`);
    writeFileSync(name, input);
  }
  process.stdout.write(`FINDING ${name}\n  ${reason.split('\n').slice(0, 12).join('\n  ')}\n`);
}

function taskOf(kind: KindName, mode: FuzzTask['mode'], count: number): FuzzTask {
  return {
    mode,
    kind,
    seed: Number(values.seed),
    first: 0,
    count,
    place: join(OUT, `.at-${kind}-${process.pid}`),
    corpora: [storedCorpus(kind), ...(mode === 'check' ? [] : [join(OUT, 'corpus', kind)])],
  };
}

function storedCorpus(kind: KindName): string {
  return join(ROOT, 'test/fuzz-corpus', kind);
}

async function runKinds(kinds: readonly KindName[]): Promise<void> {
  const shares = kinds.reduce((sum, kind) => sum + FUZZ_KINDS[kind].share, 0);
  const branches: (readonly ModuleBranch[])[] = [];
  for (const kind of kinds) {
    const count = Math.round((Number(values.mutations) * FUZZ_KINDS[kind].share) / shares);
    const task = values.check ? taskOf(kind, 'check', 0) : taskOf(kind, 'run', count);
    branches.push(await runKind(task, (input, reason) => save(kind, input, reason)));
    rmSync(task.place);
  }
  const joined = joinBranches(branches);
  process.stdout.write(`\n${formatCoverage(tabulateCoverage(joined))}`);
  if (values.missing) process.stdout.write(`\n${formatMissing(joined)}`);
}

async function minimize(kinds: readonly KindName[]): Promise<void> {
  for (const kind of kinds) {
    const task = taskOf(kind, 'minimize', 0);
    const { minimized, diedAt } = await runWorker(task, (input, why) => save(kind, input, why));
    rmSync(task.place);
    if (diedAt !== null) continue;
    const folder = storedCorpus(kind);
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      if (!name.startsWith(REGRESSION_PREFIX)) rmSync(join(folder, name));
    }
    for (const input of minimized) writeInput(folder, input);
    const bytes = minimized.reduce((sum, { length }) => sum + length, 0);
    process.stdout.write(`${kind}: ${minimized.length} inputs, ${bytes} bytes\n`);
  }
}

if (positionals[0] === 'chromium') {
  const { compareWithChromium, replayCalls } = await import('./webgl/compare-with-chromium.ts');
  if (values.replay) replayCalls(positionals[1]!);
  else {
    const [callCount, seed] = [Number(values.calls), Number(values.seed)];
    const options = { callCount, seed, outFolder: OUT };
    process.exitCode = (await compareWithChromium(options)) === 0 ? 0 : 1;
  }
} else if (positionals[0] === 'glslang') {
  const { compareWithGlslang } = await import('./oracles/glslang/compare-with-glslang.ts');
  findings = compareWithGlslang({
    mutationCount: Number(values.mutations),
    seed: Number(values.seed),
    save: ({ source }, reason) => save('glsl', Buffer.from(source), reason),
  });
  process.exitCode = findings === 0 ? 0 : 1;
} else if (values.replay) {
  const [kind, path] = positionals;
  const { follow } = await FUZZ_KINDS[kind as KindName].load();
  process.stdout.write(`${await follow(Uint8Array.from(readFileSync(path!)))}\n`);
} else {
  const kinds = (values.only?.split(',') as KindName[] | undefined) ?? KIND_NAMES;
  await (values.minimize ? minimize(kinds) : runKinds(kinds));
  process.exitCode = findings === 0 ? 0 : 1;
}
