/**
 * Rules about the levels of a texture: which levels form a complete set, and which can be attached
 * to a framebuffer (OpenGL ES 3.0, sections 3.8.13 and 4.4.4).
 */

import type { ContextCore } from '../context/context-core.ts';
import { GL } from '../interface/constants.ts';
import type { TextureImage, WebGLTexture } from '../objects/webgl-texture.ts';

const CUBE_FACES = 6;

/** Range of mipmap levels, both ends included. */
export interface LevelRange {
  readonly first: number;
  /** Last level; less than `first` if the range is empty. */
  readonly last: number;
}

/** Returns the levels of a texture that TEXTURE_BASE_LEVEL and TEXTURE_MAX_LEVEL select. */
export function levelRange({ gl }: ContextCore, texture: WebGLTexture): LevelRange {
  const object = gl.textures.object(texture.glName);
  const first = object?.parameter(GL.TEXTURE_BASE_LEVEL) ?? 0;
  const last = object?.parameter(GL.TEXTURE_MAX_LEVEL) ?? 1000;
  if (texture.isImmutable) {
    const top = texture.immutableLevelCount - 1;
    const base = Math.min(first, top);
    return { first: base, last: Math.min(Math.max(last, base), top) };
  }
  const image = texture.imageAt(first);
  if (image === null) return { first, last: first - 1 };
  return { first, last: Math.min(last, first + countHalvings(texture, image)) };
}

function countHalvings({ boundTarget: target }: WebGLTexture, image: TextureImage): number {
  const { widthPx, heightPx, depthPx } = image;
  const edgePx = Math.max(widthPx, heightPx, target === GL.TEXTURE_3D ? depthPx : 1);
  return 31 - Math.clz32(Math.max(1, edgePx));
}

/**
 * Returns whether all faces of a level are defined with equal size and format. Textures other than
 * cube maps have one face.
 */
function hasAllFaces(texture: WebGLTexture, level: number): boolean {
  if (texture.boundTarget !== GL.TEXTURE_CUBE_MAP) return texture.imageAt(level) !== null;
  const first = texture.imageAt(level);
  for (let face = 0; face < CUBE_FACES; face++) {
    const image = texture.imageAt(level, face);
    const isAlike =
      image !== null &&
      image.widthPx === first?.widthPx &&
      image.heightPx === first.heightPx &&
      image.internalFormat === first.internalFormat &&
      image.type === first.type;
    if (!isAlike) return false;
  }
  return true;
}

/**
 * Returns whether each level of a range is half the size of the previous level and has the same
 * format.
 */
function isMipmapComplete(texture: WebGLTexture, { first, last }: LevelRange): boolean {
  const base = texture.imageAt(first);
  if (base === null || last < first) return false;
  const isDeep = texture.boundTarget === GL.TEXTURE_3D;
  for (let level = first; level <= last; level++) {
    const half = (edgePx: number): number => Math.max(1, edgePx >> (level - first));
    const image = texture.imageAt(level);
    const isFitting =
      image !== null &&
      image.widthPx === half(base.widthPx) &&
      image.heightPx === half(base.heightPx) &&
      image.depthPx === (isDeep ? half(base.depthPx) : base.depthPx) &&
      image.internalFormat === base.internalFormat &&
      image.type === base.type &&
      hasAllFaces(texture, level);
    if (!isFitting) return false;
  }
  return true;
}

/** Returns whether a defined level can be attached to a framebuffer. */
export function isLevelAttachable(
  core: ContextCore,
  texture: WebGLTexture,
  level: number,
): boolean {
  if (!core.rules.areAttachedLevelsComplete) return hasAllFaces(texture, level);
  if (texture.isImmutable) return true;
  const range = levelRange(core, texture);
  if (level < range.first || level > range.last) return false;
  return level === range.first ? hasAllFaces(texture, level) : isMipmapComplete(texture, range);
}
