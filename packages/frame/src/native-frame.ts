/**
 * The native form of a frame: a {@link Frame} as a client writes it down, in MessagePack or JSON (docs/frame-format.md).
 * Resources are without hashes, which are made here; what a draw or sampler leaves out has OpenGL's initial value.
 * In place of bytes and of sources may stand the SHA-256 of what the reader has already (native-references.ts writes it so).
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
  type Form,
  flag,
  four,
  list,
  missing,
  named,
  nullable,
  number,
  object,
  partOf,
  text,
  word,
} from './native-forms.ts';
import {
  COMPARE_FUNCTIONS,
  defaultPipelineState,
  type PipelineState,
  POINT_CLIPS,
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

/** Of the native form; the field `version` says it. */
export const NATIVE_FRAME_VERSION = 1;

/** SHA-256 over parts that follow each other; injected, since this package has no fast one. */
export type HashParts = (parts: readonly (Uint8Array | string)[]) => Sha256;

const componentType = word(Object.keys(COMPONENT_TYPES) as ComponentType[]);
const rect: Form<RectPx> = object({ x: number, y: number, width: number, height: number });
const filter = word(['nearest', 'linear']);
const wrap = word(WRAP_MODES);

/** As OpenGL has them, but for the filter of mipmaps: a texture may have one level. */
const sampler: Form<SamplerState> = object({
  wrapS: missing(wrap, 'repeat'),
  wrapT: missing(wrap, 'repeat'),
  wrapR: missing(wrap, undefined),
  magFilter: missing(filter, 'linear'),
  minFilter: missing(filter, 'linear'),
  mipmapFilter: missing(word(['none', 'nearest', 'linear']), 'none'),
  compare: missing(word(COMPARE_FUNCTIONS), undefined),
  lodBias: missing(number, undefined),
  minLod: missing(number, undefined),
  maxLod: missing(number, undefined),
  borderColor: missing(four(number), undefined),
  swizzle: missing(four(word(SWIZZLE_SOURCES)), undefined),
  isCubeEdgeHard: missing(flag, undefined),
});

/** What a reader has under a hash. It must be there and be what the hash says; else the reader says so later. */
export type NamedContents = (sha256: Sha256) => Uint8Array;

/** Bytes, or `{"sha256": …}` for what the reader has. */
function contentForm(named: (sha256: Sha256, at: string) => Uint8Array): Form<Uint8Array> {
  return (value, at) => {
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) {
      return bytes(value, at);
    }
    const { sha256 } = reference(value, at);
    if (!/^[0-9a-f]{64}$/.test(sha256)) fail(`${at}.sha256`, 'not 64 hexadecimal digits');
    return named(sha256, at);
  };
}

const reference = object({ sha256: text });

/** A source as text, or as a named content of UTF-8. */
function sourceForm(content: Form<Uint8Array>): Form<string> {
  return (value, at) => {
    if (typeof value !== 'object' || value === null) return text(value, at);
    const utf8 = content(value, at);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(utf8);
    } catch {
      return fail(at, 'no UTF-8');
    }
  };
}

const textureForm = (content: Form<Uint8Array>) =>
  object({
    format: word(Object.keys(TEXTURE_FORMATS) as TextureFormat[]),
    dimension: missing(word(TEXTURE_DIMENSIONS), undefined),
    widthPx: number,
    heightPx: number,
    sliceCount: missing(number, undefined),
    levels: missing(list(content), []),
    levelCount: missing(number, undefined),
    isMipmapGenerated: missing(flag, false),
    sampleCount: missing(number, undefined),
  });

const constantSource = object({ kind: word(['constant']), value: four(number) });
const bufferSource = object({
  kind: missing(word(['buffer']), 'buffer'),
  bufferIndex: number,
  offsetBytes: missing(number, 0),
  strideBytes: number,
  componentType,
  componentCount: number,
  isNormalized: missing(flag, false),
  instanceDivisor: missing(number, 0),
});

const attributeSource: Form<Draw['attributes'][string]> = (value, at) => {
  const isConstant = (value as { kind?: unknown } | null)?.kind === 'constant';
  return isConstant ? constantSource(value, at) : bufferSource(value, at);
};

/** Words of a uniform, little-endian, where decimal numbers would not do: −0, NaN, ∞, or many. */
const uniformWords = object({
  float32: missing(bytes, undefined),
  int32: missing(bytes, undefined),
  uint32: missing(bytes, undefined),
});

function readUniformWords(value: unknown, at: string): UniformValue {
  const { float32, int32, uint32 } = uniformWords(value, at);
  const content = float32 ?? int32 ?? uint32;
  if (content === undefined || content.length % 4 !== 0) {
    return fail(at, 'not whole words of float32, int32 or uint32');
  }
  const words = new Uint8Array(content).buffer; // a copy, so that it starts at a word
  if (float32 !== undefined) return new Float32Array(words);
  return int32 !== undefined ? new Int32Array(words) : new Uint32Array(words);
}

/** A number, numbers, or words as MessagePack's typed arrays or in Base64. */
const uniform: Form<UniformValue> = (value, at) => {
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
  level: missing(number, undefined),
  slice: missing(number, undefined),
};

const copy: Form<TargetCopy> = object({
  source: (value, at) => (value === 'depth-stencil' ? value : number(value, at)),
  sourceX: missing(number, 0),
  sourceY: missing(number, 0),
  widthPx: number,
  heightPx: number,
  into: object(imageFields),
  intoX: missing(number, 0),
  intoY: missing(number, 0),
  swizzle: missing(four(word(SWIZZLE_SOURCES)), undefined),
  aspect: missing(word(['depth', 'stencil']), undefined),
});

const target: Form<NonNullable<Pass['target']>> = (value, at) => {
  switch ((value as { kind?: unknown } | null)?.kind) {
    case 'texture':
      return object({ kind: word(['texture']), ...imageFields })(value, at);
    case 'images':
      return object({
        kind: word(['images']),
        colors: list(nullable(object(imageFields))),
        depthStencil: missing(nullable(object(imageFields)), null),
      })(value, at);
    default:
      return object({ kind: word(['screen']) })(value, at);
  }
};

const CLEAR = { color: [0, 0, 0, 1], depth: 1, stencil: 0 } as const;

/** Parts of a clear; colours by attachment only where they are given. */
const clear: Form<Pass['clear']> = (value, at) => {
  if (typeof value !== 'object' || value === null) return clearForm(value, at);
  const { colors, ...rest } = value as { colors?: unknown };
  const given = clearForm(rest, at);
  return colors === undefined
    ? given
    : { ...given, colors: list(four(number))(colors, `${at}.colors`) };
};
const clearForm = partOf<Omit<Pass['clear'], 'colors'>>(CLEAR);

const index = object({
  bufferIndex: number,
  offsetBytes: missing(number, 0),
  componentType: word(['uint8', 'uint16', 'uint32']),
});

const multisampleForm = object({
  isAlphaToCoverage: missing(flag, false),
  sampleMask: missing(number, 15),
});

const pointClipForm = word(POINT_CLIPS);

/** The state of a draw into a target of this size: OpenGL's initial one where nothing else is said. */
function stateForm(widthPx: number, heightPx: number): Form<PipelineState> {
  const { scissor: _none, ...defaults } = defaultPipelineState(widthPx, heightPx);
  const scissorForm = missing(nullable(rect), null);
  const others = partOf(defaults);
  return (value, at) => {
    if (typeof value !== 'object' || value === null) return { ...others(value, at), scissor: null };
    const { scissor, multisample, pointClip, ...rest } = value as Record<string, unknown>;
    const state = {
      ...others(rest, at),
      scissor: scissorForm(scissor, `${at}.scissor`),
      ...(pointClip === undefined
        ? {}
        : { pointClip: pointClipForm(pointClip, `${at}.pointClip`) }),
    };
    return multisample === undefined
      ? state
      : { ...state, multisample: multisampleForm(multisample, `${at}.multisample`) };
  };
}

function passForm(widthPx: number, heightPx: number) {
  return object({
    clear: missing(clear, CLEAR),
    target: missing(target, undefined),
    loads: missing(list(word(TARGET_ASPECTS)), undefined),
    copies: missing(list(copy), undefined),
    draws: list(
      object({
        programIndex: number,
        topology: missing(word(TOPOLOGIES), 'triangles'),
        first: missing(number, 0),
        count: number,
        indices: missing(nullable(index), null),
        instanceCount: missing(number, 1),
        attributes: missing(named(attributeSource), {}),
        uniforms: missing(named(uniform), {}),
        textures: missing(
          named(object({ textureIndex: number, sampler: missing(sampler, sampler({}, '')) })),
          {},
        ),
        state: stateForm(widthPx, heightPx),
      }),
    ),
  });
}

function outlineForm(content: Form<Uint8Array>) {
  const source = sourceForm(content);
  return object({
    version: missing(number, NATIVE_FRAME_VERSION),
    widthPx: number,
    heightPx: number,
    buffers: missing(list(content), []),
    textures: missing(list(textureForm(content)), []),
    programs: list(object({ vertexSource: source, fragmentSource: source })),
    passes: list((value) => value),
  });
}

/**
 * Reads the native form from what a decoder made of it. The frame is still to be validated.
 *
 * @param contents What may be named by hash; without it nothing.
 * @throws {RenderError} FRAME_INVALID, naming the place.
 */
export function readNativeFrame(
  value: unknown,
  hash: HashParts,
  contents: NamedContents | null = null,
): Frame {
  const hashes = new Map<Uint8Array, Sha256>();
  const content = contentForm((sha256, at) => {
    if (contents === null) return fail(at, 'names a resource, and only a service keeps those');
    const named = contents(sha256);
    hashes.set(named, sha256);
    return named;
  });
  const { version, widthPx, heightPx, buffers, programs, ...rest } = outlineForm(content)(
    value,
    '',
  );
  if (version !== NATIVE_FRAME_VERSION) {
    fail('version', `${version}; this service reads ${NATIVE_FRAME_VERSION}`);
  }
  const textures = rest.textures.map((texture, i) => ({
    ...texture,
    sha256: hashTexture(texture, i, hash),
  }));
  const passes = rest.passes.map((pass, i) => {
    const size = targetSize(pass, textures) ?? { widthPx, heightPx };
    return passForm(size.widthPx, size.heightPx)(pass, `passes[${i}]`);
  });
  return {
    widthPx,
    heightPx,
    buffers: buffers.map((held) => ({ sha256: hashes.get(held) ?? hash([held]), bytes: held })),
    textures,
    programs,
    passes,
  };
}

/** As much of a target as its size needs; nothing of it is checked. */
type TargetOutline = Partial<TextureImage> & {
  readonly colors?: readonly (TextureImage | null)[];
  readonly depthStencil?: TextureImage | null;
};

/** Size of the image that a pass draws into; `undefined` for the screen, and for what is wrong and found later. */
function targetSize(pass: unknown, textures: readonly TextureResource[]) {
  const into = (pass as { target?: TargetOutline } | null)?.target;
  const image = into?.colors?.find((color) => color !== null) ?? into?.depthStencil ?? into;
  const texture = textures[Number(image?.textureIndex)];
  return texture === undefined ? undefined : levelSizeOf(texture, Number(image?.level ?? 0));
}

/** Names a texture by all that it is; one that holds nothing yet by its place as well. */
function hashTexture(
  { levels, ...header }: Omit<TextureResource, 'sha256'>,
  textureIndex: number,
  hash: HashParts,
): Sha256 {
  const place = levels.length === 0 ? textureIndex : null;
  return hash([JSON.stringify([header, place, levels.map((level) => level.length)]), ...levels]);
}

/** A frame in the native form; bytes are Uint8Arrays, for MessagePack. For JSON see {@link toNativeJson}. */
export function writeNativeFrame(frame: Frame): Record<string, unknown> {
  return outlineOf(frame, (content) => content);
}

/** A frame in the native form as JSON text, bytes in Base64. */
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
    buffers: frame.buffers.map((buffer) => write(buffer.bytes)),
    textures: frame.textures.map(({ sha256: _made, levels, ...header }) => ({
      ...header,
      levels: levels.map(write),
    })),
    programs: frame.programs,
    passes: frame.passes,
  };
}
