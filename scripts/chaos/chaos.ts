/**
 * `npm run chaos`: renders hundreds of frames with a service whose processes are killed and halted
 * and whose links are cut.
 */
import { parseArgs } from 'node:util';
import { describeKills, runCoordinatorKills } from './coordinator-kills.ts';
import { runCoupledChaos } from './coupled-chaos.ts';
import { runChaos } from './run-chaos.ts';

const USAGE = `npm run chaos -- [options]

  --frames N    frames to post, 500 by default
  --clients N   concurrent clients, 8 by default
  --workers N   chiplet workers, 3 by default
  --seed N      seed of the disturbances; random by default, and printed
  --every MS    mean time between two disturbances; by default three times a slow frame, at least 1500
  --url URL     a running service, which you disturb yourself
  --verbose     also print the output of the processes
  --coupled     only frames with coupling=exact, compared with the library in one thread, while workers are
                killed, halted and slowed
  --runs N      with --coupled: N runs, each with a service and a seed of its own, and N × --frames frames of
                all numbers of chiplets, placements and topologies
  --kills N     instead of all that, \`kill -9\` the coordinator N times, 0.3 to 3 s after it answers, while the
                clients post and delete frames (40 clients by default)
  --longest MS  maximum time that a process is halted or a link is broken, 5000 by default
`;

function readInteger(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    process.stderr.write(`--${name}: '${text}' is not a number\n\n${USAGE}`);
    process.exit(2);
  }
  return Number(text);
}

const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '500' },
    clients: { type: 'string' },
    kills: { type: 'string' },
    workers: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    every: { type: 'string' },
    longest: { type: 'string', default: '5000' },
    url: { type: 'string' },
    coupled: { type: 'boolean', default: false },
    runs: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const seed = readInteger('seed', values.seed);
process.stdout.write(`seed ${seed}\n`);
const startMs = performance.now();
const onLine = (line: string) => {
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1).padStart(7);
  process.stdout.write(`${seconds} s  ${line}\n`);
};
if (values.kills !== undefined) {
  const result = await runCoordinatorKills({
    seed,
    killCount: readInteger('kills', values.kills),
    clientCount: readInteger('clients', values.clients ?? '40'),
    workerCount: readInteger('workers', values.workers),
    frameWithinMs: 300_000,
    maxKinds: Number.POSITIVE_INFINITY,
    url: null,
    isVerbose: values.verbose,
    onLine,
  });
  process.stdout.write(`\n${describeKills(result)}\n`);
  for (const failure of result.failures) process.stdout.write(`${failure}\n`);
  process.exit(result.failures.length === 0 ? 0 : 1);
}
const options = {
  seed,
  frameCount: readInteger('frames', values.frames),
  clientCount: readInteger('clients', values.clients ?? '8'),
  workerCount: readInteger('workers', values.workers),
  everyMs: values.every === undefined ? null : readInteger('every', values.every),
  longestMs: readInteger('longest', values.longest),
  maxDisturbances: Number.POSITIVE_INFINITY,
  frameWithinMs: 300_000,
  hasCapture: true,
  maxKinds: Number.POSITIVE_INFINITY,
  url: values.url ?? null,
  isVerbose: values.verbose,
  onLine,
};
const totals = values.coupled
  ? await runCoupledChaos(options, readInteger('runs', values.runs))
  : await runChaos(options);
const { disturbances, failures, kindsOfFrames, done, accepted, posts, refused, noAnswer } = totals;
const sum = [...disturbances.values()].reduce((total, count) => total + count, 0);
process.stdout.write(`
frames accepted                ${accepted}, of ${kindsOfFrames} kinds
  finished, results correct    ${done}
  failed                       ${failures.length}
posts                          ${posts}: ${refused} temporarily rejected, ${noAnswer} requests without an answer
disturbances                   ${sum}
${[...disturbances].map(([kind, count]) => `  ${kind.padEnd(28)} ${count}`).join('\n')}
seconds                        ${totals.seconds.toFixed(0)}
`);
for (const failure of failures) process.stdout.write(`${failure}\n`);
process.exit(failures.length === 0 ? 0 : 1);
