/**
 * Texture targets of samplers. In a frame, 1D, rectangle and buffer samplers are 2D samplers, and
 * arrays of 1D textures are arrays of 2D ones, so their target is read from the GLSL source.
 */
import type { ProgramSource, TextureDimension } from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';

const TARGET_BY_DIMENSION: Readonly<Record<TextureDimension, number>> = {
  '2d': GL.TEXTURE_2D,
  cube: GL.TEXTURE_CUBE_MAP,
  '3d': GL.TEXTURE_3D,
  '2d-array': 0x8c1a,
};

const DECLARATION = /\b[iu]?sampler(1DArray|1D|2DRect|Buffer)(?:Shadow)?\s+([\w\s,[\]]+);/g;
const TARGET_BY_KIND: Readonly<Record<string, number>> = {
  '1D': FIXED.TEXTURE_1D,
  '1DArray': FIXED.TEXTURE_1D_ARRAY,
  '2DRect': FIXED.TEXTURE_RECTANGLE,
  Buffer: FIXED.TEXTURE_BUFFER,
};

const targetsBySource = new WeakMap<ProgramSource, ReadonlyMap<string, number>>();

/**
 * Returns the targets of the samplers that a program declares as 1D, rectangle or buffer samplers.
 */
function listDeclared(source: ProgramSource): ReadonlyMap<string, number> {
  let targets = targetsBySource.get(source);
  if (targets === undefined) {
    const text = `${source.vertexSource}\n${source.fragmentSource}`;
    targets = new Map(
      [...text.matchAll(DECLARATION)].flatMap(([, kind, names = '']) => {
        const target = TARGET_BY_KIND[kind!]!;
        return names.split(',').map((name) => [name.replace(/\[.*$/, '').trim(), target] as const);
      }),
    );
    targetsBySource.set(source, targets);
  }
  return targets;
}

/**
 * Returns the texture target of a sampler.
 *
 * @param name Reflected name, such as `lights[0].map`. Only the last member name is looked up.
 */
export function samplerTarget(
  source: ProgramSource,
  name: string,
  dimension: TextureDimension,
): number {
  const target = TARGET_BY_DIMENSION[dimension];
  if (dimension !== '2d' && dimension !== '2d-array') return target;
  const targets = listDeclared(source);
  if (targets.size === 0) return target;
  const declared = name.replace(/\[\d+\]$/, '').replace(/^.*\./, '');
  return targets.get(declared) ?? target;
}
