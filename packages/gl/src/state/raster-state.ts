/**
 * Fixed-function state of rasterization and of the framebuffer (OpenGL ES 2.0, sections 2.12, 3.3
 * to 3.5 and 4.1 to 4.2), and its translation to a `PipelineState`, whose rows count down. One file
 * because each function of the API sets a field of that state.
 */
import {
  type BlendEquation,
  type BlendFactor,
  type BlendState,
  type ClipDepth,
  type ClipOrigin,
  type CompareFunction,
  type CullMode,
  type PipelineState,
  type ProvokingVertex,
  type RectPx,
  RenderError,
  type StencilFaceState,
} from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import { type EnumTable, RASTER_ENUMS } from '../api/raster-enums.ts';
import { MAX_COLOR_ATTACHMENTS } from '../objects/framebuffers/framebuffer-object.ts';
import { MAX_SAMPLES } from '../objects/framebuffers/renderbuffer-object.ts';
import type { ApiRules } from '../rules/api-rules.ts';
import type { Capabilities } from './capabilities.ts';
import { clampColor, clampFinite, clampUnit } from './clamp-values.ts';
import {
  type IndexedTarget,
  type IndexedTargets,
  setTarget,
  unsetTargets,
} from './indexed-targets.ts';
import {
  areFilled,
  FILLED,
  kindsOf,
  POLYGON_MODE_BY_ENUM,
  type PolygonModes,
  type PrimitiveKind,
} from './polygon-mode.ts';
import { initialStencilFace, MAX_STENCIL } from './stencil-face.ts';
import { bringIntoReach, cutToLimit, cutToReach, flipRect, type GlRect } from './target-rects.ts';

/** Widest line that a frame can have, in pixels. */
const MAX_LINE_WIDTH_PX = 16;
const ALL_SAMPLES = (1 << MAX_SAMPLES) - 1;

type Rgba = readonly [number, number, number, number];

/** Map from clip to window coordinates (EXT_clip_control). */
interface ClipControl {
  readonly origin: ClipOrigin;
  readonly depth: ClipDepth;
}

/** State of a draw, with the inputs that it was derived from. */
interface KnownState {
  readonly inputs: {
    readonly heightPx: number;
    readonly kind: string;
    readonly capabilities: ReadonlySet<number>;
    readonly viewport: GlRect;
    readonly scissor: GlRect;
    readonly depthRange: readonly [number, number];
    readonly cullMode: CullMode;
    readonly frontFace: PipelineState['frontFace'];
    readonly polygonOffset: object;
    readonly polygonOffsetClamp: number;
    readonly clipControl: ClipControl;
    readonly polygonModes: PolygonModes;
    readonly depthCompare: CompareFunction;
    readonly isDepthWritten: boolean;
    readonly stencilFront: StencilFaceState;
    readonly stencilBack: StencilFaceState;
    readonly blendEquations: readonly BlendEquation[];
    readonly blendFactors: readonly BlendFactor[];
    readonly blendConstant: Rgba;
    readonly colorMask: readonly boolean[];
    readonly lineWidthPx: number;
    readonly logicOperation: number;
    readonly sampleMask: number;
    readonly targets: IndexedTargets;
    readonly fragmentClamp: number;
    readonly provokingVertex: ProvokingVertex;
  };
  readonly state: PipelineState;
}

/** Face of EXT_stencil_two_side, which no function takes as an argument. */
const TWO_SIDE_BACK = -1;

const CLAMP_VERTEX_COLOR = 0x891a;
const CLAMP_FRAGMENT_COLOR = 0x891b;
const CLAMP_READ_COLOR = 0x891c;
const FIXED_ONLY = 0x891d;

/** Returns the blending of a draw buffer. */
function blendOf(blend: BlendState, target: Omit<IndexedTarget, 'colorMask'>): BlendState {
  const { isBlended, equations, factors } = target;
  const [forColor = blend.color.equation, forAlpha = blend.alpha.equation] = equations ?? [];
  const { color, alpha } = blend;
  const [a = color.source, b = color.destination, c = alpha.source, d = alpha.destination] =
    factors ?? [];
  return {
    ...blend,
    isEnabled: isBlended ?? blend.isEnabled,
    color: { equation: forColor, source: a, destination: b },
    alpha: { equation: forAlpha, source: c, destination: d },
  };
}

/** Returns whether a blend factor is of the fragment shader's second color. */
function isSecondColor(factor: BlendFactor): boolean {
  return factor.includes('src1');
}

/** State of rasterization and of the framebuffer in one context. */
export class RasterState {
  readonly #errors: GlErrors;
  readonly #rules: ApiRules;
  readonly #capabilities: Capabilities;
  viewport: GlRect;
  scissor: GlRect;
  depthRange: readonly [number, number] = [0, 1];
  clearColor: Rgba = [0, 0, 0, 0];
  clearDepth = 1;
  clearStencil = 0;
  colorMask: readonly [boolean, boolean, boolean, boolean] = [true, true, true, true];
  isDepthWritten = true;
  /** Logical operation, `GL_CLEAR` to `GL_SET`; initially `GL_COPY`. */
  logicOperation = 0x1503;
  /** Vertex of a primitive that flat values come from. */
  provokingVertex: ProvokingVertex = 'last';
  #cullMode: CullMode = 'back';
  #frontFace: PipelineState['frontFace'] = 'counter-clockwise';
  #polygonOffset = { factor: 0, units: 0 };
  /** Bound of the polygon offset; 0 for none. */
  #polygonOffsetClamp = 0;
  #clipControl: ClipControl = { origin: 'lower-left', depth: 'negative-one-to-one' };
  #depthCompare: CompareFunction = 'less';
  #sampleMask = ALL_SAMPLES;
  /** Stencil states are replaced, never modified, because draws share them. */
  #stencilFront = initialStencilFace();
  #stencilBack = initialStencilFace();
  /** Back state of EXT_stencil_two_side, which its switch selects. */
  #stencilTwoSide = initialStencilFace();
  /** Whether functions without a face set the state of EXT_stencil_two_side. */
  #isTwoSideActive = false;
  #blendEquations: readonly [BlendEquation, BlendEquation] = ['add', 'add'];
  #blendFactors: readonly [BlendFactor, BlendFactor, BlendFactor, BlendFactor] = [
    'one',
    'zero',
    'one',
    'zero',
  ];
  #blendConstant: Rgba = [0, 0, 0, 0];
  /** Blending and masks of single draw buffers. */
  #targets: IndexedTargets = null;
  /** Clamping of fragment colors: `GL_TRUE`, `GL_FALSE` or `GL_FIXED_ONLY`. */
  #fragmentClamp: number = FIXED_ONLY;
  #isVertexClamped = true;
  #lineWidthPx = 1;
  /** Dashes of lines: each bit of the pattern is `factor` pixels long. */
  lineStipple = { factor: 1, pattern: 0xffff };
  /** State of the last draw. */
  #known: KnownState | null = null;
  polygonModes: PolygonModes = FILLED;

  constructor(
    errors: GlErrors,
    rules: ApiRules,
    capabilities: Capabilities,
    widthPx: number,
    heightPx: number,
  ) {
    this.#errors = errors;
    this.#rules = rules;
    this.#capabilities = capabilities;
    this.viewport = { x: 0, y: 0, width: widthPx, height: heightPx };
    this.scissor = this.viewport;
  }

  setViewport(x: number, y: number, width: number, height: number): void {
    const rect = { x, y, width, height };
    if (this.#isRect('viewport', rect)) this.viewport = cutToLimit(rect);
  }

  setScissor(x: number, y: number, width: number, height: number): void {
    const rect = { x, y, width, height };
    if (this.#isRect('scissor', rect)) this.scissor = rect;
  }

  setDepthRange(near: number, far: number): void {
    this.depthRange = [clampUnit(near), clampUnit(far)];
  }

  /** Sets the clear color, clamped unless the API has targets of floats and the color is finite. */
  setClearColor(red: number, green: number, blue: number, alpha: number): void {
    const color = [red, green, blue, alpha] as const;
    const isKept = !this.#rules.areColorsClamped && color.every(Number.isFinite);
    this.clearColor = isKept ? color : clampColor(color);
  }

  setClearDepth(depth: number): void {
    this.clearDepth = clampUnit(depth);
  }

  setClearStencil(value: number): void {
    this.clearStencil = value & MAX_STENCIL;
  }

  setCullFace(face: number): void {
    const mode = this.#lookUp('cullFace', RASTER_ENUMS.cullMode, face);
    if (mode !== null) this.#cullMode = mode;
  }

  setFrontFace(winding: number): void {
    if (winding === GL.CCW) this.#frontFace = 'counter-clockwise';
    else if (winding === GL.CW) this.#frontFace = 'clockwise';
    else
      this.#errors.raise(
        GL.INVALID_ENUM,
        `frontFace: ${nameOfEnum(winding)} is not GL_CW or GL_CCW`,
      );
  }

  /** @param clamp Bound of the offset: from above if positive, from below if negative. */
  setPolygonOffset(factor: number, units: number, clamp = 0): void {
    this.#polygonOffset = { factor: clampFinite(factor), units: clampFinite(units) };
    this.#polygonOffsetClamp = clampFinite(clamp);
  }

  /** Sets the map from clip to window coordinates (EXT_clip_control). */
  setClipControl(origin: number, depth: number): void {
    const foundOrigin = this.#lookUp('clipControl', RASTER_ENUMS.clipOrigin, origin);
    const foundDepth = this.#lookUp('clipControl', RASTER_ENUMS.clipDepth, depth);
    if (foundOrigin === null || foundDepth === null) return;
    this.#clipControl = { origin: foundOrigin, depth: foundDepth };
  }

  get clipControl(): ClipControl {
    return this.#clipControl;
  }

  setPolygonMode(face: number, mode: number): void {
    const found = POLYGON_MODE_BY_ENUM.get(mode);
    const isFace = face === GL.FRONT || face === GL.BACK || face === GL.FRONT_AND_BACK;
    if (found === undefined || !isFace) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `polygonMode: ${nameOfEnum(face)} is not a face, or ${nameOfEnum(mode)} is not a polygon mode`,
      );
      return;
    }
    const { front, back } = this.polygonModes;
    this.polygonModes = {
      front: face === GL.BACK ? front : found,
      back: face === GL.FRONT ? back : found,
    };
  }

  /**
   * Returns how polygons are drawn; `null` if all are culled. A facing that is culled has the mode
   * of the other one.
   */
  drawnPolygons(): PolygonModes | null {
    const { front, back } = this.polygonModes;
    if (!this.#capabilities.has(GL.CULL_FACE)) return this.polygonModes;
    if (this.#cullMode === 'front-and-back') return null;
    const kept = this.#cullMode === 'back' ? front : back;
    return { front: kept, back: kept };
  }

  setLineWidth(widthPx: number): void {
    if (!(widthPx > 0)) {
      this.#errors.raiseCertain(GL.INVALID_VALUE, `lineWidth: width ${widthPx} is not positive`);
      return;
    }
    this.#lineWidthPx = widthPx;
  }

  /** Whether primitives are clipped at the near and far planes. */
  get isDepthClipped(): boolean {
    return !this.#capabilities.has(GL.DEPTH_CLAMP);
  }

  /** Whether the stipple pattern leaves gaps in lines. */
  get areLinesStippled(): boolean {
    return this.#capabilities.has(GL.LINE_STIPPLE) && this.lineStipple.pattern !== 0xffff;
  }

  setLineStipple(factor: number, pattern: number): void {
    const [min, max] = [1, 256];
    this.lineStipple = {
      factor: Math.min(max, Math.max(min, factor)),
      pattern: pattern & 0xffff,
    };
  }

  /** Width of lines as they are drawn, in pixels. */
  get lineWidthPx(): number {
    return Math.min(MAX_LINE_WIDTH_PX, Math.max(1, this.#lineWidthPx));
  }

  setDepthFunction(compare: number): void {
    const found = this.#lookUp('depthFunc', RASTER_ENUMS.compare, compare);
    if (found !== null) this.#depthCompare = found;
  }

  /** Selects the face that functions without a face set (EXT_stencil_two_side). */
  setActiveStencilFace(face: number): void {
    if (face === GL.FRONT || face === GL.BACK) this.#isTwoSideActive = face === GL.BACK;
    else
      this.#errors.raise(GL.INVALID_ENUM, `activeStencilFace: ${nameOfEnum(face)} is not a face`);
  }

  /** Faces that functions without a face set. */
  get activeStencilFaces(): number {
    return this.#isTwoSideActive ? TWO_SIDE_BACK : GL.FRONT_AND_BACK;
  }

  get #backFace(): StencilFaceState {
    return this.#capabilities.has(GL.STENCIL_TEST_TWO_SIDE_EXT)
      ? this.#stencilTwoSide
      : this.#stencilBack;
  }

  setStencilFunction(face: number, compare: number, reference: number, mask: number): void {
    const found = this.#lookUp('stencilFunc', RASTER_ENUMS.compare, compare);
    if (found === null) return;
    this.#changeFaces('stencilFunc', face, {
      compare: found,
      reference: Math.min(MAX_STENCIL, Math.max(0, reference)),
      readMask: mask & MAX_STENCIL,
    });
  }

  setStencilMask(face: number, mask: number): void {
    this.#changeFaces('stencilMask', face, { writeMask: mask & MAX_STENCIL });
  }

  setStencilOperations(face: number, stencilFail: number, depthFail: number, pass: number): void {
    const [onStencilFail, onDepthFail, onPass] = [stencilFail, depthFail, pass].map((operation) =>
      this.#lookUp('stencilOp', RASTER_ENUMS.stencilOperation, operation),
    );
    if (!onStencilFail || !onDepthFail || !onPass) return;
    this.#changeFaces('stencilOp', face, { onStencilFail, onDepthFail, onPass });
  }

  /** Sets the equations of one draw buffer; of all for `null`. */
  setBlendEquations(color: number, alpha: number, drawBuffer: number | null = null): void {
    const forColor = this.#lookUp('blendEquation', RASTER_ENUMS.blendEquation, color);
    const forAlpha = this.#lookUp('blendEquation', RASTER_ENUMS.blendEquation, alpha);
    if (forColor === null || forAlpha === null) return;
    const equations = [forColor, forAlpha] as const;
    if (drawBuffer !== null) this.#setTarget('blendEquation', drawBuffer, { equations });
    else {
      this.#blendEquations = equations;
      this.#targets = unsetTargets(this.#targets, 'equations');
    }
  }

  /** Sets the factors of one draw buffer; of all for `null`. */
  setBlendFactors(
    sourceColor: number,
    destinationColor: number,
    sourceAlpha: number,
    destinationAlpha: number,
    drawBuffer: number | null = null,
  ): void {
    const [a, b, c, d] = [sourceColor, destinationColor, sourceAlpha, destinationAlpha].map(
      (factor) => this.#lookUp('blendFunc', RASTER_ENUMS.blendFactor, factor),
    );
    if (!a || !b || !c || !d) return;
    const factors = [a, b, c, d] as const;
    if (!this.#rules.hasSecondColors && factors.some(isSecondColor)) {
      const message = 'blendFunc: factors of a second color are not supported';
      this.#errors.raise(GL.INVALID_ENUM, message);
      return;
    }
    if (drawBuffer !== null) this.#setTarget('blendFunc', drawBuffer, { factors });
    else {
      this.#blendFactors = factors;
      this.#targets = unsetTargets(this.#targets, 'factors');
    }
  }

  /** Blend color as stored. */
  get blendColor(): Rgba {
    return this.#blendConstant;
  }

  /**
   * Whether both faces have equal stencil references and masks, in the bits of a stencil buffer.
   */
  get areStencilFacesEqual(): boolean {
    const [front, back] = [this.#stencilFront, this.#backFace];
    return (
      front.reference === back.reference &&
      front.readMask === back.readMask &&
      front.writeMask === back.writeMask
    );
  }

  /** Sets the blend color, clamped unless the API has targets of floats. */
  setBlendColor(red: number, green: number, blue: number, alpha: number): void {
    const color = [red, green, blue, alpha] as const;
    const [r, g, b, a] = this.#rules.areColorsClamped
      ? color.map((channel) => Math.min(Math.max(channel, 0), 1))
      : color;
    this.#blendConstant = [r!, g!, b!, a!];
  }

  setColorMask(red: boolean, green: boolean, blue: boolean, alpha: boolean): void {
    this.colorMask = [red, green, blue, alpha];
    this.#targets = unsetTargets(this.#targets, 'colorMask');
  }

  /** Sets the mask of one draw buffer. */
  setTargetMask(drawBuffer: number, colorMask: PipelineState['colorMask']): void {
    this.#setTarget('colorMaski', drawBuffer, { colorMask });
  }

  /** Switches blending of one draw buffer. */
  setTargetBlending(drawBuffer: number, isBlended: boolean): void {
    this.#setTarget('enablei', drawBuffer, { isBlended });
  }

  /** Lets all draw buffers blend as `GL_BLEND` says. */
  unsetTargetBlending(): void {
    this.#targets = unsetTargets(this.#targets, 'isBlended');
  }

  /** Masks by draw buffer, if they differ. */
  get targetMasks(): readonly PipelineState['colorMask'][] | null {
    const targets = this.#targets;
    if (targets === null || targets.every(({ colorMask }) => colorMask === undefined)) return null;
    return targets.map(({ colorMask }) => colorMask ?? this.colorMask);
  }

  /** Returns blending and mask of one draw buffer as they were set. */
  describeTarget(drawBuffer: number): Pick<PipelineState, 'blend' | 'colorMask'> {
    const { blend, colorMask } = this.describe();
    const target = this.#targets?.[drawBuffer] ?? {};
    return { blend: blendOf(blend, target), colorMask: target.colorMask ?? colorMask };
  }

  /** Returns whether any channel of a draw buffer is written. */
  isColorWritten(drawBuffer: number): boolean {
    return (this.#targets?.[drawBuffer]?.colorMask ?? this.colorMask).includes(true);
  }

  /** Returns the use of a second color by the blend factors of a draw buffer. */
  secondColorUse(drawBuffer: number): 'none' | 'disabled' | 'enabled' {
    const { isEnabled, color, alpha } = this.describeTarget(drawBuffer).blend;
    const factors = [color.source, color.destination, alpha.source, alpha.destination];
    if (!factors.some(isSecondColor)) return 'none';
    return isEnabled ? 'enabled' : 'disabled';
  }

  /** Whether single draw buffers have state of their own. */
  get hasTargetStates(): boolean {
    return this.#targets !== null;
  }

  /** Sets the clamping of colors (OpenGL 3.0, section 2.20). That of reads has no effect here. */
  setClampColor(target: number, clamp: number): void {
    if (target === CLAMP_FRAGMENT_COLOR) this.#fragmentClamp = clamp;
    else if (target === CLAMP_VERTEX_COLOR) this.#isVertexClamped = clamp !== 0;
    else if (target !== CLAMP_READ_COLOR)
      this.#errors.raise(GL.INVALID_ENUM, `clampColor: ${nameOfEnum(target)} is not accepted`);
  }

  #setTarget(caller: string, drawBuffer: number, change: IndexedTarget): void {
    if (drawBuffer >= 0 && drawBuffer < MAX_COLOR_ATTACHMENTS) {
      this.#targets = setTarget(this.#targets, drawBuffer, change);
      return;
    }
    this.#errors.raise(GL.INVALID_VALUE, `${caller}: ${drawBuffer} is not a draw buffer`);
  }

  setDepthMask(isWritten: boolean): void {
    this.isDepthWritten = isWritten;
  }

  /** Saves a group of the state. Returns a function that restores it. */
  save(
    group: 'viewport' | 'scissor' | 'depth' | 'stencil' | 'color' | 'polygon' | 'line',
  ): () => void {
    switch (group) {
      case 'viewport': {
        const { viewport, depthRange } = this;
        return () => Object.assign(this, { viewport, depthRange });
      }
      case 'scissor': {
        const { scissor } = this;
        return () => Object.assign(this, { scissor });
      }
      case 'depth': {
        const { clearDepth, isDepthWritten } = this;
        const compare = this.#depthCompare;
        return () => {
          Object.assign(this, { clearDepth, isDepthWritten });
          this.#depthCompare = compare;
        };
      }
      case 'stencil': {
        const { clearStencil } = this;
        const [front, back] = [this.#stencilFront, this.#stencilBack];
        const [twoSide, isActive] = [this.#stencilTwoSide, this.#isTwoSideActive];
        return () => {
          this.clearStencil = clearStencil;
          this.#stencilFront = front;
          this.#stencilBack = back;
          this.#stencilTwoSide = twoSide;
          this.#isTwoSideActive = isActive;
        };
      }
      case 'color': {
        const { clearColor, colorMask, logicOperation } = this;
        const [equations, factors] = [this.#blendEquations, this.#blendFactors];
        const constant = this.#blendConstant;
        const [targets, fragmentClamp] = [this.#targets, this.#fragmentClamp];
        return () => {
          Object.assign(this, { clearColor, colorMask, logicOperation });
          this.#blendEquations = equations;
          this.#blendFactors = factors;
          this.#blendConstant = constant;
          this.#targets = targets;
          this.#fragmentClamp = fragmentClamp;
        };
      }
      case 'polygon': {
        const { polygonModes } = this;
        const [cullMode, frontFace] = [this.#cullMode, this.#frontFace];
        const [offset, offsetClamp] = [this.#polygonOffset, this.#polygonOffsetClamp];
        return () => {
          this.polygonModes = polygonModes;
          this.#cullMode = cullMode;
          this.#frontFace = frontFace;
          this.#polygonOffset = offset;
          this.#polygonOffsetClamp = offsetClamp;
        };
      }
      case 'line': {
        const width = this.#lineWidthPx;
        const { lineStipple } = this;
        return () => {
          this.#lineWidthPx = width;
          this.lineStipple = lineStipple;
        };
      }
    }
  }

  setLogicOperation(operation: number): void {
    if (operation >= FIXED.CLEAR && operation <= FIXED.SET) this.logicOperation = operation;
    else
      this.#errors.raise(
        GL.INVALID_ENUM,
        `logicOp: ${nameOfEnum(operation)} is not a logic operation`,
      );
  }

  /** Sets the vertex of primitives that flat values come from (ARB_provoking_vertex). */
  setProvokingVertex(mode: number): void {
    if (mode === GL.FIRST_VERTEX_CONVENTION) this.provokingVertex = 'first';
    else if (mode === GL.LAST_VERTEX_CONVENTION) this.provokingVertex = 'last';
    else {
      const message = `provokingVertex: ${nameOfEnum(mode)} is not a convention`;
      this.#errors.raise(GL.INVALID_ENUM, message);
    }
  }

  /** Stencil bits that a clear writes. */
  get stencilWriteMask(): number {
    return this.#stencilFront.writeMask;
  }

  /**
   * Returns the scissor rectangle if the test is on, otherwise `null`.
   *
   * @param heightPx Height of the target.
   */
  activeScissor(heightPx: number): RectPx | null {
    if (!this.#capabilities.has(GL.SCISSOR_TEST)) return null;
    return flipRect(cutToReach(this.scissor), heightPx);
  }

  /**
   * Returns the state of a draw of such primitives into a target of that height. The object stays
   * the same while no part of it changes.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for state that chiplets do not support.
   */
  pipelineState(heightPx: number, kind: PrimitiveKind): PipelineState {
    this.#refuseUnclampedLighting();
    const known = this.#known;
    if (known !== null && this.#isUnchanged(known, heightPx, kind)) return known.state;
    const modes = kind === 'polygons' ? (this.drawnPolygons() ?? FILLED) : FILLED;
    const kinds = kindsOf(kind, modes);
    const isClippedByDepth = kind === 'points' && this.#rules.isPointClippedByDepth;
    const state: PipelineState = {
      ...this.#makeState(heightPx),
      ...(isClippedByDepth ? { pointClip: 'depth' } : {}),
      ...(kinds.has('points') && this.#arePointsBasic() ? { pointMode: 'basic' } : {}),
      ...(this.isDepthClipped ? {} : { isDepthClamped: true }),
      ...(kinds.has('lines') && this.#capabilities.has(GL.LINE_SMOOTH)
        ? { lineMode: 'smooth' }
        : {}),
      ...(areFilled(modes) ? {} : { polygonMode: { ...modes, ...this.#outlineOffsets() } }),
      ...(this.provokingVertex === 'last' ? {} : { provokingVertex: this.provokingVertex }),
    };
    this.#known = { inputs: this.#inputs(heightPx, kind), state };
    return state;
  }

  /** Returns whether points are neither sprites nor antialiased. */
  #arePointsBasic(): boolean {
    const isSquare = [FIXED.POINT_SPRITE, GL.POINT_SMOOTH].some((one) =>
      this.#capabilities.has(one),
    );
    return this.#rules.hasFixedFunctions && !isSquare;
  }

  /** Returns whether the polygon offset applies to polygons drawn as lines and as points. */
  #outlineOffsets() {
    return {
      isLineOffset: this.#capabilities.has(GL.POLYGON_OFFSET_LINE),
      isPointOffset: this.#capabilities.has(GL.POLYGON_OFFSET_POINT),
    };
  }

  /** Returns the inputs of a draw's state. Objects among them are replaced, never modified. */
  #inputs(heightPx: number, kind: string) {
    return {
      heightPx,
      kind,
      capabilities: this.#capabilities.save(),
      viewport: this.viewport,
      scissor: this.scissor,
      depthRange: this.depthRange,
      cullMode: this.#cullMode,
      frontFace: this.#frontFace,
      polygonOffset: this.#polygonOffset,
      polygonOffsetClamp: this.#polygonOffsetClamp,
      clipControl: this.#clipControl,
      polygonModes: this.polygonModes,
      depthCompare: this.#depthCompare,
      isDepthWritten: this.isDepthWritten,
      stencilFront: this.#stencilFront,
      stencilBack: this.#backFace,
      blendEquations: this.#blendEquations,
      blendFactors: this.#blendFactors,
      blendConstant: this.#blendConstant,
      colorMask: this.colorMask,
      lineWidthPx: this.#lineWidthPx,
      logicOperation: this.logicOperation,
      sampleMask: this.#sampleMask,
      targets: this.#targets,
      fragmentClamp: this.#fragmentClamp,
      provokingVertex: this.provokingVertex,
    };
  }

  /**
   * Returns whether the next draw has the state of the last one. Compares fields without an
   * allocation.
   */
  #isUnchanged({ inputs }: KnownState, heightPx: number, kind: string): boolean {
    return (
      inputs.heightPx === heightPx &&
      inputs.kind === kind &&
      inputs.capabilities === this.#capabilities.save() &&
      inputs.viewport === this.viewport &&
      inputs.scissor === this.scissor &&
      inputs.depthRange === this.depthRange &&
      inputs.cullMode === this.#cullMode &&
      inputs.frontFace === this.#frontFace &&
      inputs.polygonOffset === this.#polygonOffset &&
      inputs.polygonOffsetClamp === this.#polygonOffsetClamp &&
      inputs.clipControl === this.#clipControl &&
      inputs.polygonModes === this.polygonModes &&
      inputs.depthCompare === this.#depthCompare &&
      inputs.isDepthWritten === this.isDepthWritten &&
      inputs.stencilFront === this.#stencilFront &&
      inputs.stencilBack === this.#backFace &&
      inputs.blendEquations === this.#blendEquations &&
      inputs.blendFactors === this.#blendFactors &&
      inputs.blendConstant === this.#blendConstant &&
      inputs.colorMask === this.colorMask &&
      inputs.lineWidthPx === this.#lineWidthPx &&
      inputs.logicOperation === this.logicOperation &&
      inputs.sampleMask === this.#sampleMask &&
      inputs.targets === this.#targets &&
      inputs.fragmentClamp === this.#fragmentClamp &&
      inputs.provokingVertex === this.provokingVertex
    );
  }

  #makeState(heightPx: number): PipelineState {
    const state = this.describe();
    return {
      ...state,
      viewport: flipRect(bringIntoReach(this.viewport), heightPx),
      scissor: this.activeScissor(heightPx),
      cullMode: this.#capabilities.has(GL.CULL_FACE) ? state.cullMode : 'none',
      ...this.#clipState(),
      ...(this.#capabilities.has(GL.COLOR_LOGIC_OP)
        ? { logicOperation: this.logicOperation - FIXED.CLEAR }
        : {}),
      lineWidthPx: this.lineWidthPx,
      ...this.#multisample(),
      ...this.#colorTargets(state.blend),
    };
  }

  /**
   * Returns the map from clip coordinates where it differs from OpenGL's initial one. The winding
   * of a frame is that on the screen, which an upper left origin reverses.
   */
  #clipState(): Partial<PipelineState> {
    const { origin, depth } = this.#clipControl;
    const isMirrored = origin === 'upper-left';
    const winding = this.#frontFace === 'clockwise' ? 'counter-clockwise' : 'clockwise';
    return {
      ...(isMirrored ? { clipOrigin: origin, frontFace: winding } : {}),
      ...(depth === 'zero-to-one' ? { clipDepth: depth } : {}),
    };
  }

  /** Returns the state of single draw buffers, if it differs from that of all. */
  #colorTargets(blend: BlendState): Pick<PipelineState, 'colorTargets'> {
    const targets = this.#targets;
    const clamp = this.#fragmentClamp;
    if (targets === null && clamp === FIXED_ONLY) return {};
    const isClamped = clamp === FIXED_ONLY ? {} : { isSourceClamped: clamp !== 0 };
    const all = targets ?? Array.from({ length: MAX_COLOR_ATTACHMENTS }, () => ({}));
    return {
      colorTargets: all.map(({ colorMask, ...blending }: IndexedTarget) => ({
        ...isClamped,
        ...(colorMask === undefined ? {} : { colorMask }),
        ...(Object.keys(blending).length === 0 ? {} : { blend: blendOf(blend, blending) }),
      })),
    };
  }

  /** Refuses lighting without clamped colors, which generated shaders always clamp. */
  #refuseUnclampedLighting(): void {
    if (this.#isVertexClamped || !this.#capabilities.has(FIXED.LIGHTING)) return;
    throw new RenderError('FRAME_UNSUPPORTED', 'lighting without GL_CLAMP_VERTEX_COLOR');
  }

  /** Returns the multisample state, if it can reduce coverage. */
  #multisample(): Pick<PipelineState, 'multisample'> {
    const isAlphaToCoverage = this.#capabilities.has(GL.SAMPLE_ALPHA_TO_COVERAGE);
    const isCut = this.#capabilities.has(GL.SAMPLE_COVERAGE);
    if (!isAlphaToCoverage && !isCut) return {};
    return {
      multisample: { isAlphaToCoverage, sampleMask: isCut ? this.#sampleMask : ALL_SAMPLES },
    };
  }

  /** Sets coverage to the first samples up to that share, or to the others if inverted. */
  setSampleCoverage(value: number, isInverted: boolean): void {
    const share = Math.min(1, Math.max(0, value));
    const first = (1 << Math.round(share * MAX_SAMPLES)) - 1;
    this.#sampleMask = isInverted ? ALL_SAMPLES & ~first : first;
  }

  /**
   * Returns all state as it was set: rows count up, and values are included even if switched off.
   */
  describe(): PipelineState {
    const [sourceColor, destinationColor, sourceAlpha, destinationAlpha] = this.#blendFactors;
    const [colorEquation, alphaEquation] = this.#blendEquations;
    const has = (capability: number) => this.#capabilities.has(capability);
    return {
      viewport: this.viewport,
      depthRange: this.depthRange,
      scissor: this.scissor,
      cullMode: this.#cullMode,
      frontFace: this.#frontFace,
      polygonOffset: { isEnabled: has(GL.POLYGON_OFFSET_FILL), ...this.#polygonOffset },
      ...(this.#polygonOffsetClamp === 0 ? {} : { polygonOffsetClamp: this.#polygonOffsetClamp }),
      depth: {
        isTestEnabled: has(GL.DEPTH_TEST),
        isWriteEnabled: this.isDepthWritten,
        compare: this.#depthCompare,
      },
      stencil: {
        isTestEnabled: has(GL.STENCIL_TEST),
        front: this.#stencilFront,
        back: this.#backFace,
      },
      blend: {
        isEnabled: has(GL.BLEND),
        color: { equation: colorEquation, source: sourceColor, destination: destinationColor },
        alpha: { equation: alphaEquation, source: sourceAlpha, destination: destinationAlpha },
        constant: this.#blendConstant,
      },
      colorMask: this.colorMask,
      lineWidthPx: this.#lineWidthPx,
    };
  }

  #isRect(caller: string, { width, height }: GlRect): boolean {
    if (width >= 0 && height >= 0) return true;
    this.#errors.raiseCertain(GL.INVALID_VALUE, `${caller}: size ${width}×${height} is negative`);
    return false;
  }

  #lookUp<T>(caller: string, table: EnumTable<T>, value: number): T | null {
    const found = table.find(value);
    if (found === null)
      this.#errors.raise(GL.INVALID_ENUM, `${caller}: ${nameOfEnum(value)} is not accepted`);
    return found;
  }

  #changeFaces(caller: string, face: number, change: Partial<StencilFaceState>): void {
    if (face === TWO_SIDE_BACK) {
      this.#stencilTwoSide = { ...this.#stencilTwoSide, ...change };
      return;
    }
    if (face !== GL.FRONT && face !== GL.BACK && face !== GL.FRONT_AND_BACK) {
      this.#errors.raise(GL.INVALID_ENUM, `${caller}: ${nameOfEnum(face)} is not a face`);
      return;
    }
    if (face !== GL.BACK) this.#stencilFront = { ...this.#stencilFront, ...change };
    if (face !== GL.FRONT) this.#stencilBack = { ...this.#stencilBack, ...change };
  }
}
