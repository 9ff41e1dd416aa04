/**
 * The native form of a frame: a {@link Frame} as a client writes it down, in MessagePack or JSON (docs/frame-format.md).
 * Resources are without hashes, which are made here; what a draw or sampler leaves out has OpenGL's initial value.
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

const texture = object({
  format: word(Object.keys(TEXTURE_FORMATS) as TextureFormat[]),
  dimension: missing(word(TEXTURE_DIMENSIONS), undefined),
  widthPx: number,
  heightPx: number,
  sliceCount: missing(number, undefined),
  levels: missing(list(bytes), []),
  levelCount: missing(number, undefined),
  isMipmapGenerated: missing(flag, false),
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

/** A number, numbers, or words as MessagePack's typed arrays. */
const uniform: Form<UniformValue> = (value, at) => {
  if (typeof value === 'number') return [value];
  const isWords =
    value instanceof Float32Array || value instanceof Int32Array || value instanceof Uint32Array;
  return isWords ? value : list(number)(value, at);
};

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

/** The state of a draw into a target of this size: OpenGL's initial one where nothing else is said. */
function stateForm(widthPx: number, heightPx: number): Form<PipelineState> {
  const { scissor: _none, ...defaults } = defaultPipelineState(widthPx, heightPx);
  const scissorForm = missing(nullable(rect), null);
  const others = partOf(defaults);
  return (value, at) => {
    if (typeof value !== 'object' || value === null) return { ...others(value, at), scissor: null };
    const { scissor, ...rest } = value as { scissor?: unknown };
    return { ...others(rest, at), scissor: scissorForm(scissor, `${at}.scissor`) };
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

const outline = object({
  version: missing(number, NATIVE_FRAME_VERSION),
  widthPx: number,
  heightPx: number,
  buffers: missing(list(bytes), []),
  textures: missing(list(texture), []),
  programs: list(object({ vertexSource: text, fragmentSource: text })),
  passes: list((value) => value),
});

/**
 * Reads the native form from what a decoder made of it. The frame is still to be validated.
 *
 * @throws {RenderError} FRAME_INVALID, naming the place.
 */
export function readNativeFrame(value: unknown, hash: HashParts): Frame {
  const { version, widthPx, heightPx, buffers, programs, ...rest } = outline(value, '');
  if (version !== NATIVE_FRAME_VERSION) {
    fail('version', `${version}; this service reads ${NATIVE_FRAME_VERSION}`);
  }
  const textures = rest.textures.map((content, i) => ({
    ...content,
    sha256: hashTexture(content, i, hash),
  }));
  const passes = rest.passes.map((pass, i) => {
    const size = targetSize(pass, textures) ?? { widthPx, heightPx };
    return passForm(size.widthPx, size.heightPx)(pass, `passes[${i}]`);
  });
  return {
    widthPx,
    heightPx,
    buffers: buffers.map((content) => ({ sha256: hash([content]), bytes: content })),
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
