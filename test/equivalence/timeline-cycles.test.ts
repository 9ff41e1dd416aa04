/** The intervals of a timeline change no report and no sum over all intervals. */
import { requireTimelineCycles } from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';
import { parsePlacement, type Timeline } from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from '../golden/scenes.ts';

const EXACT = { timing: 'cycle', coupling: 'exact', grid: { kind: 'bins', count: 8 } } as const;
const SCENES = Object.keys(GOLDEN_SCENES).slice(0, 2);

async function render(name: string, options: RenderOptions) {
  const gpu = new LocalGpu({ chipletCount: 3 });
  const { report, timeline } = await gpu.render(await GOLDEN_SCENES[name]!(), {
    ...EXACT,
    ...options,
  });
  const { wall: _wall, ...rest } = report;
  return { report: rest, timeline: timeline! };
}

/** Returns busy cycles by thread of a chiplet's units. */
function busyCycles({ traceEvents }: Timeline, pid: number): Map<string, number> {
  const names = new Map<number, string>();
  const sums = new Map<string, number>();
  for (const { ph, name, tid, args, pid: own } of traceEvents) {
    if (own !== pid) continue;
    if (name === 'thread_name') names.set(tid, String(args.name));
    if (ph !== 'X' || args.busyCycles === undefined) continue;
    const unit = names.get(tid)!;
    sums.set(unit, (sums.get(unit) ?? 0) + Number(args.busyCycles));
  }
  return sums;
}

describe.each([
  ['memories of their own', undefined],
  ['shared memories', parsePlacement('textures=interleaved,streams=home')],
] as const)('intervals of chiplets with %s', (_name, placement) => {
  it.each(SCENES)('leave the report and the sums of all intervals unchanged: %s', async (name) => {
    const coarse = await render(name, { placement });
    for (const timelineCycles of [256, 7]) {
      const fine = await render(name, { placement, timelineCycles });
      expect(fine.report).toEqual(coarse.report);
      expect(fine.timeline.traceEvents.length).toBeGreaterThan(coarse.timeline.traceEvents.length);
      for (const { id } of fine.report.chiplets) {
        expect(busyCycles(fine.timeline, id)).toEqual(busyCycles(coarse.timeline, id));
      }
    }
  });
});

describe('the counters of a timeline', () => {
  it('sum up to the bytes of the report', async () => {
    const { report, timeline } = await render(SCENES[0]!, { timelineCycles: 256 });
    for (const { id, counters } of report.chiplets) {
      const samples = timeline.traceEvents.filter(
        ({ name, pid }) => name === 'memory bytes per cycle' && pid === id,
      );
      let bytes = 0;
      for (const [index, { ts, args }] of samples.slice(0, -1).entries()) {
        bytes += Number(args.read) * (samples[index + 1]!.ts! - ts!) * 1000;
      }
      // The copy engine is timed beside the machine.
      const copied = counters['memory.copyBytesRead'] ?? 0;
      expect(Math.round(bytes)).toBe((counters['memory.bytesRead'] ?? 0) - copied);
      const hits = timeline.traceEvents.filter(({ name }) => name === 'L2 hit rate');
      expect(hits.every(({ args }) => Number(args.rate) >= 0 && Number(args.rate) <= 1)).toBe(true);
    }
  });
});

describe('requireTimelineCycles', () => {
  it.each([
    [
      { timelineCycles: 0, timing: 'cycle' },
      'timeline cycles: 0 is not an integer from 1 to 65536',
    ],
    [{ timelineCycles: 1.5, timing: 'cycle' }, 'timeline cycles: 1.5 is not an integer'],
    [{ timelineCycles: 1 }, 'need timing cycle and coupling exact, not timing functional'],
    [{ timelineCycles: 1, timing: 'cycle', coupling: 'none' }, 'not coupling none'],
  ])('rejects %j', (options, message) => {
    expect(() => requireTimelineCycles(options)).toThrow(message);
  });

  it('accepts lengths with machines, and no length', () => {
    requireTimelineCycles({ timelineCycles: 1, timing: 'cycle' });
    requireTimelineCycles({ timing: 'functional' });
  });
});
