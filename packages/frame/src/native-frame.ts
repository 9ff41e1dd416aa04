/**
 * The native frame format: a {@link Frame} as a client writes it in MessagePack or JSON
 * (docs/frame-format.md). Resources carry no hashes; the reader computes them. Fields that a draw
 * or sampler omits have OpenGL's initial values. A resource or a shader source may be given as the
 * SHA-256 of contents that the reader already has (native-references.ts writes such frames).
 */

import {
  COMPONENT_TYPES,
  type ComponentType,
  type Draw,
  type Frame,
  type Pass,
  TARGET_ASPECTS,
  type TargetCopy,
  type TextureImage,
  type UniformValue,
} from './frame.ts';
import { fail } from './frame-checks.ts';
import {
  bytes,
  flag,
  four,
  list,
  nullable,
  number,
  object,
  optional,
  type Parser,
  partOf,
  recordOf,
  text,
  word,
} from './native-parsers.ts';
import {
  ALL_SAMPLES,
  CLIP_DEPTHS,
  CLIP_ORIGINS,
  COMPARE_FUNCTIONS,
  defaultPipelineState,
  LINE_MODES,
  type PipelineState,
  POINT_CLIPS,
  POINT_MODES,
  POLYGON_MODES,
  PROVOKING_VERTICES,
  RED_SPREADS,
  type RectPx,
  TOPOLOGIES,
} from './pipeline-state.ts';
import {
  levelSizeOf,
  type SamplerState,
  type Sha256,
  SWIZZLE_SOURCES,
  TEXTURE_DIMENSIONS,
  type TextureResource,
  WRAP_MODES,
} from './resources.ts';
import { TEXTURE_FORMATS, type TextureFormat } from './texture-formats.ts';

/** Version of the native format, which the field `version` states. */
export const NATIVE_FRAME_VERSION = 1;

/**
 * Returns the SHA-256 of the concatenated parts. The function is injected because this package has
 * no fast implementation.
 */
export type HashParts = (parts: readonly (Uint8Array | string)[]) => Sha256;

const componentType = word(Object.keys(COMPONENT_TYPES) as ComponentType[]);
const rect: Parser<RectPx> = object({ x: number, y: number, width: number, height: number });
const filter = word(['nearest', 'linear']);
const wrap = word(WRAP_MODES);

/** OpenGL's initial values, except for the mipmap filter: a texture may have a single level. */
const sampler: Parser<SamplerState> = object({
  wrapS: optional(wrap, 'repeat'),
  wrapT: optional(wrap, 'repeat'),
  wrapR: optional(wrap, undefined),
  magFilter: optional(filter, 'linear'),
  minFilter: optional(filter, 'linear'),
  mipmapFilter: optional(word(['none', 'nearest', 'linear']), 'none'),
  compare: optional(word(COMPARE_FUNCTIONS), undefined),
  lodBias: optional(number, undefined),
  minLod: optional(number, undefined),
  maxLod: optional(number, undefined),
  baseLevel: optional(number, undefined),
  maxLevel: optional(number, undefined),
  borderColor: optional(four(number), undefined),
  swizzle: optional(four(word(SWIZZLE_SOURCES)), undefined),
  isCubeEdgeHard: optional(flag, undefined),
  maxAnisotropy: optional(number, undefined),
});

/**
 * Returns the contents that the reader has stored under a hash. If they are missing or do not match
 * the hash, the reader reports that later.
 */
export type NamedContents = (sha256: Sha256) => Uint8Array;

/**
 * Returns a parser for bytes, given directly or as `{"sha256": …}`, which names contents that the
 * reader has.
 */
function contentParser(resolve: (sha256: Sha256, at: string) => Uint8Array): Parser<Uint8Array> {
  return (value, at) => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) {
      return bytes(value, at);
    }
    const { sha256 } = reference(value, at);
    if (!/^[0-9a-f]{64}$/.test(sha256)) fail(`${at}.sha256`, 'not 64 hexadecimal digits');
    return resolve(sha256, at);
  };
}

const reference = object({ sha256: text });

/** Returns a parser for a shader source, given as text or as named contents in UTF-8. */
function sourceParser(content: Parser<Uint8Array>): Parser<string> {
  return (value, at) => {
    if (typeof value !== 'object' || value === null) return text(value, at);
    const utf8 = content(value, at);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(utf8);
    } catch {
      return fail(at, 'the text is not UTF-8');
    }
  };
}

const textureParser = (content: Parser<Uint8Array>) =>
  object({
    format: word(Object.keys(TEXTURE_FORMATS) as TextureFormat[]),
    dimension: optional(word(TEXTURE_DIMENSIONS), undefined),
    widthPx: number,
    heightPx: number,
    sliceCount: optional(number, undefined),
    levels: optional(list(content), []),
    levelCount: optional(number, undefined),
    isMipmapGenerated: optional(flag, false),
    sampleCount: optional(number, undefined),
    blockBytes: optional(number, undefined),
    blockWidthPx: optional(number, undefined),
    blockHeightPx: optional(number, undefined),
  });

const constantSource = object({ kind: word(['constant']), value: four(number) });
const bufferSource = object({
  kind: optional(word(['buffer']), 'buffer'),
  bufferIndex: number,
  offsetBytes: optional(number, 0),
  strideBytes: number,
  componentType,
  componentCount: number,
  isNormalized: optional(flag, false),
  instanceDivisor: optional(number, 0),
});

const attributeSource: Parser<Draw['attributes'][string]> = (value, at) => {
  const isConstant = (value as { kind?: unknown } | null)?.kind === 'constant';
  return isConstant ? constantSource(value, at) : bufferSource(value, at);
};

/**
 * Little-endian words of a uniform, for large arrays and for values that decimal numbers do not
 * represent (−0, NaN, ∞).
 */
const uniformWords = object({
  float32: optional(bytes, undefined),
  int32: optional(bytes, undefined),
  uint32: optional(bytes, undefined),
});

function readUniformWords(value: unknown, at: string): UniformValue {
  const { float32, int32, uint32 } = uniformWords(value, at);
  const content = float32 ?? int32 ?? uint32;
  if (content === undefined || content.length % 4 !== 0) {
    return fail(at, 'expected float32, int32 or uint32 with whole 4-byte words');
  }
  const words = new Uint8Array(content).buffer; // copied, so that the words are aligned
  if (float32 !== undefined) return new Float32Array(words);
  return int32 !== undefined ? new Int32Array(words) : new Uint32Array(words);
}

/** Parses a number, an array of numbers, or words as typed arrays of MessagePack or in Base64. */
const uniform: Parser<UniformValue> = (value, at) => {
  if (typeof value === 'number') return [value];
  if (typeof value === 'object' && value !== null && !isArrayLike(value)) {
    return readUniformWords(value, at);
  }
  const isWords =
    value instanceof Float32Array || value instanceof Int32Array || value instanceof Uint32Array;
  return isWords ? value : list(number)(value, at);
};

function isArrayLike(value: object): boolean {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

const imageFields = {
  textureIndex: number,
  level: optional(number, undefined),
  slice: optional(number, undefined),
};

const targetFields = { ...imageFields, isSrgbRaw: optional(flag, undefined) };

const copy: Parser<TargetCopy> = object({
  source: (value, at) => (value === 'depth-stencil' ? value : number(value, at)),
  sourceX: optional(number, 0),
  sourceY: optional(number, 0),
  widthPx: number,
  heightPx: number,
  into: object(imageFields),
  intoX: optional(number, 0),
  intoY: optional(number, 0),
  swizzle: optional(four(word(SWIZZLE_SOURCES)), undefined),
  aspect: optional(word(['depth', 'stencil']), undefined),
});

const target: Parser<NonNullable<Pass['target']>> = (value, at) => {
  switch ((value as { kind?: unknown } | null)?.kind) {
    case 'texture':
      return object({ kind: word(['texture']), ...targetFields })(value, at);
    case 'images':
      return object({
        kind: word(['images']),
        colors: list(nullable(object(targetFields))),
        depthStencil: optional(nullable(object(imageFields)), null),
      })(value, at);
    default:
      return object({ kind: word(['screen']) })(value, at);
  }
};

const CLEAR = { color: [0, 0, 0, 1], depth: 1, stencil: 0 } as const;

/**
 * Parses the clear values of a pass. The result has colors by attachment only if the input has
 * them.
 */
const clear: Parser<Pass['clear']> = (value, at) => {
  if (typeof value !== 'object' || value === null) return parseClear(value, at);
  const { colors, ...rest } = value as { colors?: unknown };
  const given = parseClear(rest, at);
  return colors === undefined
    ? given
    : { ...given, colors: list(four(number))(colors, `${at}.colors`) };
};
const parseClear = partOf<Omit<Pass['clear'], 'colors'>>(CLEAR);

const index = object({
  bufferIndex: number,
  offsetBytes: optional(number, 0),
  componentType: word(['uint8', 'uint16', 'uint32']),
});

const parseMultisample = object({
  isAlphaToCoverage: optional(flag, false),
  sampleMask: optional(number, ALL_SAMPLES),
});

const parsePolygonMode = object({
  front: optional(word(POLYGON_MODES), 'fill'),
  back: optional(word(POLYGON_MODES), 'fill'),
  isLineOffset: optional(flag, false),
  isPointOffset: optional(flag, false),
});
const { blend: DEFAULT_BLEND } = defaultPipelineState(1, 1);
const parseColorTargets = list(
  nullable(
    object({
      blend: optional(partOf(DEFAULT_BLEND), undefined),
      colorMask: optional(four(flag), undefined),
      isSourceClamped: optional(flag, undefined),
      redSpread: optional(word(RED_SPREADS), undefined),
    }),
  ),
);

/** Parsers of the fields that a pipeline state may lack. */
const OPTIONAL_FIELDS = {
  pointClip: optional(word(POINT_CLIPS), undefined),
  pointMode: optional(word(POINT_MODES), undefined),
  isDepthClamped: optional(flag, undefined),
  clipOrigin: optional(word(CLIP_ORIGINS), undefined),
  clipDepth: optional(word(CLIP_DEPTHS), undefined),
  polygonOffsetClamp: optional(number, undefined),
  lineMode: optional(word(LINE_MODES), undefined),
  polygonMode: optional(parsePolygonMode, undefined),
  colorTargets: optional(parseColorTargets, undefined),
  multisample: optional(parseMultisample, undefined),
  provokingVertex: optional(word(PROVOKING_VERTICES), undefined),
};
const parseOptionalFields = object(OPTIONAL_FIELDS);

/**
 * Returns a parser for the state of a draw into a target of this size. Fields that are missing have
 * OpenGL's initial values.
 */
function stateParser(widthPx: number, heightPx: number): Parser<PipelineState> {
  const { scissor: _none, ...defaults } = defaultPipelineState(widthPx, heightPx);
  const parseScissor = optional(nullable(rect), null);
  const others = partOf(defaults);
  return (value, at) => {
    if (typeof value !== 'object' || value === null) return { ...others(value, at), scissor: null };
    const { scissor, ...given } = value as Record<string, unknown>;
    const isOptional = ([name]: [string, unknown]) => Object.hasOwn(OPTIONAL_FIELDS, name);
    const fields = Object.entries(given);
    const rest = fields.filter((field) => !isOptional(field));
    return {
      ...others(Object.fromEntries(rest), at),
      scissor: parseScissor(scissor, `${at}.scissor`),
      ...parseOptionalFields(Object.fromEntries(fields.filter(isOptional)), at),
    };
  };
}

function passParser(widthPx: number, heightPx: number) {
  return object({
    clear: optional(clear, CLEAR),
    target: optional(target, undefined),
    loads: optional(list(word(TARGET_ASPECTS)), undefined),
    copies: optional(list(copy), undefined),
    queries: optional(list(object({ firstDraw: number, drawCount: number })), undefined),
    draws: list(
      object({
        programIndex: number,
        topology: optional(word(TOPOLOGIES), 'triangles'),
        first: optional(number, 0),
        count: number,
        indices: optional(nullable(index), null),
        edgeFlags: optional(
          object({ bufferIndex: number, offsetBytes: optional(number, 0) }),
          undefined,
        ),
        instanceCount: optional(number, 1),
        attributes: optional(recordOf(attributeSource), {}),
        uniforms: optional(recordOf(uniform), {}),
        textures: optional(
          recordOf(object({ textureIndex: number, sampler: optional(sampler, sampler({}, '')) })),
          {},
        ),
        state: stateParser(widthPx, heightPx),
      }),
    ),
  });
}

function outlineParser(content: Parser<Uint8Array>) {
  const source = sourceParser(content);
  return object({
    version: optional(number, NATIVE_FRAME_VERSION),
    widthPx: number,
    heightPx: number,
    sampleCount: optional(number, undefined),
    buffers: optional(list(content), []),
    textures: optional(list(textureParser(content)), []),
    programs: list(object({ vertexSource: source, fragmentSource: source })),
    passes: list((value) => value),
  });
}

/**
 * Reads the native format from a decoded value. The result still has to be validated.
 *
 * @param contents Contents that the frame may name by hash. Without it, naming contents is an
 *   error.
 * @throws {RenderError} FRAME_INVALID, naming the field.
 */
export function readNativeFrame(
  value: unknown,
  hash: HashParts,
  contents: NamedContents | null = null,
): Frame {
  const hashes = new Map<Uint8Array, Sha256>();
  const content = contentParser((sha256, at) => {
    if (contents === null)
      return fail(at, 'a resource is named by hash, but only a service stores resources');
    const named = contents(sha256);
    hashes.set(named, sha256);
    return named;
  });
  const { version, widthPx, heightPx, sampleCount, buffers, programs, ...rest } = outlineParser(
    content,
  )(value, '');
  if (version !== NATIVE_FRAME_VERSION) {
    fail('version', `${version} is not supported; use ${NATIVE_FRAME_VERSION}`);
  }
  const textures = rest.textures.map((texture, i) => ({
    ...texture,
    sha256: hashTexture(texture, i, hash),
  }));
  const passes = rest.passes.map((pass, i) => {
    const size = targetSize(pass, textures) ?? { widthPx, heightPx };
    return passParser(size.widthPx, size.heightPx)(pass, `passes[${i}]`);
  });
  return {
    widthPx,
    heightPx,
    ...(sampleCount === undefined ? {} : { sampleCount }),
    buffers: buffers.map((held) => ({ sha256: hashes.get(held) ?? hash([held]), bytes: held })),
    textures,
    programs,
    passes,
  };
}

/** Fields of a target that determine its size, unchecked. */
type TargetOutline = Partial<TextureImage> & {
  readonly colors?: unknown;
  readonly depthStencil?: TextureImage | null;
};

/**
 * Returns the size of the image that a pass draws into. Returns `undefined` for the screen and for
 * an invalid target, which is reported later.
 */
function targetSize(pass: unknown, textures: readonly TextureResource[]) {
  const into = (pass as { target?: TargetOutline } | null)?.target;
  const colors: (TextureImage | null)[] = Array.isArray(into?.colors) ? into.colors : [];
  const image = colors.find((color) => color !== null) ?? into?.depthStencil ?? into;
  const texture = textures[Number(image?.textureIndex)];
  return texture === undefined ? undefined : levelSizeOf(texture, Number(image?.level ?? 0));
}

/**
 * Returns the hash of a texture's fields and contents. For a texture without contents the hash
 * includes its index, so that two such textures stay distinct.
 */
function hashTexture(
  { levels, ...header }: Omit<TextureResource, 'sha256'>,
  textureIndex: number,
  hash: HashParts,
): Sha256 {
  const place = levels.length === 0 ? textureIndex : null;
  return hash([JSON.stringify([header, place, levels.map((level) => level.length)]), ...levels]);
}

/**
 * Returns a frame in the native format. Bytes are Uint8Arrays, for MessagePack. For JSON see
 * {@link toNativeJson}.
 */
export function writeNativeFrame(frame: Frame): Record<string, unknown> {
  return outlineOf(frame, (content) => content);
}

/** Returns a frame in the native format as JSON text, with bytes in Base64. */
export function toNativeJson(frame: Frame): string {
  const native = outlineOf(frame, (content) => new Uint8Array(content).toBase64());
  return JSON.stringify(native, (_name, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value,
  );
}

function outlineOf(frame: Frame, write: (content: Uint8Array) => unknown): Record<string, unknown> {
  return {
    version: NATIVE_FRAME_VERSION,
    widthPx: frame.widthPx,
    heightPx: frame.heightPx,
    ...(frame.sampleCount === undefined ? {} : { sampleCount: frame.sampleCount }),
    buffers: frame.buffers.map((buffer) => write(buffer.bytes)),
    textures: frame.textures.map(({ sha256: _made, levels, ...header }) => ({
      ...header,
      levels: levels.map(write),
    })),
    programs: frame.programs,
    passes: frame.passes,
  };
}
