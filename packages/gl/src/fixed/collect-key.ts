/** Collects the part of the OpenGL state that determines the generated shaders of a draw. */
import { GL } from '../api/constants.ts';
import { CLIP_PLANE_COUNT, FIXED, LIGHT_COUNT } from '../api/fixed-constants.ts';
import type { TextureState } from '../objects/textures/texture-state.ts';
import type { Capabilities } from '../state/capabilities.ts';
import type { FixedState } from '../state/fixed/fixed-state.ts';
import type { MatrixStacks } from '../state/fixed/matrix-stacks.ts';
import { FIXED_UNIT_COUNT } from '../state/fixed/texture-environment.ts';
import type { PrimitiveKind } from '../state/polygon-mode.ts';
import { enabledTarget } from './enabled-target.ts';
import type { ImageKind } from './image-source.ts';
import type {
  CoordinateKey,
  FragmentKey,
  InterfaceKey,
  LightingKey,
  LightKey,
  PointCoordinatesKey,
  UnitKey,
  VertexKey,
} from './program-key.ts';

/** State objects that shader keys are collected from. */
export interface KeyState {
  readonly capabilities: Capabilities;
  readonly fixed: FixedState;
  readonly textures: TextureState;
  readonly matrices: MatrixStacks;
}

/** Properties of a draw that its shaders depend on. */
export interface DrawnKind {
  readonly kind: PrimitiveKind;
  /** Kinds of primitives that it is rasterized as, by the polygon modes. */
  readonly rasterized: ReadonlySet<PrimitiveKind>;
  /** Whether the stipple pattern leaves gaps in lines. */
  readonly isLineStippled: boolean;
  /** Returns whether the last coordinate of a unit's attribute is 1 at every vertex. */
  readonly isAffine: (unit: number) => boolean;
  /** Names of the attributes that are material parameters. */
  readonly materials: readonly string[];
}

/** Stages that the current program has. */
interface ProgramStages {
  readonly hasVertex: boolean;
  readonly hasFragment: boolean;
  /** Returns whether the fragment shader reads `gl_TexCoord`. */
  readonly readsCoordinates: () => boolean;
}

/** Shader keys of a draw, by stage. */
export interface DrawKeys {
  readonly shared: InterfaceKey;
  /** Key of the generated vertex shader, or `null` if the program has a vertex shader. */
  readonly vertex: VertexKey | null;
  readonly fragment: FragmentKey | null;
  /** Alpha test appended to the fragment shader, whether generated or not. */
  readonly alphaTest: FragmentKey['alphaTest'];
  readonly isStippled: boolean;
  /** Coordinates that the program's fragment shader reads and points replace; `null` for none. */
  readonly pointCoordinates: PointCoordinatesKey | null;
}

/**
 * Returns the keys of the shaders that a draw needs.
 */
export function collectKeys(state: KeyState, program: ProgramStages, drawn: DrawnKind): DrawKeys {
  const { capabilities, fixed } = state;
  const shared = collectInterface(state, program.hasVertex, drawn);
  const alphaTest = collectAlphaTest(state);
  const isStippled = drawn.rasterized.has('polygons') && capabilities.has(GL.POLYGON_STIPPLE);
  const units = program.hasVertex && program.hasFragment ? [] : collectUnits(state, drawn, program);
  return {
    shared,
    alphaTest,
    isStippled,
    pointCoordinates: collectPointCoordinates(state, program, drawn),
    vertex: program.hasVertex
      ? null
      : collectVertex(state, shared, units, program.hasFragment, drawn),
    fragment: program.hasFragment
      ? null
      : {
          units,
          fog: capabilities.has(FIXED.FOG) ? fixed.fog.mode : null,
          hasColorSum: hasColorSum(state, program.hasVertex),
          isPointOriginLowerLeft: drawn.rasterized.has('points') && fixed.points.isOriginLowerLeft,
          alphaTest,
          isStippled,
          interface: shared,
        },
  };
}

/** Interface of the stages of images, which no state of primitives applies to. */
const IMAGE_INTERFACE: InterfaceKey = {
  isFlat: false,
  isTwoSided: false,
  clipPlanes: [],
  pointSize: null,
  isPointRounded: false,
  smooth: null,
  isLineStippled: false,
};

/** Returns the key of the fragment shader of a bitmap or pixel rectangle. */
export function collectImageKey(state: KeyState, image: ImageKind): FragmentKey {
  const { capabilities, fixed } = state;
  const drawn = { rasterized: new Set<PrimitiveKind>(), isAffine: () => false };
  return {
    units: collectUnits(state, drawn, { hasVertex: false }),
    fog: capabilities.has(FIXED.FOG) ? fixed.fog.mode : null,
    hasColorSum: hasColorSum(state, false),
    isPointOriginLowerLeft: false,
    alphaTest: collectAlphaTest(state),
    isStippled: false,
    interface: IMAGE_INTERFACE,
    image,
  };
}

/** Returns the comparison of the alpha test, or `null` if every fragment passes. */
function collectAlphaTest({ capabilities, fixed }: KeyState): FragmentKey['alphaTest'] {
  const { compare } = fixed.alphaTest;
  return capabilities.has(GL.ALPHA_TEST) && compare !== 'always' ? compare : null;
}

function collectPointCoordinates(
  { capabilities, fixed }: KeyState,
  { hasFragment, readsCoordinates }: ProgramStages,
  { rasterized }: DrawnKind,
): PointCoordinatesKey | null {
  const isSprite = rasterized.has('points') && capabilities.has(FIXED.POINT_SPRITE);
  if (!hasFragment || !isSprite) return null;
  const units = fixed.environment.units.flatMap(({ isReplacedByPoint }, unit) =>
    isReplacedByPoint ? [unit] : [],
  );
  if (units.length === 0 || !readsCoordinates()) return null;
  return { units, isOriginLowerLeft: fixed.points.isOriginLowerLeft };
}

function collectInterface(
  { capabilities, fixed }: KeyState,
  hasVertex: boolean,
  { kind, rasterized, isLineStippled }: DrawnKind,
): InterfaceKey {
  const clipPlanes: number[] = [];
  for (let plane = 0; plane < CLIP_PLANE_COUNT; plane++) {
    if (capabilities.has(GL.CLIP_PLANE0 + plane)) clipPlanes.push(plane);
  }
  const isTwoSided = hasVertex
    ? capabilities.has(GL.VERTEX_PROGRAM_TWO_SIDE)
    : capabilities.has(FIXED.LIGHTING) && fixed.lighting.values.isTwoSided;
  const isSizeOfShader = hasVertex && capabilities.has(GL.VERTEX_PROGRAM_POINT_SIZE);
  const { attenuation } = fixed.points;
  const isAttenuated =
    !hasVertex && (attenuation[0] !== 1 || attenuation[1] !== 0 || attenuation[2] !== 0);
  let pointSize: InterfaceKey['pointSize'] = null;
  if (rasterized.has('points') && !isSizeOfShader)
    pointSize = isAttenuated ? 'attenuated' : 'constant';
  return {
    isFlat: fixed.lighting.values.isFlat && kind !== 'points',
    isTwoSided: isTwoSided && kind === 'polygons',
    clipPlanes,
    pointSize,
    isPointRounded: pointSize !== null && !capabilities.has(FIXED.POINT_SPRITE),
    smooth: findSmooth(capabilities, rasterized),
    isLineStippled: rasterized.has('lines') && isLineStippled,
  };
}

/** Returns the kind of primitives that are antialiased. Point sprites are not. */
function findSmooth(
  capabilities: Capabilities,
  rasterized: ReadonlySet<PrimitiveKind>,
): InterfaceKey['smooth'] {
  if (rasterized.has('lines') && capabilities.has(GL.LINE_SMOOTH)) return 'lines';
  const isSprite = capabilities.has(FIXED.POINT_SPRITE);
  const isSmooth = rasterized.has('points') && capabilities.has(GL.POINT_SMOOTH) && !isSprite;
  return isSmooth ? 'points' : null;
}

function hasColorSum({ capabilities, fixed }: KeyState, hasVertex: boolean): boolean {
  const isLitApart =
    !hasVertex && capabilities.has(FIXED.LIGHTING) && fixed.lighting.values.isSpecularSeparate;
  return isLitApart || capabilities.has(FIXED.COLOR_SUM);
}

function collectUnits(
  { capabilities, fixed, textures, matrices }: KeyState,
  { rasterized, isAffine }: Pick<DrawnKind, 'rasterized' | 'isAffine'>,
  { hasVertex }: { readonly hasVertex: boolean },
): UnitKey[] {
  const units: UnitKey[] = [];
  const isSprite = rasterized.has('points') && capabilities.has(FIXED.POINT_SPRITE);
  for (let unit = 0; unit < FIXED_UNIT_COUNT; unit++) {
    const found = enabledTarget(capabilities, unit);
    if (found === null) continue;
    const [targetEnum, target] = found;
    const base = textures.sampledBase(unit, targetEnum);
    if (base === null) continue;
    const { mode, rgb, alpha, lodBias, isReplacedByPoint } = fixed.environment.units[unit]!;
    const isCombined = mode === 'combine';
    const isMatrixAffine = matrices
      .texture(unit)
      .every((value, i) => i % 4 !== 3 || value === (i === 15 ? 1 : 0));
    const isQGenerated = capabilities.hasUnit(FIXED.TEXTURE_GEN_Q, unit);
    units.push({
      unit,
      target,
      isShadow: target !== '3d' && textures.isCompared(unit, targetEnum),
      base,
      mode,
      rgb: isCombined ? rgb : null,
      alpha: isCombined ? alpha : null,
      hasLodBias: lodBias !== 0,
      isAffine: !hasVertex && isMatrixAffine && !isQGenerated && isAffine(unit),
      isPointCoordinate: isSprite && isReplacedByPoint,
    });
  }
  return units;
}

function collectVertex(
  state: KeyState,
  shared: InterfaceKey,
  units: readonly UnitKey[],
  hasFragment: boolean,
  { materials }: DrawnKind,
): VertexKey {
  const { capabilities, fixed } = state;
  const isLit = capabilities.has(FIXED.LIGHTING);
  const { isFromCoordinate, distance } = fixed.fog;
  const hasFog = hasFragment || capabilities.has(FIXED.FOG);
  let normal: VertexKey['normal'] = 'plain';
  if (capabilities.has(FIXED.RESCALE_NORMAL)) normal = 'rescale';
  if (capabilities.has(FIXED.NORMALIZE)) normal = 'normalize';
  // A fragment shader can read any coordinates. The fixed stage reads those of the enabled units.
  const read = hasFragment
    ? Array.from({ length: FIXED_UNIT_COUNT }, (_, unit) => unit)
    : units.filter((unit) => !unit.isPointCoordinate).map(({ unit }) => unit);
  return {
    lighting: isLit ? collectLighting(state, shared, materials) : null,
    normal,
    coordinates: read.map((unit) => collectCoordinate(state, unit)),
    fog: hasFog ? (isFromCoordinate ? 'coordinate' : distance) : null,
    readsSecondaryColor: !isLit && (hasFragment || capabilities.has(FIXED.COLOR_SUM)),
    interface: shared,
  };
}

function collectCoordinate(
  { capabilities, fixed, matrices }: KeyState,
  unit: number,
): CoordinateKey {
  const { texgen } = fixed.environment.units[unit]!;
  return {
    unit,
    texgen: texgen.map(({ mode }, i) =>
      capabilities.hasUnit(FIXED.TEXTURE_GEN_S + i, unit) ? mode : null,
    ),
    hasMatrix: !matrices.isTextureIdentity(unit),
  };
}

function collectLighting(
  { capabilities, fixed }: KeyState,
  { isTwoSided }: InterfaceKey,
  materials: readonly string[],
): LightingKey {
  const { values } = fixed.lighting;
  const lights: LightKey[] = [];
  for (let index = 0; index < LIGHT_COUNT; index++) {
    if (!capabilities.has(FIXED.LIGHT0 + index)) continue;
    const { position, spotCutoff, attenuation } = values.lights[index]!;
    const isPositional = position[3] !== 0;
    const [constant, linear, quadratic] = attenuation;
    lights.push({
      index,
      isPositional,
      // Directional lights have a cone too, but no attenuation by distance.
      isSpot: spotCutoff !== 180,
      isAttenuated: isPositional && (constant !== 1 || linear !== 0 || quadratic !== 0),
    });
  }
  return {
    lights,
    isTwoSided,
    isLocalViewer: values.isLocalViewer,
    isSpecularSeparate: values.isSpecularSeparate,
    tracked: capabilities.has(FIXED.COLOR_MATERIAL)
      ? { face: values.colorMaterialFace, colors: values.colorMaterial }
      : null,
    materials,
  };
}
