/**
 * `npm run history`: random clients over all routes of a service whose processes are killed, halted
 * and restarted. Their history is checked against the laws of the API.
 */
import { parseArgs } from 'node:util';
import { checkHistory } from './check/check-history.ts';
import { runClusterHistory } from './cluster/run-cluster-history.ts';
import { readHistory } from './record/read-history.ts';
import { describeCalls, describeRun, describeViolations } from './run/describe-run.ts';
import { runHistory } from './run/run-history.ts';

const USAGE = `npm run history -- [options]

  --requests N      requests, 2000 by default
  --disturbances N  disturbances, 20 by default; with 0 and --seconds, the run measures memory
  --seconds T       end after T seconds in any case
  --rate N          at most N requests per second, so that a long run fits into memory
  --clients N       concurrent clients, 8 by default
  --workers N       chiplet workers, 2 by default
  --cluster         gateways, cells and PostgreSQL; as root, in network namespaces with partitions
  --gateways N      gateways of the cluster, 2 by default
  --cells N         cells of the cluster, 2 by default
  --seed N          seed of clients and disturbances; random by default, and printed
  --jobs N          different jobs, all by default
  --every MS        mean time between two disturbances; by default they are spread over the run
  --longest MS      maximum time that a process is halted or a link is broken, 5000 by default
  --record FILE     write the history as JSON lines
  --check FILE      only check a recorded history
`;

/** Requests per second that the default time between disturbances assumes. */
const REQUESTS_PER_SECOND = 50;
const LEAST_EVERY_MS = 1500;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    disturbances: { type: 'string', default: '20' },
    seconds: { type: 'string' },
    rate: { type: 'string' },
    clients: { type: 'string', default: '8' },
    workers: { type: 'string', default: '2' },
    cluster: { type: 'boolean', default: false },
    gateways: { type: 'string', default: '2' },
    cells: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    jobs: { type: 'string' },
    every: { type: 'string' },
    longest: { type: 'string', default: '5000' },
    record: { type: 'string' },
    check: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

function readInteger(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    process.stderr.write(`--${name}: '${text}' is not a number\n\n${USAGE}`);
    process.exit(2);
  }
  return Number(text);
}

if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (values.check !== undefined) {
  const history = await readHistory(values.check);
  const violations = checkHistory(history);
  process.stdout.write(`${describeCalls(history)}\n\n${describeViolations(violations)}\n`);
  process.exit(violations.length === 0 ? 0 : 1);
}
const startMs = performance.now();
const onLine = (line: string) => {
  const elapsed = ((performance.now() - startMs) / 1000).toFixed(1).padStart(7);
  process.stdout.write(`${elapsed} s  ${line}\n`);
};
const seed = readInteger('seed', values.seed);
const requestCount = readInteger('requests', values.requests);
const disturbanceCount = readInteger('disturbances', values.disturbances);
const seconds = values.seconds === undefined ? null : readInteger('seconds', values.seconds);
const spreadMs =
  (1000 * (seconds ?? requestCount / REQUESTS_PER_SECOND)) / Math.max(1, disturbanceCount);
process.stdout.write(`seed ${seed}\n`);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const options = {
  seed,
  requestCount: seconds === null ? requestCount : Number.POSITIVE_INFINITY,
  disturbanceCount,
  seconds,
  requestsPerSecond:
    values.rate === undefined ? Number.POSITIVE_INFINITY : readInteger('rate', values.rate),
  workerCount: readInteger('workers', values.workers),
  clientCount: readInteger('clients', values.clients),
  everyMs:
    values.every === undefined
      ? Math.max(LEAST_EVERY_MS, spreadMs)
      : readInteger('every', values.every),
  longestMs: readInteger('longest', values.longest),
  maxJobs: values.jobs === undefined ? Number.POSITIVE_INFINITY : readInteger('jobs', values.jobs),
  recordPath: values.record ?? null,
  onLine,
  stopSignal: stop.signal,
};
const totals = values.cluster
  ? await runClusterHistory({
      ...options,
      gatewayCount: readInteger('gateways', values.gateways),
      cellCount: readInteger('cells', values.cells),
    })
  : await runHistory(options);
process.stdout.write(`\n${describeRun(totals)}\n`);
process.exit(totals.violations.length === 0 ? 0 : 1);
