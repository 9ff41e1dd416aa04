/** Groups of state that programs save and restore (OpenGL 2.1, section 6.1.14). */
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { TextureState } from '../../objects/textures/texture-state.ts';
import type { VertexArrayState } from '../../objects/vertex-arrays/vertex-array.ts';
import type { Capabilities } from '../capabilities.ts';
import type { RasterState } from '../raster-state.ts';
import type { FixedState } from './fixed-state.ts';
import type { MatrixStacks } from './matrix-stacks.ts';

/** State that the stack saves and restores. */
export interface SavedState {
  readonly capabilities: Capabilities;
  readonly raster: RasterState;
  readonly fixed: FixedState;
  readonly matrices: MatrixStacks;
  readonly textures: TextureState;
  readonly vertexArrays: VertexArrayState;
}

type Restore = () => void;

const MAX_DEPTH = 16;

/** Switches that each group saves. glPushAttrib(GL_ENABLE_BIT) saves all of them. */
const SWITCHES: readonly (readonly [number, (capability: number) => boolean])[] = [
  [FIXED.POINT_BIT, (c) => c === GL.POINT_SMOOTH || c === FIXED.POINT_SPRITE],
  [FIXED.LINE_BIT, (c) => c === GL.LINE_SMOOTH || c === GL.LINE_STIPPLE],
  [
    FIXED.POLYGON_BIT,
    (c) =>
      [
        ...[GL.CULL_FACE, GL.POLYGON_SMOOTH, GL.POLYGON_STIPPLE, GL.POLYGON_OFFSET_FILL],
        ...[GL.POLYGON_OFFSET_LINE, GL.POLYGON_OFFSET_POINT],
      ].some((known) => known === c),
  ],
  [
    FIXED.LIGHTING_BIT,
    (c) =>
      c === FIXED.LIGHTING ||
      c === FIXED.COLOR_MATERIAL ||
      (c >= FIXED.LIGHT0 && c < FIXED.LIGHT0 + 8),
  ],
  [FIXED.FOG_BIT, (c) => c === FIXED.FOG || c === FIXED.COLOR_SUM],
  [FIXED.DEPTH_BUFFER_BIT, (c) => c === GL.DEPTH_TEST],
  [FIXED.STENCIL_BUFFER_BIT, (c) => c === GL.STENCIL_TEST],
  [
    FIXED.TRANSFORM_BIT,
    (c) =>
      c === FIXED.NORMALIZE ||
      c === FIXED.RESCALE_NORMAL ||
      (c >= GL.CLIP_PLANE0 && c <= GL.CLIP_PLANE5),
  ],
  [
    FIXED.COLOR_BUFFER_BIT,
    (c) =>
      [GL.ALPHA_TEST, GL.BLEND, GL.DITHER, GL.COLOR_LOGIC_OP, GL.INDEX_LOGIC_OP].some(
        (known) => known === c,
      ),
  ],
  [
    FIXED.TEXTURE_BIT,
    (c) =>
      [
        ...[FIXED.TEXTURE_1D, GL.TEXTURE_2D, GL.TEXTURE_3D, GL.TEXTURE_CUBE_MAP],
        ...[FIXED.TEXTURE_GEN_S, FIXED.TEXTURE_GEN_T, FIXED.TEXTURE_GEN_R, FIXED.TEXTURE_GEN_Q],
      ].some((known) => known === c),
  ],
  [FIXED.SCISSOR_BIT, (c) => c === GL.SCISSOR_TEST],
];

/** State that each group saves besides switches. */
const SAVERS: readonly (readonly [number, (state: SavedState) => Restore])[] = [
  [FIXED.CURRENT_BIT, ({ vertexArrays }) => vertexArrays.save('values')],
  [FIXED.POINT_BIT, ({ fixed }) => keep(fixed, 'points')],
  [FIXED.LINE_BIT, ({ raster }) => raster.save('line')],
  [FIXED.POLYGON_BIT, ({ raster }) => raster.save('polygon')],
  [FIXED.POLYGON_STIPPLE_BIT, ({ fixed }) => keep(fixed, 'polygonStipple')],
  [
    FIXED.LIGHTING_BIT,
    ({ fixed, raster }) => {
      const restores = [keep(fixed.lighting, 'values'), keep(raster, 'provokingVertex')];
      return () => {
        for (const restore of restores) restore();
      };
    },
  ],
  [FIXED.FOG_BIT, ({ fixed }) => keep(fixed, 'fog')],
  [FIXED.DEPTH_BUFFER_BIT, ({ raster }) => raster.save('depth')],
  [FIXED.STENCIL_BUFFER_BIT, ({ raster }) => raster.save('stencil')],
  [FIXED.VIEWPORT_BIT, ({ raster }) => raster.save('viewport')],
  [
    FIXED.TRANSFORM_BIT,
    ({ fixed, matrices }) => {
      const restorePlanes = keep(fixed, 'clipPlanes');
      const { mode } = matrices;
      return () => {
        restorePlanes();
        matrices.setMode(mode);
      };
    },
  ],
  [
    FIXED.COLOR_BUFFER_BIT,
    ({ raster, fixed }) => {
      const restores = [raster.save('color'), keep(fixed, 'alphaTest')];
      return () => {
        for (const restore of restores) restore();
      };
    },
  ],
  [
    FIXED.TEXTURE_BIT,
    ({ fixed, textures }) => {
      const restores = [keep(fixed.environment, 'units'), textures.saveBindings()];
      return () => {
        for (const restore of restores) restore();
      };
    },
  ],
  [FIXED.SCISSOR_BIT, ({ raster }) => raster.save('scissor')],
];

/** Stack of saved attribute groups. */
export class AttributeStack {
  readonly #errors: GlErrors;
  readonly #state: SavedState;
  readonly #server: Restore[][] = [];
  readonly #client: Restore[][] = [];

  constructor(errors: GlErrors, state: SavedState) {
    this.#errors = errors;
    this.#state = state;
  }

  push(mask: number): void {
    const restores = SAVERS.filter(([bit]) => (mask & bit) !== 0).map(([, save]) =>
      save(this.#state),
    );
    const { capabilities } = this.#state;
    const saved = capabilities.save();
    if ((mask & FIXED.ENABLE_BIT) !== 0) {
      restores.push(() => capabilities.restore(saved));
    } else {
      const chosen = SWITCHES.filter(([bit]) => (mask & bit) !== 0).map(([, isOf]) => isOf);
      restores.push(() => capabilities.restore(saved, (c) => chosen.some((isOf) => isOf(c))));
    }
    this.#push(this.#server, restores, 'pushAttrib');
  }

  pop(): void {
    this.#pop(this.#server, 'popAttrib');
  }

  pushClient(mask: number): void {
    const { textures, vertexArrays } = this.#state;
    const restores: Restore[] = [];
    if ((mask & FIXED.CLIENT_PIXEL_STORE_BIT) !== 0) restores.push(textures.pixelStore.save());
    if ((mask & FIXED.CLIENT_VERTEX_ARRAY_BIT) !== 0) restores.push(vertexArrays.save('arrays'));
    this.#push(this.#client, restores, 'pushClientAttrib');
  }

  popClient(): void {
    this.#pop(this.#client, 'popClientAttrib');
  }

  #push(stack: Restore[][], restores: Restore[], caller: string): void {
    if (stack.length < MAX_DEPTH) stack.push(restores);
    else this.#errors.raise(GL.STACK_OVERFLOW, `${caller}: the stack is full`);
  }

  #pop(stack: Restore[][], caller: string): void {
    const restores = stack.pop();
    if (restores === undefined)
      this.#errors.raise(GL.STACK_UNDERFLOW, `${caller}: the stack is empty`);
    for (const restore of restores ?? []) restore();
  }
}

/** Saves a member whose value is replaced, never modified. */
function keep<T, K extends keyof T>(holder: T, member: K): Restore {
  const value = holder[member];
  return () => {
    holder[member] = value;
  };
}
