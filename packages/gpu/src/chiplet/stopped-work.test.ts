/** Proves that work stopped by another thread leaves no trace in later results. */

import { defineChipletSpec } from '@tessera/chiplet-spec';
import { type PreparedFrame, StopWords, type Timing } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import {
  type HarnessDraw,
  makeFrame,
  rectangle,
  renderFrameOnChiplet,
  vertexAt,
} from '../testing/chiplet-harness.ts';
import { SimulatedChiplet } from './simulated-chiplet.ts';

/** Small batches and lists, so that work checks often whether it must stop. */
const SPEC = defineChipletSpec({
  name: 'test',
  maxBinPixels: 2 ** 15,
  texturePoolBytes: 2 ** 20,
  batchPrimitives: 32,
});
const TARGET = { widthPx: 160, heightPx: 96 };
const SIDES = { columns: 2, rows: 1 };

/** Counts the checks, and stops the run at one of them. */
class StopsAt extends StopWords {
  asked = 0;
  at = Number.POSITIVE_INFINITY;
  #ticket = 0;

  override begin(ticket: number): void {
    this.#ticket = ticket;
    super.begin(ticket);
  }

  override isStopped(): boolean {
    if (++this.asked === this.at) this.stop(this.#ticket);
    return super.isStopped();
  }
}

function triangles(count: number, red: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const [x, y] = [(i * 37) % 150, (i * 53) % 90];
    const color = [red, (i % 7) / 7, (i % 3) / 3, 1] as const;
    return [
      ...vertexAt(TARGET, x, y, (i % 11) / 11, color),
      ...vertexAt(TARGET, x, y + 30, 0.5, color),
      ...vertexAt(TARGET, x + 40, y, 0.3, color),
    ];
  }).flat();
}

function frameOf(draws: readonly HarnessDraw[], timing: Timing): PreparedFrame {
  const visibility = { visibilityShader: 'full', earlyBinId: 1 } as const;
  return makeFrame(draws, { ...TARGET, ...SIDES, ...visibility, timing, spec: SPEC });
}

describe('work that is stopped', () => {
  it.each(['functional', 'cycle'] as const)(
    'gives no result, and the next frame is as on a new chiplet: %s, stopped at many places',
    (timing) => {
      const stopped = frameOf(
        [
          { vertices: triangles(90, 5.7), fragment: 'loop-by-red' },
          { vertices: rectangle(TARGET, 3, 5, 150, 90, 0.2), fragment: 'discard-low-red' },
          { vertices: triangles(40, 0.7), fragment: 'depth-from-alpha' },
        ],
        timing,
      );
      const next = frameOf(
        [
          { vertices: triangles(70, 2.3), fragment: 'loop-by-red' },
          { vertices: triangles(20, 0.4), fragment: 'smooth' },
        ],
        timing,
      );
      const expected = renderFrameOnChiplet(next, new SimulatedChiplet(SPEC));
      const words = new StopsAt();
      const chiplet = new SimulatedChiplet(SPEC, words);
      let ticket = 1;
      words.begin(ticket++);
      // Timings of the copy engine are kept, so only the first frame asks while they are made.
      const whole = renderFrameOnChiplet(stopped, chiplet);
      words.asked = 0;
      expect(renderFrameOnChiplet(stopped, chiplet)).toEqual(whole);
      const places = words.asked;
      expect(places).toBeGreaterThan(20);
      for (let place = 1; place <= places; place += 4) {
        words.begin(ticket++);
        words.asked = 0;
        words.at = place;
        expect(() => renderFrameOnChiplet(stopped, chiplet)).toThrow(
          expect.objectContaining({ code: 'FRAME_CANCELLED' }),
        );
        words.at = Number.POSITIVE_INFINITY;
        words.begin(ticket++);
        expect(renderFrameOnChiplet(next, chiplet)).toEqual(expected);
      }
      expect(renderFrameOnChiplet(stopped, chiplet)).toEqual(whole);
    },
  );
});
