/** Checks textures and samplers of a frame. */

import { RenderError } from './errors.ts';
import { fail, requireEdge, requireFinite, requireInteger, requireOneOf } from './frame-checks.ts';
import { COMPARE_FUNCTIONS } from './pipeline-state.ts';
import {
  BLOCK_BYTES,
  blockBytesOf,
  fullLevelCountOf,
  levelSizeOf,
  MAX_ANISOTROPY,
  MAX_TEXTURE_LEVELS,
  SAMPLE_COUNTS,
  type SamplerState,
  SWIZZLE_SOURCES,
  TEXTURE_DIMENSIONS,
  type TextureResource,
  texelBytesOf,
  WRAP_MODES,
} from './resources.ts';
import { TEXTURE_FORMATS } from './texture-formats.ts';

/** Maximum number of slices of a level: layers, or depth of a 3D texture. */
const MAX_SLICES = 2048;
/** Maximum edge length of any texture. */
const MAX_EDGE_PX = 8192;
const MIN_BLOCK_EDGE_PX = 4;
const MAX_BLOCK_EDGE_PX = 12;

/**
 * Checks a texture and returns the size of all its levels in bytes, including levels that are not
 * given.
 *
 * @throws {RenderError} FRAME_INVALID
 */
export function validateTexture(at: string, texture: TextureResource, maxEdgePx: number): number {
  const { format, dimension = '2d', widthPx, heightPx, levels, isMipmapGenerated } = texture;
  requireOneOf(`${at}.format`, format, Object.keys(TEXTURE_FORMATS));
  requireOneOf(`${at}.dimension`, dimension, TEXTURE_DIMENSIONS);
  requireEdge(`${at}.widthPx`, widthPx, maxEdgePx);
  requireEdge(`${at}.heightPx`, heightPx, maxEdgePx);
  if (dimension === 'cube' && widthPx !== heightPx) {
    fail(at, `cube faces must be square, not ${widthPx} × ${heightPx}`);
  }
  if (texture.sliceCount !== undefined) {
    const fixed = dimension === '2d' ? 1 : dimension === 'cube' ? 6 : null;
    requireInteger(`${at}.sliceCount`, texture.sliceCount, fixed ?? 1, fixed ?? MAX_SLICES);
  }
  const fullChain = fullLevelCountOf(texture);
  requireInteger(`${at}.levels.length`, levels.length, 0, fullChain);
  if (texture.levelCount !== undefined) {
    const fewest = Math.max(1, levels.length);
    requireInteger(`${at}.levelCount`, texture.levelCount, fewest, fullChain);
  }
  const { kind } = TEXTURE_FORMATS[format];
  checkSampleCount(at, texture);
  checkBlocks(at, texture);
  if (isMipmapGenerated) {
    if (levels.length > 1 || (texture.levelCount ?? 1) > 1) {
      fail(`${at}.levels`, 'only level 0 may be given if the others are generated');
    }
    if (kind !== 'float') fail(`${at}.isMipmapGenerated`, `${format} texels cannot be averaged`);
  }
  const levelCount = isMipmapGenerated ? fullChain : (texture.levelCount ?? levels.length);
  let sizeBytes = 0;
  for (let level = 0; level < Math.max(1, levelCount); level++) {
    const size = levelSizeOf(texture, level);
    const wanted = size.widthPx * size.heightPx * size.sliceCount * texelBytesOf(texture);
    sizeBytes += wanted;
    const given = levels[level];
    if (given !== undefined && given.length !== wanted) {
      fail(`${at}.levels[${level}]`, `${given.length} bytes instead of ${wanted}`);
    }
  }
  return sizeBytes;
}

function checkBlocks(at: string, texture: TextureResource): void {
  const { format, blockBytes } = texture;
  for (const name of ['blockWidthPx', 'blockHeightPx'] as const) {
    const edgePx = texture[name];
    if (edgePx === undefined) continue;
    requireInteger(`${at}.${name}`, edgePx, MIN_BLOCK_EDGE_PX, MAX_BLOCK_EDGE_PX);
    if (blockBytes === undefined) fail(`${at}.${name}`, 'blockBytes is missing');
  }
  if (blockBytes === undefined) return;
  const allowed = BLOCK_BYTES.filter((size) => size <= blockBytesOf({ format }));
  if (!allowed.includes(blockBytes)) {
    fail(`${at}.blockBytes`, `${blockBytes} is not one of ${allowed.join(', ')} for ${format}`);
  }
}

/**
 * Checks a number of samples.
 *
 * @throws {RenderError} FRAME_INVALID if it is not one of {@link SAMPLE_COUNTS}.
 */
export function requireSampleCount(at: string, sampleCount = 1): void {
  if (SAMPLE_COUNTS.includes(sampleCount)) return;
  fail(at, `${sampleCount} is not one of ${SAMPLE_COUNTS.join(', ')}`);
}

function checkSampleCount(at: string, texture: TextureResource): void {
  const { format, dimension = '2d', sampleCount = 1, levelCount = 1, levels } = texture;
  requireSampleCount(`${at}.sampleCount`, sampleCount);
  if (sampleCount === 1) return;
  const isOneLevel = !texture.isMipmapGenerated && Math.max(levelCount, levels.length) <= 1;
  if (dimension !== '2d' || !isOneLevel || !TEXTURE_FORMATS[format].isTarget) {
    fail(
      `${at}.sampleCount`,
      'a multisample texture must be 2d and have one level and a target format',
    );
  }
}

/** Returns why a frame with the texture would be rejected, or null if it would not. */
export function findTextureProblem(texture: TextureResource): string | null {
  try {
    validateTexture('', texture, MAX_EDGE_PX);
    return null;
  } catch (error) {
    if (error instanceof RenderError) return error.message.replace(/^\./, '');
    throw error;
  }
}

/**
 * Checks the state of a sampler.
 *
 * @throws {RenderError} FRAME_INVALID
 */
export function validateSampler(at: string, sampler: SamplerState): void {
  for (const name of ['wrapS', 'wrapT', 'wrapR'] as const) {
    requireOneOf(`${at}.${name}`, sampler[name] ?? 'repeat', WRAP_MODES);
  }
  requireOneOf(`${at}.magFilter`, sampler.magFilter, ['nearest', 'linear']);
  requireOneOf(`${at}.minFilter`, sampler.minFilter, ['nearest', 'linear']);
  requireOneOf(`${at}.mipmapFilter`, sampler.mipmapFilter, ['none', 'nearest', 'linear']);
  if (sampler.compare !== undefined) {
    requireOneOf(`${at}.compare`, sampler.compare, COMPARE_FUNCTIONS);
  }
  requireInteger(`${at}.maxAnisotropy`, sampler.maxAnisotropy ?? 1, 1, MAX_ANISOTROPY);
  for (const name of ['lodBias', 'minLod', 'maxLod'] as const) {
    requireFinite(`${at}.${name}`, sampler[name] ?? 0);
  }
  const { baseLevel = 0, maxLevel = MAX_TEXTURE_LEVELS } = sampler;
  requireInteger(`${at}.baseLevel`, baseLevel, 0, MAX_TEXTURE_LEVELS);
  requireInteger(`${at}.maxLevel`, maxLevel, baseLevel, MAX_TEXTURE_LEVELS);
  if (sampler.borderColor !== undefined) {
    requireInteger(`${at}.borderColor.length`, sampler.borderColor.length, 4, 4);
    for (const component of sampler.borderColor) requireFinite(`${at}.borderColor`, component);
  }
  if (sampler.swizzle !== undefined) {
    requireInteger(`${at}.swizzle.length`, sampler.swizzle.length, 4, 4);
    for (const source of sampler.swizzle) requireOneOf(`${at}.swizzle`, source, SWIZZLE_SOURCES);
  }
}
