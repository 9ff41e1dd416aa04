/** `texStorage…`, which allocates all levels of a texture (WebGL 2.0, section 3.7.6). */
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import type { TextureImage, WebGLTexture } from '../../objects/webgl-texture.ts';
import {
  findCompressedFormat,
  isCompressedSize,
  isCompressedTarget,
} from '../../rules/compressed-formats.ts';
import { findSizedFormat } from '../../rules/internal-formats.ts';
import { isLevelSize } from './texture-upload.ts';

/** Arguments of a call; `depthPx` is 1 in 2D. */
interface StorageCall {
  readonly caller: string;
  readonly target: number;
  readonly levels: number;
  readonly internalFormat: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly depthPx: number;
}

/** Allocates the levels of the texture bound to the target. */
function defineStorage(core: ContextCore, call: StorageCall, dimension: '2d' | '3d'): void {
  const { caller, target, levels, internalFormat, widthPx, heightPx, depthPx } = call;
  const isTarget =
    dimension === '2d'
      ? target === GL.TEXTURE_2D || target === GL.TEXTURE_CUBE_MAP
      : target === GL.TEXTURE_3D || target === GL.TEXTURE_2D_ARRAY;
  const format = findSizedFormat(internalFormat);
  const isCompressed = findCompressedFormat(core, internalFormat) !== null;
  const isKnown = isCompressed || (format !== null && internalFormat !== GL.STENCIL_INDEX8);
  if (!isTarget || !isKnown) {
    core.raise(
      GL.INVALID_ENUM,
      caller,
      `target ${enumName(target)} with internal format ${enumName(internalFormat)} is not accepted`,
    );
    return;
  }
  const texture = core.textureUnits.bound(target);
  if (texture === null || texture.isImmutable) {
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      texture === null ? 'no texture is bound' : 'the texture is immutable',
    );
    return;
  }
  if (levels < 1 || Math.min(widthPx, heightPx, depthPx) < 1) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `level count ${levels} and size ${widthPx}×${heightPx}×${depthPx} must be at least 1`,
    );
    return;
  }
  const firstTarget = target === GL.TEXTURE_CUBE_MAP ? GL.TEXTURE_CUBE_MAP_POSITIVE_X : target;
  const base = { ...call, level: 0 };
  if (!isLevelSize(core, { ...base, target: firstTarget })) return;
  const edgePx = Math.max(widthPx, heightPx, target === GL.TEXTURE_3D ? depthPx : 1);
  const isDepth = format !== null && format.bits[4] > 0;
  if (levels > 32 - Math.clz32(edgePx) || (isDepth && target === GL.TEXTURE_3D)) {
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      `${enumName(target)} of ${widthPx}×${heightPx} cannot have ${levels} levels of ${enumName(internalFormat)}`,
    );
    return;
  }
  const isFitting =
    !isCompressed ||
    (isCompressedTarget(core, caller, target, internalFormat) &&
      isCompressedSize(core, caller, internalFormat, base));
  if (!isFitting) return;
  const { uploads } = core.gl.textures;
  const before = core.errorCount;
  if (dimension === '2d') uploads.storage(target, levels, internalFormat, widthPx, heightPx);
  else uploads.storage(target, levels, internalFormat, widthPx, heightPx, depthPx);
  if (core.errorCount !== before) return;
  const upload = { format: format?.format ?? 0, type: format?.types[0] ?? 0 };
  setLevels(texture, levels, { ...call, ...upload });
}

/** Records the definition of all levels in WebGL's view of the texture. */
function setLevels(
  texture: WebGLTexture,
  levels: number,
  { internalFormat, format, type, widthPx, heightPx, depthPx }: TextureImage,
): void {
  texture.isImmutable = true;
  texture.immutableLevelCount = levels;
  const faces = texture.boundTarget === GL.TEXTURE_CUBE_MAP ? 6 : 1;
  for (let level = 0; level < levels; level++) {
    const half = (edge: number): number => Math.max(1, edge >> level);
    const slices = texture.boundTarget === GL.TEXTURE_3D ? half(depthPx) : depthPx;
    const size = { widthPx: half(widthPx), heightPx: half(heightPx), depthPx: slices };
    for (let face = 0; face < faces; face++) {
      texture.setImage(level, face, { internalFormat, format, type, ...size });
    }
  }
}

/** WebGL calls that allocate the levels of textures. */
export const textureStorageCalls = {
  texStorage2D(
    this: ContextObject,
    target: number,
    levels: number,
    internalFormat: number,
    width: number,
    height: number,
  ): void {
    const ids = { target: target >>> 0, levels: levels | 0, internalFormat: internalFormat >>> 0 };
    const size = { widthPx: width | 0, heightPx: height | 0, depthPx: 1 };
    defineStorage(this[CORE], { caller: 'texStorage2D', ...ids, ...size }, '2d');
  },

  texStorage3D(
    this: ContextObject,
    target: number,
    levels: number,
    internalFormat: number,
    width: number,
    height: number,
    depth: number,
  ): void {
    const ids = { target: target >>> 0, levels: levels | 0, internalFormat: internalFormat >>> 0 };
    const size = { widthPx: width | 0, heightPx: height | 0, depthPx: depth | 0 };
    defineStorage(this[CORE], { caller: 'texStorage3D', ...ids, ...size }, '3d');
  },
};
