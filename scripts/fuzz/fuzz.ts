/**
 * `npm run fuzz -- --mutations 1000000 --seed 1 --only wire`: processes damaged inputs of each kind
 * like the service. A finding is an input that is not answered with a 4xx problem, takes over two
 * seconds of CPU time, kills its process, or makes its memory grow. Its bytes are saved under
 * out/fuzz. The exit status is 1 if there was one. `--replay KIND FILE` processes a single saved
 * input. `npm run fuzz -- webgl` executes WebGL calls instead (webgl/fuzz-webgl.ts).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FUZZ_KINDS } from './fuzz-kind.ts';
import { type FuzzNews, randomOf } from './fuzz-worker.ts';

/** Share of each kind in all mutations; cheap kinds have larger shares. */
const SHARES: Readonly<Record<string, number>> = {
  wire: 0.45,
  native: 0.2,
  glsl: 0.15,
  gltf: 0.12,
  capture: 0.08,
};
/** Time after which a process counts as hung. */
const HANGS_AFTER_MS = 120_000;
const LOOK_EVERY_MS = 1000;
/** Permitted memory growth after the first tenth of the inputs. */
const MAX_GROWTH_BYTES = 96 * 2 ** 20;
const MAX_FINDINGS = 50;
const OUT = fileURLToPath(new URL('../../out/fuzz', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    replay: { type: 'boolean', default: false },
    calls: { type: 'string', default: '20000' },
    chromium: { type: 'boolean', default: false },
  },
});
mkdirSync(OUT, { recursive: true });
let findings = 0;

function save(kind: string, seed: number, number: number, input: Uint8Array, reason: string): void {
  findings++;
  const path = join(OUT, `${kind}-${seed}-${number}.bin`);
  writeFileSync(path, input);
  process.stdout.write(`FINDING ${path}\n  ${reason.split('\n').slice(0, 12).join('\n  ')}\n`);
}

/** Processes `count` inputs from `first` on. Returns the number after the last one. */
async function runWorker(kind: string, seed: number, first: number, count: number) {
  const place = join(OUT, `.at-${kind}-${process.pid}`);
  writeFileSync(place, Buffer.alloc(8));
  const child = fork(
    fileURLToPath(new URL('./fuzz-worker.ts', import.meta.url)),
    [kind, seed, first, count, place].map(String),
    { execArgv: ['--expose-gc', '--max-old-space-size=1024'], stdio: 'inherit' },
  );
  const state = {
    done: 0,
    outcomes: {} as Record<string, number>,
    numbers: [] as number[],
    usedBytes: [] as number[],
    rssBytes: 0,
    slowestMs: 0,
  };
  child.on('message', (news: FuzzNews) => {
    if (news.kind === 'finding') {
      state.numbers.push(news.number);
      state.outcomes.finding = (state.outcomes.finding ?? 0) + 1;
      void saveNumber(kind, seed, news.number, news.reason);
      if (state.numbers.length >= MAX_FINDINGS) child.kill('SIGKILL');
      return;
    }
    state.done = news.done;
    state.usedBytes.push(news.usedBytes);
    state.rssBytes = Math.max(state.rssBytes, news.rssBytes);
    state.slowestMs = Math.max(state.slowestMs, news.slowestMs);
    for (const [outcome, n] of Object.entries(news.outcomes)) {
      state.outcomes[outcome] = (state.outcomes[outcome] ?? 0) + n;
    }
  });
  const numberNow = () => readFileSync(place).readDoubleLE(0);
  let [seen, seenMs, hangs] = [-1, performance.now(), false];
  const watch = setInterval(() => {
    const now = numberNow();
    if (now !== seen) [seen, seenMs] = [now, performance.now()];
    else if (performance.now() - seenMs > HANGS_AFTER_MS && now > 0) {
      hangs = true;
      child.kill('SIGKILL');
    }
  }, LOOK_EVERY_MS);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearInterval(watch);
  if (code === 0) return { ...state, next: first + count };
  const number = numberNow();
  if (state.numbers.length < MAX_FINDINGS) {
    const reason = hangs ? 'hangs' : `the process died: ${signal ?? `exit status ${code}`}`;
    await saveNumber(kind, seed, number, reason);
  }
  return { ...state, done: number - first + 1, next: number + 1 };
}

async function saveNumber(kind: string, seed: number, number: number, reason: string) {
  const { make } = await FUZZ_KINDS[kind]!();
  save(
    kind,
    seed,
    number,
    make(randomOf(seed, number)),
    `number ${number} of seed ${seed}: ${reason}`,
  );
}

async function runKind(kind: string, seed: number, count: number): Promise<void> {
  const startMs = performance.now();
  const outcomes: Record<string, number> = {};
  let [next, done, growth, rss, slowest] = [0, 0, 0, 0, 0];
  while (next < count && findings < MAX_FINDINGS) {
    const part = await runWorker(kind, seed, next, count - next);
    next = part.next;
    done += part.done;
    for (const [outcome, n] of Object.entries(part.outcomes)) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + n;
    }
    // Caches fill first. After that the memory in use must not change.
    const baseline = part.usedBytes[Math.floor(part.usedBytes.length / 10)] ?? 0;
    growth = Math.max(growth, (part.usedBytes.at(-1) ?? 0) - baseline);
    rss = Math.max(rss, part.rssBytes);
    slowest = Math.max(slowest, part.slowestMs);
  }
  const seconds = Math.round((performance.now() - startMs) / 1000);
  process.stdout.write(
    `${kind}: ${done} inputs of seed ${seed} in ${seconds} s; slowest ${Math.round(slowest)} ms of CPU time; ` +
      `memory in use ${growth >= 0 ? '+' : ''}${Math.round(growth / 2 ** 20)} MiB, at most ${Math.round(rss / 2 ** 20)} MiB resident\n` +
      `  ${JSON.stringify(outcomes)}\n`,
  );
  if (growth > MAX_GROWTH_BYTES) {
    findings++;
    process.stdout.write(`FINDING ${kind}: memory grows\n`);
  }
}

if (positionals[0] === 'webgl') {
  const { fuzzWebGl, replayCalls } = await import('./webgl/fuzz-webgl.ts');
  if (values.replay) replayCalls(positionals[1]!);
  else {
    const [callCount, seed] = [Number(values.calls), Number(values.seed)];
    const options = { callCount, seed, isCompared: values.chromium, outFolder: OUT };
    process.exitCode = (await fuzzWebGl(options)) === 0 ? 0 : 1;
  }
} else if (values.replay) {
  const [kind, path] = positionals;
  const { follow } = await FUZZ_KINDS[kind!]!();
  const outcome = await follow(Uint8Array.from(readFileSync(path!)));
  process.stdout.write(`${outcome}\n`);
} else {
  const seed = Number(values.seed);
  const kinds = values.only === undefined ? Object.keys(FUZZ_KINDS) : values.only.split(',');
  const total = Number(values.mutations);
  const shares = kinds.reduce((sum, kind) => sum + SHARES[kind]!, 0);
  for (const kind of kinds) {
    await runKind(kind, seed, Math.round((total * SHARES[kind]!) / shares));
  }
  process.exitCode = findings === 0 ? 0 : 1;
}
