/**
 * A specification that times the records of another one's rendering gives the cycles of a rendering
 * of its own, for each parameter that is not in RECORD_PARAMETERS.
 */

import {
  type ChipletSpec,
  DEFAULT_CHIPLET_SPEC,
  PARAMETER_NAMES,
  RECORD_PARAMETERS,
  type SettingValue,
  SPEC_CHOICES,
  SPEC_FIELDS,
  SPEC_SWITCHES,
  withSettings,
} from '@tessera/chiplet-spec';
import { type Frame, MAX_ALTERNATIVE_SPECS, type RenderError } from '@tessera/frame';
import { MachinePool } from '@tessera/gpu';
import { LocalGpu } from '@tessera/local-gpu';
import {
  DEFAULT_INTERCONNECT,
  DEFAULT_OVERLAP,
  type FrameMeasurement,
  measurementWith,
  resolvePolicyName,
  simulateFrames,
} from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import { makeFrame, type PixelPosition } from '../conformance/scene/draw-scene.ts';
import { GOLDEN_SCENES } from '../golden/scenes.ts';

const OPTIONS = { timing: 'cycle', coupling: 'none', grid: { kind: 'bins', count: 4 } } as const;
const GROUP = MAX_ALTERNATIVE_SPECS;

/** Returns other values of a parameter, the one that changes most first. */
function otherValues(name: string): SettingValue[] {
  const value = DEFAULT_CHIPLET_SPEC[name as keyof ChipletSpec];
  if (Object.hasOwn(SPEC_SWITCHES, name)) return [!value];
  if (Object.hasOwn(SPEC_CHOICES, name)) {
    const { values } = SPEC_CHOICES[name as keyof typeof SPEC_CHOICES];
    return values.filter((other) => other !== value);
  }
  const { min, max } = SPEC_FIELDS[name as keyof typeof SPEC_FIELDS];
  const now = Number(value);
  return [min, Math.floor(now / 2), 2 * now, now + 1, max].filter(
    (other) => other !== now && other >= min && other <= max,
  );
}

/** Returns the default specification with another value of a parameter. */
function vary(name: string): ChipletSpec {
  for (const value of otherValues(name)) {
    try {
      return withSettings(DEFAULT_CHIPLET_SPEC, { [name]: value });
    } catch {
      // The value does not fit those of other parameters.
    }
  }
  throw new Error(`${name}: no other value is possible`);
}

/** Returns a frame whose vertices take times of their own, so that the chip reads their logs. */
function loopingVertices(): Frame {
  const corners = Array.from({ length: 600 }, (_, i): PixelPosition => {
    const [column, row] = [(i / 3) % 20, Math.floor(i / 60)];
    return [12 * column + 40 * ((i % 3) & 1), 18 * row + 30 * ((i % 3) >> 1) + 2, 1 - i / 600];
  });
  const vertexSource = `#version 300 es
in vec4 position;
void main() {
  float sum = 0.0;
  for (int i = 0; i < gl_VertexID % 23; i++) sum = sum * 0.5 + 0.25;
  gl_Position = position + vec4(0.0, 0.0, sum * 0.125, 0.0);
}`;
  const draws = [{ positions: corners, vertexSource }];
  return makeFrame({ widthPx: 256, heightPx: 192, draws });
}

async function measure(frame: Frame, spec: ChipletSpec): Promise<FrameMeasurement> {
  return (await new LocalGpu({ spec }).render(frame, OPTIONS)).measurement;
}

/** Returns a measurement without counters, which alternatives do not have. */
function withoutCounters({ passes }: FrameMeasurement): FrameMeasurement {
  return {
    passes: passes.map(({ copyWork, ...pass }) => ({
      ...pass,
      copyWork: {
        ...copyWork,
        timings: copyWork.timings.map(({ cycles }) => ({ cycles, counters: {} })),
      },
    })),
  };
}

describe('alternative specifications', () => {
  const specs = PARAMETER_NAMES.filter(
    (name) => !(RECORD_PARAMETERS as readonly string[]).includes(name),
  ).map(vary);

  it.each([
    ['texture-linear-interpolation', 1 / 3],
    ['random-triangles', 1 / 3],
    ['loops in vertex shaders', 1 / 4],
  ] as const)(
    'measure %s as renderings of their own do, whatever parameter differs',
    async (scene, leastShare) => {
      const frame = await (GOLDEN_SCENES[scene] ?? loopingVertices)();
      const gpu = new LocalGpu();
      const alone = await measure(frame, DEFAULT_CHIPLET_SPEC);
      let changed = 0;
      for (let first = 0; first < specs.length; first += GROUP) {
        const alternativeSpecs = specs.slice(first, first + GROUP);
        const { measurement } = await gpu.render(frame, { ...OPTIONS, alternativeSpecs });
        for (const [i, spec] of alternativeSpecs.entries()) {
          const expected = await measure(frame, spec);
          expect(measurementWith(measurement, i), spec.name).toEqual(withoutCounters(expected));
          if (JSON.stringify(expected) !== JSON.stringify(alone)) changed++;
        }
      }
      expect(changed).toBeGreaterThan(leastShare * specs.length);
    },
    240_000,
  );

  it('time the records of chiplets that run on as renderings of their own do', async () => {
    const frame = await GOLDEN_SCENES['random-triangles']!();
    const options = { ...OPTIONS, coupling: 'exact', policy: 'dynamic' } as const;
    const cycles = new Set<number>();
    for (let first = 0; first < specs.length; first += GROUP) {
      const alternativeSpecs = specs.slice(first, first + GROUP);
      const { measurement } = await new LocalGpu().render(frame, { ...options, alternativeSpecs });
      for (const [i, spec] of alternativeSpecs.entries()) {
        const gpu = new LocalGpu({ chipletCount: 2, spec });
        const { report } = await gpu.render(frame, options);
        const pool = new MachinePool(spec);
        const { frames } = simulateFrames([measurementWith(measurement, i)], {
          chipletCount: 2,
          isVisibilityChipletRendering: true,
          policy: resolvePolicyName(options.policy),
          interconnect: DEFAULT_INTERCONNECT,
          overlap: DEFAULT_OVERLAP,
          framesInFlight: 1,
          makeMachine: () => pool.take(),
        });
        expect(frames[0]!.endCycle, spec.name).toBe(report.totals.cycles);
        cycles.add(frames[0]!.endCycle);
      }
    }
    expect(cycles.size).toBeGreaterThan(specs.length / 3);
  }, 120_000);

  it('do not change image, report and measurement of the frame itself', async () => {
    const frame = await GOLDEN_SCENES['random-triangles']!();
    const [alone, together] = [
      await new LocalGpu().render(frame, OPTIONS),
      await new LocalGpu().render(frame, { ...OPTIONS, alternativeSpecs: specs.slice(0, 3) }),
    ];
    expect(together.image).toEqual(alone.image);
    expect({ ...together.report, wall: null }).toEqual({ ...alone.report, wall: null });
  });

  it.each(RECORD_PARAMETERS)('with another %s are refused', async (name) => {
    const frame = await GOLDEN_SCENES.cube!();
    const alternativeSpecs = [vary(name)];
    const error = await new LocalGpu()
      .render(frame, { ...OPTIONS, alternativeSpecs })
      .catch((thrown: RenderError) => thrown);
    expect(error).toMatchObject({ code: 'REQUEST_INVALID' });
    expect((error as RenderError).message).toContain(`${name}: `);
  });
});
