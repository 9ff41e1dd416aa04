/**
 * Internal formats: their bits, the uploads they accept, and whether they can be color targets
 * (OpenGL ES 3.0, tables 3.2, 3.3 and 3.13; WebGL 1.0, section 5.14.8, and its extensions for
 * unsized formats).
 */

import type { ContextCore } from '../context/context-core.ts';
import { GL } from '../interface/constants.ts';

/** Component type of an internal format. */
export type FormatKind = 'unorm' | 'snorm' | 'float' | 'int' | 'uint';

/** Properties of an internal format. */
export interface InternalFormat {
  readonly kind: FormatKind;
  /** Number of bits of red, green, blue, alpha, depth and stencil. */
  readonly bits: readonly [number, number, number, number, number, number];
  /**
   * Whether the format can be a color target: always, never, or with a float or half-float
   * extension.
   */
  readonly target: 'always' | 'never' | 'float' | 'half-float';
  readonly isSrgb: boolean;
  readonly isFilterable: boolean;
  /** Upload format of the internal format; `types` lists the upload types. */
  readonly format: number;
  readonly types: readonly number[];
}

const { UNSIGNED_BYTE, BYTE, UNSIGNED_SHORT, SHORT, UNSIGNED_INT, INT, HALF_FLOAT, FLOAT } = GL;

type Options = Partial<Pick<InternalFormat, 'target' | 'isSrgb' | 'isFilterable'>>;

function color(
  kind: FormatKind,
  bits: readonly number[],
  format: number,
  types: readonly number[],
  options: Options = {},
): InternalFormat {
  const [red = 0, green = 0, blue = 0, alpha = 0] = bits;
  return {
    kind,
    bits: [red, green, blue, alpha, 0, 0],
    target: options.target ?? 'always',
    isSrgb: options.isSrgb ?? false,
    isFilterable: options.isFilterable ?? (kind !== 'int' && kind !== 'uint'),
    format,
    types,
  };
}

function depth(
  depthBits: number,
  stencilBits: number,
  format: number,
  types: readonly number[],
  kind: FormatKind = 'unorm',
): InternalFormat {
  const bits = [0, 0, 0, 0, depthBits, stencilBits] as const;
  return { kind, bits, target: 'never', isSrgb: false, isFilterable: false, format, types };
}

const NEVER = { target: 'never' } as const;
const WITH_FLOAT = { target: 'float' } as const;
const WITH_HALF_FLOAT = { target: 'half-float' } as const;
const WIDE = { target: 'float', isFilterable: false } as const;
const HALF_TYPES = [HALF_FLOAT, FLOAT] as const;

/** Sized formats of WebGL 2. Renderbuffers of WebGL 1 use some of them. */
const SIZED: ReadonlyMap<number, InternalFormat> = new Map<number, InternalFormat>([
  [GL.R8, color('unorm', [8], GL.RED, [UNSIGNED_BYTE])],
  [GL.R8_SNORM, color('snorm', [8], GL.RED, [BYTE], NEVER)],
  [GL.R16F, color('float', [16], GL.RED, HALF_TYPES, WITH_HALF_FLOAT)],
  [GL.R32F, color('float', [32], GL.RED, [FLOAT], WIDE)],
  [GL.R8UI, color('uint', [8], GL.RED_INTEGER, [UNSIGNED_BYTE])],
  [GL.R8I, color('int', [8], GL.RED_INTEGER, [BYTE])],
  [GL.R16UI, color('uint', [16], GL.RED_INTEGER, [UNSIGNED_SHORT])],
  [GL.R16I, color('int', [16], GL.RED_INTEGER, [SHORT])],
  [GL.R32UI, color('uint', [32], GL.RED_INTEGER, [UNSIGNED_INT])],
  [GL.R32I, color('int', [32], GL.RED_INTEGER, [INT])],
  [GL.RG8, color('unorm', [8, 8], GL.RG, [UNSIGNED_BYTE])],
  [GL.RG8_SNORM, color('snorm', [8, 8], GL.RG, [BYTE], NEVER)],
  [GL.RG16F, color('float', [16, 16], GL.RG, HALF_TYPES, WITH_HALF_FLOAT)],
  [GL.RG32F, color('float', [32, 32], GL.RG, [FLOAT], WIDE)],
  [GL.RG8UI, color('uint', [8, 8], GL.RG_INTEGER, [UNSIGNED_BYTE])],
  [GL.RG8I, color('int', [8, 8], GL.RG_INTEGER, [BYTE])],
  [GL.RG16UI, color('uint', [16, 16], GL.RG_INTEGER, [UNSIGNED_SHORT])],
  [GL.RG16I, color('int', [16, 16], GL.RG_INTEGER, [SHORT])],
  [GL.RG32UI, color('uint', [32, 32], GL.RG_INTEGER, [UNSIGNED_INT])],
  [GL.RG32I, color('int', [32, 32], GL.RG_INTEGER, [INT])],
  [GL.RGB8, color('unorm', [8, 8, 8], GL.RGB, [UNSIGNED_BYTE])],
  [GL.SRGB8, color('unorm', [8, 8, 8], GL.RGB, [UNSIGNED_BYTE], { ...NEVER, isSrgb: true })],
  [GL.RGB565, color('unorm', [5, 6, 5], GL.RGB, [UNSIGNED_BYTE, GL.UNSIGNED_SHORT_5_6_5])],
  [GL.RGB8_SNORM, color('snorm', [8, 8, 8], GL.RGB, [BYTE], NEVER)],
  [
    GL.R11F_G11F_B10F,
    color(
      'float',
      [11, 11, 10],
      GL.RGB,
      [GL.UNSIGNED_INT_10F_11F_11F_REV, ...HALF_TYPES],
      WITH_FLOAT,
    ),
  ],
  [
    GL.RGB9_E5,
    color('float', [9, 9, 9], GL.RGB, [GL.UNSIGNED_INT_5_9_9_9_REV, ...HALF_TYPES], NEVER),
  ],
  [GL.RGB16F, color('float', [16, 16, 16], GL.RGB, HALF_TYPES, NEVER)],
  [GL.RGB32F, color('float', [32, 32, 32], GL.RGB, [FLOAT], { ...NEVER, isFilterable: false })],
  [GL.RGB8UI, color('uint', [8, 8, 8], GL.RGB_INTEGER, [UNSIGNED_BYTE], NEVER)],
  [GL.RGB8I, color('int', [8, 8, 8], GL.RGB_INTEGER, [BYTE], NEVER)],
  [GL.RGB16UI, color('uint', [16, 16, 16], GL.RGB_INTEGER, [UNSIGNED_SHORT], NEVER)],
  [GL.RGB16I, color('int', [16, 16, 16], GL.RGB_INTEGER, [SHORT], NEVER)],
  [GL.RGB32UI, color('uint', [32, 32, 32], GL.RGB_INTEGER, [UNSIGNED_INT], NEVER)],
  [GL.RGB32I, color('int', [32, 32, 32], GL.RGB_INTEGER, [INT], NEVER)],
  [GL.RGBA8, color('unorm', [8, 8, 8, 8], GL.RGBA, [UNSIGNED_BYTE])],
  [GL.SRGB8_ALPHA8, color('unorm', [8, 8, 8, 8], GL.RGBA, [UNSIGNED_BYTE], { isSrgb: true })],
  [GL.RGBA8_SNORM, color('snorm', [8, 8, 8, 8], GL.RGBA, [BYTE], NEVER)],
  [
    GL.RGB5_A1,
    color('unorm', [5, 5, 5, 1], GL.RGBA, [
      UNSIGNED_BYTE,
      GL.UNSIGNED_SHORT_5_5_5_1,
      GL.UNSIGNED_INT_2_10_10_10_REV,
    ]),
  ],
  [GL.RGBA4, color('unorm', [4, 4, 4, 4], GL.RGBA, [UNSIGNED_BYTE, GL.UNSIGNED_SHORT_4_4_4_4])],
  [GL.RGB10_A2, color('unorm', [10, 10, 10, 2], GL.RGBA, [GL.UNSIGNED_INT_2_10_10_10_REV])],
  [GL.RGBA16F, color('float', [16, 16, 16, 16], GL.RGBA, HALF_TYPES, WITH_HALF_FLOAT)],
  [GL.RGBA32F, color('float', [32, 32, 32, 32], GL.RGBA, [FLOAT], WIDE)],
  [GL.RGBA8UI, color('uint', [8, 8, 8, 8], GL.RGBA_INTEGER, [UNSIGNED_BYTE])],
  [GL.RGBA8I, color('int', [8, 8, 8, 8], GL.RGBA_INTEGER, [BYTE])],
  [
    GL.RGB10_A2UI,
    color('uint', [10, 10, 10, 2], GL.RGBA_INTEGER, [GL.UNSIGNED_INT_2_10_10_10_REV]),
  ],
  [GL.RGBA16UI, color('uint', [16, 16, 16, 16], GL.RGBA_INTEGER, [UNSIGNED_SHORT])],
  [GL.RGBA16I, color('int', [16, 16, 16, 16], GL.RGBA_INTEGER, [SHORT])],
  [GL.RGBA32UI, color('uint', [32, 32, 32, 32], GL.RGBA_INTEGER, [UNSIGNED_INT])],
  [GL.RGBA32I, color('int', [32, 32, 32, 32], GL.RGBA_INTEGER, [INT])],
  [GL.DEPTH_COMPONENT16, depth(16, 0, GL.DEPTH_COMPONENT, [UNSIGNED_SHORT, UNSIGNED_INT])],
  [GL.DEPTH_COMPONENT24, depth(24, 0, GL.DEPTH_COMPONENT, [UNSIGNED_INT])],
  [GL.DEPTH_COMPONENT32F, depth(32, 0, GL.DEPTH_COMPONENT, [FLOAT], 'float')],
  [GL.DEPTH24_STENCIL8, depth(24, 8, GL.DEPTH_STENCIL, [GL.UNSIGNED_INT_24_8])],
  [
    GL.DEPTH32F_STENCIL8,
    depth(32, 8, GL.DEPTH_STENCIL, [GL.FLOAT_32_UNSIGNED_INT_24_8_REV], 'float'),
  ],
  [GL.STENCIL_INDEX8, depth(0, 8, 0, [])],
]);

/** Unsized formats, with their properties by upload type. */
const UNSIZED: ReadonlyMap<number, ReadonlyMap<number, InternalFormat>> = new Map([
  [
    GL.RGBA,
    byType(GL.RGBA, [
      ...typed('unorm', [8, 8, 8, 8], [UNSIGNED_BYTE]),
      ...typed('unorm', [4, 4, 4, 4], [GL.UNSIGNED_SHORT_4_4_4_4]),
      ...typed('unorm', [5, 5, 5, 1], [GL.UNSIGNED_SHORT_5_5_5_1]),
      ...typed('float', [32, 32, 32, 32], [FLOAT], WIDE),
      ...typed('float', [16, 16, 16, 16], [HALF_FLOAT, GL.HALF_FLOAT_OES], WITH_HALF_FLOAT),
    ]),
  ],
  [
    GL.RGB,
    byType(GL.RGB, [
      ...typed('unorm', [8, 8, 8], [UNSIGNED_BYTE]),
      ...typed('unorm', [5, 6, 5], [GL.UNSIGNED_SHORT_5_6_5]),
      ...typed('float', [32, 32, 32], [FLOAT], { target: 'never', isFilterable: false }),
      ...typed('float', [16, 16, 16], [HALF_FLOAT, GL.HALF_FLOAT_OES], WITH_HALF_FLOAT),
    ]),
  ],
  [GL.ALPHA, byType(GL.ALPHA, unsizedBytes([0, 0, 0, 8], [0, 0, 0, 32], [0, 0, 0, 16]))],
  [GL.LUMINANCE, byType(GL.LUMINANCE, unsizedBytes([8], [32], [16]))],
  [
    GL.LUMINANCE_ALPHA,
    byType(GL.LUMINANCE_ALPHA, unsizedBytes([8, 0, 0, 8], [32, 0, 0, 32], [16, 0, 0, 16])),
  ],
  [
    GL.SRGB_EXT,
    byType(
      GL.SRGB_EXT,
      typed('unorm', [8, 8, 8], [UNSIGNED_BYTE], { target: 'never', isSrgb: true }),
    ),
  ],
  [
    GL.SRGB_ALPHA_EXT,
    byType(GL.SRGB_ALPHA_EXT, typed('unorm', [8, 8, 8, 8], [UNSIGNED_BYTE], { isSrgb: true })),
  ],
  [
    GL.DEPTH_COMPONENT,
    new Map([
      [UNSIGNED_SHORT, depth(16, 0, GL.DEPTH_COMPONENT, [UNSIGNED_SHORT])],
      [UNSIGNED_INT, depth(24, 0, GL.DEPTH_COMPONENT, [UNSIGNED_INT])],
    ]),
  ],
  [
    GL.DEPTH_STENCIL,
    new Map([[GL.UNSIGNED_INT_24_8, depth(24, 8, GL.DEPTH_STENCIL, [GL.UNSIGNED_INT_24_8])]]),
  ],
]);

type TypedFormat = readonly [type: number, make: (format: number) => InternalFormat];

function typed(
  kind: FormatKind,
  bits: readonly number[],
  types: readonly number[],
  options: Options = {},
): TypedFormat[] {
  return types.map((type) => [type, (format) => color(kind, bits, format, [type], options)]);
}

function unsizedBytes(
  bytes: readonly number[],
  floats: readonly number[],
  halves: readonly number[],
): TypedFormat[] {
  return [
    ...typed('unorm', bytes, [UNSIGNED_BYTE], NEVER),
    ...typed('float', floats, [FLOAT], { target: 'never', isFilterable: false }),
    ...typed('float', halves, [HALF_FLOAT, GL.HALF_FLOAT_OES], NEVER),
  ];
}

function byType(format: number, rows: readonly TypedFormat[]): Map<number, InternalFormat> {
  return new Map(rows.map(([type, make]) => [type, make(format)]));
}

/** Returns a sized internal format, or `null` for other values. */
export function findSizedFormat(internalFormat: number): InternalFormat | null {
  return SIZED.get(internalFormat) ?? null;
}

/** Returns the properties of an internal format for uploads of a type, or `null`. */
export function findFormat(internalFormat: number, type: number): InternalFormat | null {
  return SIZED.get(internalFormat) ?? UNSIZED.get(internalFormat)?.get(type) ?? null;
}

/** Returns whether a value is a known unsized internal format. */
export function isUnsizedFormat(internalFormat: number): boolean {
  return UNSIZED.has(internalFormat);
}

/** Returns whether a format can be a color target with the enabled extensions. */
export function isColorTarget({ extensions, rules }: ContextCore, format: InternalFormat): boolean {
  switch (format.target) {
    case 'always':
      return format.bits[4] + format.bits[5] === 0;
    case 'never':
      return false;
    case 'float':
      return extensions.isEnabled(rules.floatTargetExtension);
    case 'half-float':
      return rules.halfFloatTargetExtensions.some((name) => extensions.isEnabled(name));
  }
}
