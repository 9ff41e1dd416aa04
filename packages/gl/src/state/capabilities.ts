/** What `enable` and `disable` switch. Those that chiplets do not have fail when something is drawn with them. */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../constants.ts';
import type { GlErrors } from './gl-errors.ts';

/** They shape the pipeline state of a draw. */
const MODELLED: readonly number[] = [
  ...[GL.BLEND, GL.CULL_FACE, GL.DEPTH_TEST, GL.POLYGON_OFFSET_FILL, GL.SCISSOR_TEST],
  GL.STENCIL_TEST,
];

/**
 * They change nothing here: targets have one sample a pixel and 8 bits a channel, and the others belong to
 * what a program replaces (OpenGL 2.1, sections 2.15 and 3.11): lighting, fog, texture application.
 */
const WITHOUT_EFFECT: readonly number[] = [
  ...[GL.DITHER, GL.MULTISAMPLE, GL.SAMPLE_ALPHA_TO_COVERAGE, GL.SAMPLE_ALPHA_TO_ONE],
  ...[GL.SAMPLE_COVERAGE, GL.INDEX_LOGIC_OP, GL.POLYGON_OFFSET_POINT, GL.POLYGON_OFFSET_LINE],
  ...[GL.VERTEX_PROGRAM_POINT_SIZE, GL.TEXTURE_2D],
  ...[0x0de0, 0x806f, 0x8513], // 1D, 3D, cube texture application
  ...[0x0b50, 0x0b57, 0x0b60, 0x0ba1, 0x803a, 0x8458], // lighting, colour material, fog, normalising, colour sum
  ...[0x4000, 0x4001, 0x4002, 0x4003, 0x4004, 0x4005, 0x4006, 0x4007], // lights
  ...[0x0c60, 0x0c61, 0x0c62, 0x0c63], // texture coordinate generation
  ...[0x92e0, 0x8242, 0x884f], // debug output, seamless cube maps
];

/** They change the picture also under a program. */
const MISSING: readonly number[] = [
  ...[GL.ALPHA_TEST, GL.COLOR_LOGIC_OP, GL.LINE_SMOOTH, GL.LINE_STIPPLE, GL.POINT_SMOOTH],
  ...[GL.POLYGON_SMOOTH, GL.POLYGON_STIPPLE, GL.DEPTH_CLAMP, GL.PRIMITIVE_RESTART],
  ...[GL.PRIMITIVE_RESTART_FIXED_INDEX, GL.RASTERIZER_DISCARD, GL.FRAMEBUFFER_SRGB],
  GL.VERTEX_PROGRAM_TWO_SIDE,
];

export class Capabilities {
  readonly #errors: GlErrors;
  readonly #enabled = new Set<number>([GL.DITHER, GL.MULTISAMPLE]);

  constructor(errors: GlErrors) {
    this.#errors = errors;
  }

  set(capability: number, isEnabled: boolean): void {
    if (!this.isCapability(capability)) {
      this.#errors.raise(GL.INVALID_ENUM, `enable or disable: ${nameOfEnum(capability)}`);
      return;
    }
    if (isEnabled) this.#enabled.add(capability);
    else this.#enabled.delete(capability);
  }

  /** Whether there is something of that number to switch. */
  isCapability(capability: number): boolean {
    return (
      (capability >= GL.CLIP_PLANE0 && capability <= GL.CLIP_PLANE5) ||
      MODELLED.includes(capability) ||
      WITHOUT_EFFECT.includes(capability) ||
      MISSING.includes(capability)
    );
  }

  has(capability: number): boolean {
    return this.#enabled.has(capability);
  }

  /** @throws {RenderError} FRAME_UNSUPPORTED if something is on that chiplets do not have. */
  requireModelled(): void {
    for (const capability of this.#enabled) {
      const isClipPlane = capability >= GL.CLIP_PLANE0 && capability <= GL.CLIP_PLANE5;
      if (isClipPlane || MISSING.includes(capability)) {
        throw new RenderError(
          'FRAME_UNSUPPORTED',
          `${nameOfEnum(capability)} is enabled at a draw`,
        );
      }
    }
  }
}
