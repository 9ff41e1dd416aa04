/**
 * Process that runs some seeds and prints their outcomes, one JSON line each. A batch ends with its
 * process because modules of simulated processes are never unloaded.
 */
import './substitute-modules.ts';
import { parseArgs } from 'node:util';
import type { Disturbance } from './nemesis.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    events: { type: 'string', default: '10000' },
    clients: { type: 'string' },
    without: { type: 'string', default: '' },
    fault: { type: 'string' },
    log: { type: 'boolean', default: false },
  },
});
if (values.fault !== undefined) {
  const { plantFault } = await import('./plant-fault.ts');
  plantFault(values.fault);
}
const { loadServices } = await import('./load-services.ts');
const { runSeed } = await import('./run-seed.ts');
const { formatLine } = await import('./format-line.ts');
await loadServices();

const { stderr, stdout } = process;
const first = Number(values.seed);
const without = values.without.split(',').filter((kind) => kind !== '') as Disturbance[];
for (let seed = first; seed < first + Number(values.seeds); seed++) {
  const before = process.cpuUsage();
  const result = await runSeed({
    seed,
    events: Number(values.events),
    without,
    clients: values.clients === undefined ? undefined : Number(values.clients),
    onLine: values.log ? (line) => stderr.write(`${formatLine(line)}\n`) : () => {},
  });
  const { user, system } = process.cpuUsage(before);
  const cpuMs = Math.round((user + system) / 1000);
  stdout.write(`${JSON.stringify({ ...result, cpuMs })}\n`);
}
process.exit(0);
