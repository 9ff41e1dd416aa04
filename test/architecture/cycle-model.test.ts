/**
 * The generated files of the cycle model match their sources, and its sources stay within the
 * portable subset.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CompiledChip, NetworkEngine } from '@tessera/chip';
import { makeDraw, makeTightNetwork, runRequestReply } from '@tessera/multi-chiplet/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPlan, anyRun, anySpec, simulate } from '../../packages/gpu/src/testing/made-runs.ts';
import type { EngineMaker } from '../../packages/gpu/src/timing/timed-chip.ts';
import { CODE_FILES, codeFile } from '../../scripts/cycle-model/code-file.ts';
import {
  compileCycleModel,
  type ModelModule,
} from '../../scripts/cycle-model/compile-cycle-model.ts';
import { generateModelFiles } from '../../scripts/cycle-model/generated-files.ts';
import { listModelFiles } from '../../scripts/cycle-model/model-files.ts';
import { portableSource } from '../../scripts/cycle-model/portable-source.ts';
import { findPortabilityFaults } from '../../scripts/cycle-model/portable-subset.ts';

const ROOT = resolve(import.meta.dirname, '../..');

describe('cycle model', () => {
  it('has the generated files that its tables determine; else: npm run cycle-model:build', () => {
    const files = generateModelFiles(ROOT);
    const generated = listModelFiles(ROOT).filter((path) => path.endsWith('.generated.ts'));
    expect([...files.keys()].sort()).toEqual(generated);
    for (const [path, text] of files) {
      expect(readFileSync(resolve(ROOT, path), 'utf8') === text, path).toBe(true);
    }
  });

  it.each(Object.entries(CODE_FILES) as [ModelModule, string][])(
    'is compiled from the current sources: %s; else: npm run cycle-model:build',
    async (module, file) => {
      const code = codeFile(module, await compileCycleModel(ROOT, module));
      expect(readFileSync(resolve(ROOT, file), 'utf8') === code).toBe(true);
    },
    120_000,
  );

  it('reports the place of a compile error', async () => {
    await expect(compileCycleModel(resolve(ROOT, 'packages'), 'chip')).rejects.toThrowError(
      'cycle model:',
    );
  });
});

describe('compiled cycle model', () => {
  it('reads and writes within its arrays: the same where every access is checked', async () => {
    const checked = new WebAssembly.Module(await compileCycleModel(ROOT, 'chip', true));
    const runChecked: EngineMaker = (options) => new CompiledChip(options, checked);
    fc.assert(
      fc.property(anySpec, anyPlan, anyRun, (spec, plan, run) => {
        expect(simulate(spec, plan, run, { isBatchwise: true, makeEngine: runChecked })).toEqual(
          simulate(spec, plan, run, { isBatchwise: true }),
        );
      }),
      { numRuns: 100, seed: 37 },
    );
  }, 120_000);
});

describe('compiled packet network', () => {
  it('reads and writes within its arrays: the same where every access is checked', async () => {
    const checked = new WebAssembly.Module(await compileCycleModel(ROOT, 'network', true));
    const run = (isChecked: boolean, topology: 'bus' | 'ring' | 'full') => {
      const network = makeTightNetwork({
        ...{ topology, chipletCount: 16, latencyCycles: 3 },
        makeEngine: (options) => new NetworkEngine(options, isChecked ? checked : undefined),
      });
      // Leaves the wheel of events, and copies packets.
      network.injectToAll({ from: 0, channel: 'request', bytes: 16, tag: 0 }, 5_000);
      const chipletCount = 16;
      const options = { chipletCount, untilCycle: 3_000, drawInteger: makeDraw(7) };
      const result = runRequestReply(network, options);
      return { result, links: network.traffic.listLinks() };
    };
    for (const topology of ['bus', 'ring', 'full'] as const) {
      expect(run(true, topology)).toEqual(run(false, topology));
    }
  }, 120_000);
});

describe('portable subset', () => {
  const NUMBER_TYPES = 'packages/chip/src/portable/number-types.ts';

  it('is kept by every file of the cycle model', () => {
    const files = listModelFiles(ROOT).filter((path) => path !== NUMBER_TYPES);
    expect(files.length).toBeGreaterThan(50);
    const faults = files.flatMap((path) =>
      findPortabilityFaults(path, readFileSync(resolve(ROOT, path), 'utf8')),
    );
    expect(faults).toEqual([]);
  });

  it.each([
    ['const next = queue?.front ?? 0;', ['`??`', 'optional chaining']],
    ['for (const port of ports) port.reset();', ['for … of']],
    ['const [head] = queues;', ['destructuring']],
    ['const all = [...queues];', ['spread']],
    ['queues.forEach((queue) => queue.reset());', ['closures']],
    ['let count: number = 0;', ['number']],
    ['let queue: Queue | null = null;', []],
    ['let queue: Queue | i32 = 0;', ['unions']],
    ['const size = { width: 1 };', ['object literals']],
    ['const port = new Port({ capacity: 1 });', []],
    ['const port = new Port({ size: { width: 1 } });', ['object literals']],
    ['class Dram extends Module { constructor() { super({ id: 1 }); } }', []],
    ['export const RING = { commands: 0 } as const;', []],
    ['const names = new Map();', ['Map']],
    ['const least = Math.min(a, b);', ['Math.min']],
    ['const least = lesser(a, b);', []],
    ['class Port { #lines = 0; }', ['`#` fields']],
  ])('%s', (source, messages) => {
    const faults = findPortabilityFaults('a.ts', source);
    expect(faults.map((fault) => fault.replace(/^a\.ts:1: /, ''))).toEqual(
      messages.map((message) => expect.stringContaining(message)),
    );
  });
});

describe('portable source', () => {
  it('has AssemblyScript and TypeScript on the same lines', () => {
    const source = [
      "import type { i32 } from '../portable/number-types.ts';",
      "import type { Queue } from './queue.ts';",
      "import { NEVER, type Schedule } from './schedule.ts';",
      'export const PLAN = {',
      '  /** The bin: x: of it. */',
      '  x: 0,',
      '  end: FIRST + 1,',
      '} as const;',
      'export interface PortOptions {',
      'readonly queues: readonly Queue[];',
      'wakes[i]! += other[j]! !== 3 ? 1 : port!.count;',
    ];
    expect(portableSource(source.join('\n')).split('\n')).toEqual([
      '',
      "import { Queue } from './queue.ts';",
      "import { NEVER, Schedule } from './schedule.ts';",
      'export namespace PLAN {',
      '  ',
      '  export const x: i32 = 0;',
      '  export const end: i32 = FIRST + 1;',
      '}',
      'export class PortOptions {',
      'readonly queues: Queue[];',
      'wakes[i] += other[j] !== 3 ? 1 : port!.count;',
    ]);
  });
});
