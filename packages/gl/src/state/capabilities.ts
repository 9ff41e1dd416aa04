/** Switches of `enable` and `disable`. */
import { GL, nameOfEnum } from '../api/constants.ts';
import { CLIP_PLANE_COUNT, FIXED, LIGHT_COUNT } from '../api/fixed-constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import type { ApiRules } from '../rules/api-rules.ts';

/** Capabilities that are part of a draw's pipeline state. */
const MODELLED: readonly number[] = [
  ...[GL.BLEND, GL.CULL_FACE, GL.DEPTH_TEST, GL.POLYGON_OFFSET_FILL, GL.SCISSOR_TEST],
  GL.STENCIL_TEST,
  // Multisampling, which affects targets with several samples per pixel. The screen has one.
  ...[GL.SAMPLE_ALPHA_TO_COVERAGE, GL.SAMPLE_COVERAGE],
  // sRGB conversion, which affects sRGB targets. The screen is not an sRGB target.
  GL.FRAMEBUFFER_SRGB,
  // Capabilities that split draws into pieces or suppress them.
  ...[GL.PRIMITIVE_RESTART, GL.PRIMITIVE_RESTART_FIXED_INDEX, GL.RASTERIZER_DISCARD],
  ...[GL.STENCIL_TEST_TWO_SIDE_EXT, GL.TEXTURE_CUBE_MAP_SEAMLESS],
];

/** Capabilities without effect here: the screen has one sample per pixel and 8 bits per channel. */
const WITHOUT_EFFECT: readonly number[] = [
  // Mesa's software renderers fill smooth polygons like others.
  GL.POLYGON_SMOOTH,
  ...[GL.DITHER, GL.MULTISAMPLE, GL.SAMPLE_ALPHA_TO_ONE, GL.INDEX_LOGIC_OP],
  ...[0x92e0, 0x8242], // Debug output.
  // Evaluators and the imaging subset, which act in functions that are refused by name.
  ...[0x0d80, 0x0d90, 0x0d91, 0x0d92, 0x0d93, 0x0d94, 0x0d95, 0x0d96, 0x0d97, 0x0d98],
  ...[0x0db0, 0x0db1, 0x0db2, 0x0db3, 0x0db4, 0x0db5, 0x0db6, 0x0db7, 0x0db8],
];

/** `CLIP_PLANE` i and `CLIP_DISTANCE` i are one capability. */
const CLIP_PLANES = Array.from({ length: CLIP_PLANE_COUNT }, (_, plane) => GL.CLIP_PLANE0 + plane);

/** Capabilities of desktop OpenGL, most of which generated shaders implement (`fixed/`). */
const GENERATED: readonly number[] = [
  ...[GL.ALPHA_TEST, GL.VERTEX_PROGRAM_POINT_SIZE, GL.VERTEX_PROGRAM_TWO_SIDE, GL.POLYGON_STIPPLE],
  ...[FIXED.LIGHTING, FIXED.COLOR_MATERIAL, FIXED.FOG, FIXED.NORMALIZE, FIXED.RESCALE_NORMAL],
  ...[FIXED.COLOR_SUM, FIXED.POINT_SPRITE, GL.COLOR_LOGIC_OP],
  ...[GL.POLYGON_OFFSET_POINT, GL.POLYGON_OFFSET_LINE],
  ...[GL.LINE_SMOOTH, GL.LINE_STIPPLE, GL.POINT_SMOOTH, GL.DEPTH_CLAMP],
  ...[GL.VERTEX_PROGRAM_ARB, GL.FRAGMENT_PROGRAM_ARB, GL.FRAGMENT_SHADER_ATI],
  ...Array.from({ length: LIGHT_COUNT }, (_, light) => FIXED.LIGHT0 + light),
  ...CLIP_PLANES,
];

/** Capabilities that each texture unit has separately. */
const OF_UNIT: ReadonlySet<number> = new Set([
  ...[FIXED.TEXTURE_1D, GL.TEXTURE_2D, GL.TEXTURE_3D, GL.TEXTURE_CUBE_MAP],
  FIXED.TEXTURE_RECTANGLE,
  ...[FIXED.TEXTURE_GEN_S, FIXED.TEXTURE_GEN_T, FIXED.TEXTURE_GEN_R, FIXED.TEXTURE_GEN_Q],
]);
const UNIT_STEP = 0x10000;

const ALL: ReadonlySet<number> = new Set([
  ...MODELLED,
  ...WITHOUT_EFFECT,
  ...GENERATED,
  ...OF_UNIT,
]);

/** Capabilities that OpenGL ES lacks, whose sRGB targets are always written with conversion. */
const DESKTOP_ONLY: readonly number[] = [
  ...[GL.FRAMEBUFFER_SRGB, GL.PRIMITIVE_RESTART],
  ...[GL.STENCIL_TEST_TWO_SIDE_EXT, GL.TEXTURE_CUBE_MAP_SEAMLESS],
];

/** Capabilities of OpenGL ES. */
const ES: ReadonlySet<number> = new Set([
  ...MODELLED.filter((capability) => !DESKTOP_ONLY.includes(capability)),
  GL.DITHER,
  ...[0x92e0, 0x8242],
]);

/** Switches of one context. */
export class Capabilities {
  readonly #errors: GlErrors;
  readonly #known: ReadonlySet<number>;
  readonly #activeUnit: () => number;
  readonly #onEnable: (capability: number) => void;
  #enabled: ReadonlySet<number> = new Set([GL.DITHER, GL.MULTISAMPLE]);

  /**
   * @param activeUnit Returns the texture unit whose switches `enable`, `disable` and `has` refer
   *   to.
   * @param onEnable Called after a capability was enabled.
   */
  constructor(
    errors: GlErrors,
    rules: ApiRules,
    activeUnit: () => number,
    onEnable: (capability: number) => void,
  ) {
    this.#onEnable = onEnable;
    this.#errors = errors;
    this.#known = rules.hasFixedFunctions ? ALL : new Set([...ES, ...rules.extensionCapabilities]);
    this.#activeUnit = activeUnit;
  }

  enable(capability: number): void {
    this.#set(capability, true);
    this.#onEnable(capability);
  }

  disable(capability: number): void {
    this.#set(capability, false);
  }

  /** Returns whether a capability is enabled. An unknown one raises an error. */
  isEnabled(capability: number): boolean {
    if (!this.isCapability(capability)) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `isEnabled: ${nameOfEnum(capability)} is not a capability`,
      );
    }
    return this.has(capability);
  }

  #set(capability: number, isEnabled: boolean): void {
    if (!this.isCapability(capability)) {
      const message = `enable or disable: ${nameOfEnum(capability)} is not a capability`;
      // An image does not depend on what is off, whether or not it exists.
      if (isEnabled) this.#errors.raise(GL.INVALID_ENUM, message);
      else this.#errors.raiseCertain(GL.INVALID_ENUM, message);
      return;
    }
    const key = this.#keyOf(capability, this.#activeUnit());
    if (this.#enabled.has(key) === isEnabled) return;
    const enabled = new Set(this.#enabled);
    if (isEnabled) enabled.add(key);
    else enabled.delete(key);
    this.#enabled = enabled;
  }

  /** Returns whether a capability with that number exists. */
  isCapability(capability: number): boolean {
    return this.#known.has(capability);
  }

  has(capability: number): boolean {
    return this.#enabled.has(this.#keyOf(capability, this.#activeUnit()));
  }

  /** Enabled clip planes or clip distances, one bit each. */
  get clipMask(): number {
    return CLIP_PLANES.reduce(
      (mask, plane, i) => mask | (Number(this.#enabled.has(plane)) << i),
      0,
    );
  }

  /** Returns whether a switch of a texture unit is on. */
  hasUnit(capability: number, unit: number): boolean {
    return this.#enabled.has(this.#keyOf(capability, unit));
  }

  /** Returns the capabilities that are on. */
  save(): ReadonlySet<number> {
    return this.#enabled;
  }

  /**
   * Restores saved switches.
   *
   * @param only Selects the switches to restore; by default all.
   */
  restore(saved: ReadonlySet<number>, only?: (capability: number) => boolean): void {
    if (only === undefined) {
      this.#enabled = saved;
      return;
    }
    const isChosen = (key: number) => only(key % UNIT_STEP);
    this.#enabled = new Set([
      ...[...this.#enabled].filter((key) => !isChosen(key)),
      ...[...saved].filter(isChosen),
    ]);
  }

  #keyOf(capability: number, unit: number): number {
    return OF_UNIT.has(capability) ? capability + unit * UNIT_STEP : capability;
  }
}
