/**
 * Textures that uploads define levels of, and the checks that all uploads share (OpenGL ES 3.0,
 * section 3.8.3).
 */
import { RenderError, TEXTURE_FORMATS } from '@tessera/frame';
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { TexelStorage } from '../../texels/texel-storage.ts';
import type { ByteBudget } from '../byte-budget.ts';
import { bindingTargetOf, dimensionOf, faceOf } from '../samplers/texture-parameters.ts';
import type { TextureContents } from './texture-contents.ts';
import type { TextureObject } from './texture-object.ts';

/** Upper bound on the width and height of a level in pixels. */
export const MAX_TEXTURE_EDGE_PX = 8192;
/** Upper bound on the number of layers, and on the depth of 3D textures. */
export const MAX_TEXTURE_SLICES = 2048;

/** Level that an upload defines or replaces, and the size of the upload. */
export interface UploadPlace {
  readonly target: number;
  readonly level: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Depth of a 3D texture, or number of layers of an array. Default: 1. */
  readonly depthPx?: number | undefined;
}

/** Textures bound to the targets of uploads. */
export class UploadTargets {
  readonly #errors: GlErrors;
  readonly #budget: ByteBudget;
  readonly #bound: (target: number) => TextureObject;
  readonly #contents: TextureContents;

  /** @param bound Returns the texture bound to a target of the active unit. */
  constructor(
    errors: GlErrors,
    budget: ByteBudget,
    bound: (target: number) => TextureObject,
    contents: TextureContents,
  ) {
    this.#errors = errors;
    this.#budget = budget;
    this.#bound = bound;
    this.#contents = contents;
  }

  /** Returns the texture bound to an upload target, or `null` for an unknown target. */
  textureOf(target: number): TextureObject | null {
    const bindTarget = bindingTargetOf(target);
    return dimensionOf(bindTarget) === null ? null : this.#bound(bindTarget);
  }

  /** Resolves contents that passes have drawn, before an upload replaces a part of them. */
  prepare({ target, level }: UploadPlace, isNewLevel: boolean): void {
    const texture = this.textureOf(target);
    if (texture !== null) this.#contents.prepareUpload(texture, level, isNewLevel);
  }

  /** Returns the texture and cube face of an upload target, or `null` after an error. */
  find(caller: string, target: number): { texture: TextureObject; face: number } | null {
    const texture = this.textureOf(target);
    const isWholeCube = target === GL.TEXTURE_CUBE_MAP && caller !== 'generateMipmap';
    if (texture === null || isWholeCube) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `${caller}: ${nameOfEnum(target)} is not a texture target`,
      );
      return null;
    }
    return { texture, face: faceOf(target) };
  }

  /** Returns whether a texture can have a level of this size. Raises an error if it cannot. */
  isSize(caller: string, place: UploadPlace, { dimension }: TextureObject): boolean {
    const { widthPx, heightPx, depthPx = 1, level } = place;
    const maxPx = MAX_TEXTURE_EDGE_PX;
    const maxSlices = dimension === '3d' || dimension === '2d-array' ? MAX_TEXTURE_SLICES : 1;
    const isFitting =
      Math.min(widthPx, heightPx, depthPx) >= 0 &&
      Math.max(widthPx, heightPx) <= maxPx &&
      depthPx <= maxSlices &&
      (dimension !== 'cube' || widthPx === heightPx) &&
      level >= 0 &&
      level < 14;
    if (isFitting) return true;
    this.#errors.raise(
      GL.INVALID_VALUE,
      `${caller}: size ${widthPx}×${heightPx}×${depthPx} or level ${level} is out of range`,
    );
    return false;
  }

  /** Returns whether levels may change their size and format. Raises an error if they may not. */
  isShapeable(caller: string, { immutableLevels, name }: TextureObject): boolean {
    if (immutableLevels === null) return true;
    this.#errors.raise(GL.INVALID_OPERATION, `${caller}: texture ${name} is immutable`);
    return false;
  }

  /**
   * Reserves the memory of a level in place of the memory that the level has now. Raises an error
   * if the budget does not suffice.
   */
  reserve(
    caller: string,
    place: UploadPlace,
    found: { readonly texture: TextureObject; readonly face: number },
    { format }: TexelStorage,
  ): boolean {
    const { widthPx, heightPx, depthPx = 1, level } = place;
    const oldBytes = found.texture.level(level, found.face)?.texels.length ?? 0;
    const { bytesPerTexel } = TEXTURE_FORMATS[format];
    if (this.#budget.exchange(oldBytes, widthPx * heightPx * depthPx * bytesPerTexel)) return true;
    this.#errors.raise(
      GL.OUT_OF_MEMORY,
      `${caller}: ${widthPx}×${heightPx}×${depthPx} texels exceed the memory limit`,
    );
    return false;
  }

  /**
   * Rejects a new level beside levels that passes have drawn, because the contents of those levels
   * are not known here.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED.
   */
  requireReplaceable(caller: string, texture: TextureObject): void {
    if (!texture.isDrawnInto || texture.levels.isOne) return;
    throw new RenderError('FRAME_UNSUPPORTED', `${caller}: one image of several that were drawn`);
  }
}
