/**
 * Scenes of the benchmarks in this process: `terrain` and `quad`, which are generated at 1280×720,
 * and captures by name.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Frame } from '@tessera/frame';
import type { LocalGpu } from '@tessera/local-gpu';
import { terrainFrame, texturedQuadFrame } from '@tessera/scenes';
import { readCapture } from '../inputs/read-capture.ts';

const CAPTURES = resolve(import.meta.dirname, '../../../../../shared/captures');
const CAPTURED = ['bump', 'shading-phong', 'ideas'] as const;
const SIZE = { widthPx: 1280, heightPx: 720 } as const;
/** Makes the frame of a scene, which is part of the measurement. */
export type Scene = (gpu: LocalGpu) => Frame;

/**
 * Returns scenes by name, by default those that exist here.
 *
 * @throws {Error} For a name that is neither a scene nor a capture.
 */
export function chooseScenes(wanted: readonly string[] | undefined): (readonly [string, Scene])[] {
  const capture = (name: string) => join(CAPTURES, name, 'trace.trace');
  const names = wanted ?? [
    'terrain',
    'quad',
    ...CAPTURED.filter((name) => existsSync(capture(fileOf(name)))),
  ];
  return names.map((name) => {
    if (name === 'terrain') return [name, () => terrainFrame({ ...SIZE, triangles: 100_352 })];
    if (name === 'quad') return [name, () => texturedQuadFrame(SIZE)];
    const path = capture(fileOf(name));
    if (!existsSync(path)) throw new Error(`bench: '${name}' is neither a scene nor a capture`);
    const bytes = readFileSync(path);
    return [name, (gpu) => readCapture(bytes, 0, gpu.programs).frame];
  });
}

/** Returns the names of all captures that exist here, for `chooseScenes`. */
export function existingCaptures(): string[] {
  if (!existsSync(CAPTURES)) return [];
  return readdirSync(CAPTURES)
    .filter((name) => existsSync(join(CAPTURES, name, 'trace.trace')))
    .map((name) => `${name}-capture`);
}

/** Returns the path of a capture. Rejects a capture with the name of a generated scene. */
function fileOf(name: string): string {
  return name.replace(/-capture$/, '');
}
