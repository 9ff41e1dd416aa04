/**
 * Parses qualifiers before a type and checks their combination, order and place (sections 4.3 to
 * 4.7 of GLSL ES 3.00).
 */

import type { SourcePosition } from '../../tree/checked-tree.ts';
import { TYPES_BY_NAME, typeName } from '../../tree/type-rules.ts';
import type { GlslType, Precision } from '../../tree/types.ts';
import type { CheckContext } from '../check/check-context.ts';
import { positionOf } from '../check/expression-nodes.ts';
import type { Token } from '../preprocess/lexer.ts';

/** Storage qualifier other than `const`. */
export type StorageQualifier = 'attribute' | 'varying' | 'uniform' | 'in' | 'out' | 'inout';
/** Memory layout of a uniform block. */
export type BlockLayout = 'shared' | 'packed' | 'std140';
/** Promise about the value of `gl_FragDepth` (EXT_conservative_depth). */
type DepthLayout = 'depth_any' | 'depth_greater' | 'depth_less';

/** Qualifiers of one declaration. */
export interface Qualifiers {
  /** Position of the first qualifier, or of the type if there is none. */
  readonly position: SourcePosition;
  readonly isEmpty: boolean;
  readonly isConst: boolean;
  readonly storage: StorageQualifier | null;
  readonly isInvariant: boolean;
  readonly isCentroid: boolean;
  /** Whether a varying is interpolated at each sample. */
  readonly isSample: boolean;
  readonly interpolation: 'flat' | 'smooth' | 'noperspective' | null;
  readonly precision: Precision | null;
  readonly location: number | null;
  /** Blend source that a color output is: 0, or 1 for the second color. */
  readonly index: number | null;
  readonly blockLayout: BlockLayout | null;
  readonly matrixLayout: 'row_major' | 'column_major' | null;
  readonly depthLayout: DepthLayout | null;
  /** Number of views of `layout(num_views = …)` (OVR_multiview2). */
  readonly viewCount: number | null;
  readonly hasLayout: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Rank of each qualifier in the order required before GLSL ES 3.10. */
const RANKS: Readonly<Record<string, number>> = {
  invariant: 0,
  smooth: 1,
  flat: 1,
  noperspective: 1,
  layout: 2,
  const: 3,
  centroid: 3,
  sample: 3,
  attribute: 4,
  varying: 4,
  uniform: 4,
  in: 4,
  out: 4,
  inout: 4,
  lowp: 5,
  mediump: 5,
  highp: 5,
};

/** Whether the current token is a qualifier. */
export function isQualifierHere(context: CheckContext): boolean {
  return context.token.kind === 'keyword' && RANKS[context.token.text] !== undefined;
}

/**
 * Whether `out` follows `varying`: GL_EXT_gpu_shader4 declares outputs of fragment shaders with
 * both.
 */
function isVaryingOut(context: CheckContext, last: Token, token: Token): boolean {
  return (
    token.text === 'out' &&
    last.text === 'varying' &&
    context.stage === 'fragment' &&
    context.isExtensionOn('GL_EXT_gpu_shader4')
  );
}

/** Parses any number of qualifiers, possibly none. */
export function parseQualifiers(context: CheckContext): Qualifiers {
  const qualifiers: Mutable<Qualifiers> = {
    position: positionOf(context.token),
    isEmpty: !isQualifierHere(context),
    isConst: false,
    storage: null,
    isInvariant: false,
    isCentroid: false,
    isSample: false,
    interpolation: null,
    precision: null,
    location: null,
    index: null,
    blockLayout: null,
    matrixLayout: null,
    depthLayout: null,
    viewCount: null,
    hasLayout: false,
  };
  if (qualifiers.isEmpty) return qualifiers;
  let lastRank = -1;
  let last = context.token;
  const seen = new Set<string>();
  while (isQualifierHere(context)) {
    const token = context.advance();
    const rank = RANKS[token.text]!;
    if (seen.has(token.text) && token.text !== 'layout') {
      context.error(token, token.text, 'duplicate qualifier');
    } else if (rank < lastRank) {
      context.error(token, token.text, 'invalid order of qualifiers');
    } else if (isVaryingOut(context, last, token)) {
      // `out` replaces `varying`.
    } else if (rank === lastRank && (rank === 1 || rank === 4 || rank === 5)) {
      context.error(token, token.text, 'qualifiers of one kind cannot be combined');
    }
    seen.add(token.text);
    if (seen.has('centroid') && seen.has('sample')) {
      context.error(token, token.text, 'centroid and sample cannot be combined');
    }
    lastRank = Math.max(lastRank, rank);
    last = token;
    applyQualifier(context, qualifiers, token);
  }
  return qualifiers;
}

function applyQualifier(
  context: CheckContext,
  qualifiers: Mutable<Qualifiers>,
  token: Token,
): void {
  const { text } = token;
  switch (text) {
    case 'const':
      qualifiers.isConst = true;
      break;
    case 'invariant':
      qualifiers.isInvariant = true;
      break;
    case 'centroid':
      qualifiers.isCentroid = true;
      break;
    case 'sample':
      qualifiers.isSample = true;
      break;
    case 'flat':
    case 'smooth':
    case 'noperspective':
      qualifiers.interpolation = text;
      break;
    case 'lowp':
    case 'mediump':
    case 'highp':
      qualifiers.precision = text;
      break;
    case 'layout':
      parseLayout(context, qualifiers);
      break;
    case 'attribute':
    case 'varying':
    case 'uniform':
    case 'in':
    case 'out':
    case 'inout':
      qualifiers.storage = text;
      break;
    default:
      throw new Error(`the parser does not handle qualifier ${text}`);
  }
}

function parseLayout(context: CheckContext, qualifiers: Mutable<Qualifiers>): void {
  qualifiers.hasLayout = true;
  context.expect('(');
  do {
    const name = context.expectIdentifier();
    let value: Token | null = null;
    if (context.accept('=')) {
      if (context.token.kind !== 'number') context.failSyntax();
      value = context.advance();
    }
    if (name.text === 'origin_upper_left' || name.text === 'pixel_center_integer') {
      const message = 'this layout of gl_FragCoord is not supported';
      context.error(name, name.text, message);
      continue;
    }
    const hasValue = ['location', 'index', 'num_views'].includes(name.text);
    if (hasValue !== (value !== null)) {
      context.error(name, name.text, 'invalid layout qualifier');
      continue;
    }
    switch (name.text) {
      case 'location':
        qualifiers.location = readInteger(context, name, value!);
        break;
      case 'index':
        if (!context.isExtensionOn('GL_EXT_blend_func_extended')) {
          context.error(name, name.text, 'this layout needs #extension GL_EXT_blend_func_extended');
        }
        qualifiers.index = readInteger(context, name, value!);
        if (qualifiers.index > 1) context.error(value!, value!.text, 'index must be 0 or 1');
        break;
      case 'num_views':
        qualifiers.viewCount = readViewCount(context, name, value!);
        break;
      case 'shared':
      case 'packed':
      case 'std140':
        if (context.isWebGl && name.text !== 'std140') {
          context.error(name, name.text, 'only the layout std140 is allowed in WebGL');
        }
        qualifiers.blockLayout = name.text;
        break;
      case 'row_major':
      case 'column_major':
        qualifiers.matrixLayout = name.text;
        break;
      case 'depth_any':
      case 'depth_greater':
      case 'depth_less':
        if (!context.isExtensionOn('GL_EXT_conservative_depth')) {
          context.error(name, name.text, 'this layout needs #extension GL_EXT_conservative_depth');
        } else if (qualifiers.depthLayout !== null) {
          context.error(name, name.text, 'there is another layout of the depth');
        }
        qualifiers.depthLayout = name.text;
        break;
      default:
        context.error(name, name.text, 'invalid layout qualifier');
    }
  } while (context.accept(','));
  context.expect(')');
}

/** Returns the number of views of a vertex shader; 1 after an error. */
function readViewCount(context: CheckContext, name: Token, value: Token): number {
  const { maxViews } = context.limits;
  const count = readInteger(context, name, value);
  if (!context.isExtensionOn('GL_OVR_multiview2')) {
    context.error(name, name.text, 'this layout needs #extension GL_OVR_multiview2');
  } else if (context.stage !== 'vertex') {
    context.error(name, name.text, 'only vertex shaders have this layout');
  } else if (count < 1 || count > maxViews) {
    context.error(value, value.text, `num_views must be 1 to ${maxViews}`);
  } else return count;
  return 1;
}

/** Returns the value of a layout, or 0 if it is no integer. */
function readInteger(context: CheckContext, name: Token, { text, ...at }: Token): number {
  if (!/^(0[xX][0-9a-fA-F]+|[0-9]+)[uU]?$/.test(text)) {
    context.error(at, text, `${name.text} must be an integer`);
    return 0;
  }
  const digits = text.replace(/[uU]$/, '');
  return /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
}

/**
 * Returns the type name under which a default precision for `type` is stored, or null if it has no
 * precision.
 */
export function precisionTypeName(type: GlslType): string | null {
  switch (type.kind) {
    case 'scalar':
    case 'vector':
      if (type.base === 'bool') return null;
      return type.base === 'float' ? 'float' : 'int';
    case 'matrix':
      return 'float';
    case 'sampler':
      return typeName(type);
    case 'array':
      return precisionTypeName(type.element);
    default:
      return null;
  }
}

/**
 * Returns the explicit precision of a declaration or the default one. Reports an error if GLSL ES
 * requires one and there is neither.
 */
export function resolvePrecision(
  context: CheckContext,
  position: SourcePosition,
  type: GlslType,
  given: Precision | null,
): Precision | null {
  if (!context.isEs) return null;
  const name = precisionTypeName(type);
  if (name === null) {
    if (given !== null) {
      context.error(position, given, 'precision is not supported for this type');
    }
    return null;
  }
  const precision = given ?? context.scope.defaultPrecision(name);
  if (precision === null) {
    context.error(position, typeName(type), `no precision specified for (${name})`);
  }
  return precision;
}

/** Parses `precision mediump float;`. */
export function parsePrecisionStatement(context: CheckContext): void {
  context.expect('precision');
  const precision = context.advance();
  if (precision.text !== 'lowp' && precision.text !== 'mediump' && precision.text !== 'highp') {
    context.error(precision, precision.text, 'a precision qualifier is expected');
  }
  const typeToken = context.advance();
  const type = typeToken.kind === 'keyword' ? TYPES_BY_NAME.get(typeToken.text) : undefined;
  const isAllowed =
    type !== undefined &&
    (type.kind === 'sampler' || typeToken.text === 'float' || typeToken.text === 'int');
  if (!isAllowed) {
    context.error(
      typeToken,
      typeToken.text,
      'illegal type argument for default precision qualifier',
    );
  } else if (
    precision.text === 'lowp' ||
    precision.text === 'mediump' ||
    precision.text === 'highp'
  ) {
    context.scope.setDefaultPrecision(typeToken.text, precision.text);
  }
  context.expect(';');
}
