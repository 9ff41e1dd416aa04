/** Replays recorded captures that may be stored beside the repository; skipped without them. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Draw, validateFrame } from '@tessera/frame';
import { compileProgram } from '@tessera/shader';
import { describe, expect, it } from 'vitest';
import { reflectByCompiling } from '../objects/programs/program-reflection.ts';
import { readCalls } from './format/capture-reader.ts';
import { listShaders } from './list-shaders.ts';
import { replayFrame } from './replay.ts';

const FOLDER = resolve(import.meta.dirname, '../../../../../shared/captures');

/** Fields of a capture's inventory that these tests compare. */
interface Inventory {
  readonly total_calls: number;
  readonly functions: Readonly<Record<string, number>>;
  readonly shaders: readonly { readonly id: string }[];
  readonly draw_calls: number;
  readonly draw_calls_offscreen: number;
  readonly vertices: number;
  readonly modes: Readonly<Record<string, number>>;
  readonly index_types: Readonly<Record<string, number>>;
  readonly viewports: Readonly<Record<string, number>>;
  readonly caps_at_draws: Readonly<Record<string, number>>;
}

const NAMES = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('trace.trace'))
      .map((name) => name.slice(0, -'/trace.trace'.length))
      .sort()
  : [];

function readCapture(name: string): { file: Uint8Array; inventory: Inventory } {
  return {
    file: readFileSync(join(FOLDER, name, 'trace.trace')),
    inventory: JSON.parse(readFileSync(join(FOLDER, name, 'inventory.json'), 'utf8')),
  };
}

function replay(file: Uint8Array) {
  const reflection = reflectByCompiling({ compile: compileProgram });
  return replayFrame(readCalls(file), { reflection, frame: 0 });
}

function countBy<T>(list: readonly T[], keyOf: (entry: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of list) counts[keyOf(entry)] = (counts[keyOf(entry)] ?? 0) + 1;
  return counts;
}

function modeOf({ topology }: Draw): string {
  return `GL_${topology.toUpperCase().replace('-', '_')}`;
}

describe.skipIf(NAMES.length === 0)('recorded captures', () => {
  const names = NAMES.length === 0 ? ['none'] : NAMES;

  it.each(names)('%s holds the calls and shaders of its inventory', (name) => {
    const { file, inventory } = readCapture(name);
    const calls = [...readCalls(file)];
    expect(calls).toHaveLength(inventory.total_calls);
    expect(countBy(calls, (call) => call.name)).toEqual(inventory.functions);
    const ids = listShaders(calls).shaders.map((shader) =>
      createHash('sha1').update(shader.source).digest('hex').slice(0, 12),
    );
    expect(ids.sort()).toEqual(inventory.shaders.map((shader) => shader.id).sort());
  });

  it.each(names.filter((name) => !name.startsWith('terrain')))(
    '%s becomes a valid frame with the draws of its inventory',
    (name) => {
      const { file, inventory } = readCapture(name);
      const { frame, errors } = replay(file);
      validateFrame(frame);
      expect(errors).toEqual([]);
      const [widthPx, heightPx] = name.endsWith('200x150') ? [200, 150] : [800, 600];
      expect([frame.widthPx, frame.heightPx]).toEqual([widthPx, heightPx]);
      const { draws } = frame.passes[0]!;
      expect(inventory.draw_calls_offscreen).toBe(0);
      expect(draws).toHaveLength(inventory.draw_calls);
      expect(draws.reduce((sum, draw) => sum + draw.count, 0)).toBe(inventory.vertices);
      expect(countBy(draws, modeOf)).toEqual(inventory.modes);
      expect(draws.filter((draw) => draw.indices !== null)).toHaveLength(
        Object.values(inventory.index_types).reduce((sum, count) => sum + count, 0),
      );
      const enabled = draws.flatMap(({ state }) => [
        ...(state.cullMode === 'none' ? [] : ['GL_CULL_FACE']),
        ...(state.depth.isTestEnabled ? ['GL_DEPTH_TEST'] : []),
        ...(state.blend.isEnabled ? ['GL_BLEND'] : []),
      ]);
      expect(countBy(enabled, String)).toEqual(inventory.caps_at_draws);
    },
  );

  it.runIf(NAMES.includes('terrain/200x150'))(
    'terrain becomes a valid frame with the passes of its inventory',
    () => {
      const { file, inventory } = readCapture('terrain/200x150');
      const { frame, errors } = replay(file);
      validateFrame(frame);
      expect(errors).toEqual([]);
      const draws = frame.passes.flatMap((pass) => pass.draws);
      expect(draws).toHaveLength(inventory.draw_calls);
      const offscreen = frame.passes.filter(({ target }) => target !== undefined);
      expect(offscreen).toHaveLength(inventory.draw_calls_offscreen);
      expect(draws.reduce((sum, draw) => sum + draw.count, 0)).toBe(inventory.vertices);
    },
  );
});
