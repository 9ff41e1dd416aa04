/**
 * Writes frames in the native format that name large contents by SHA-256 instead of containing
 * them. A client posts such a frame after it has put the contents into the service's store
 * (docs/frame-format.md). State with its initial value is omitted, so a frame that resembles the
 * previous one takes a few kilobytes.
 */
import type { Draw, Frame, UniformValue } from './frame.ts';
import { type HashParts, NATIVE_FRAME_VERSION } from './native-frame.ts';
import { defaultPipelineState, type PipelineState } from './pipeline-state.ts';
import type { SamplerState, Sha256, TextureResource } from './resources.ts';

/** A frame that names its contents by hash, and those contents. */
export interface ReferencingFrame {
  /** Request body, of the type `application/json`. */
  readonly json: string;
  /** Contents that the body names, by hash. */
  readonly contents: ReadonlyMap<Sha256, Uint8Array>;
}

/** Hashes of texture levels, by their bytes. */
type HashCache = WeakMap<Uint8Array, Sha256>;

const SAMPLER_DEFAULTS = {
  wrapS: 'repeat',
  wrapT: 'repeat',
  magFilter: 'linear',
  minFilter: 'linear',
  mipmapFilter: 'none',
};

/**
 * Returns the frame in the native format with all contents named by hash.
 *
 * @param known Cache of the hashes of texture levels. Pass the same map for each frame of a
 *   program. The bytes of a level must not change while the map holds it.
 */
export function toReferencingNativeJson(
  frame: Frame,
  hash: HashParts,
  known: HashCache = new WeakMap(),
): ReferencingFrame {
  const contents = new Map<Sha256, Uint8Array>();
  const name = (sha256: Sha256, content: Uint8Array) => {
    contents.set(sha256, content);
    return { sha256 };
  };
  const nameLevel = (level: Uint8Array) => {
    let sha256 = known.get(level);
    if (sha256 === undefined) {
      sha256 = hash([level]);
      known.set(level, sha256);
    }
    return name(sha256, level);
  };
  const encoder = new TextEncoder();
  const nameSource = (source: string) => {
    const utf8 = encoder.encode(source);
    return name(hash([utf8]), utf8);
  };
  const native = {
    version: NATIVE_FRAME_VERSION,
    widthPx: frame.widthPx,
    heightPx: frame.heightPx,
    sampleCount: frame.sampleCount,
    buffers: frame.buffers.map(({ sha256, bytes }) => name(sha256, bytes)),
    textures: frame.textures.map(({ sha256: _made, levels, ...header }: TextureResource) => ({
      ...header,
      levels: levels.map(nameLevel),
    })),
    programs: frame.programs.map(({ vertexSource, fragmentSource }) => ({
      vertexSource: nameSource(vertexSource),
      fragmentSource: nameSource(fragmentSource),
    })),
    passes: frame.passes.map((pass) => ({ ...pass, draws: pass.draws.map(shortenDraw) })),
  };
  return { json: JSON.stringify(native), contents };
}

function shortenDraw(draw: Draw): Record<string, unknown> {
  const { uniforms, textures, state, indices, ...rest } = draw;
  return {
    ...rest,
    ...(indices === null ? {} : { indices }),
    uniforms: mapValues(uniforms, writeUniform),
    textures: mapValues(textures, ({ textureIndex, sampler }) => ({
      textureIndex,
      sampler: differenceOf(sampler, SAMPLER_DEFAULTS) as Partial<SamplerState>,
    })),
    state: shortenState(state),
  };
}

/**
 * Omits state that has its initial value. Keeps the viewport, because its initial value depends on
 * the target.
 */
function shortenState({ viewport, ...state }: PipelineState): Record<string, unknown> {
  const { viewport: _its, ...defaults } = defaultPipelineState(1, 1);
  return { viewport, ...(differenceOf(state, defaults) as object) };
}

/** Writes short values as numbers if JSON preserves them; all others as words in Base64. */
function writeUniform(value: UniformValue): unknown {
  const isView = ArrayBuffer.isView(value);
  const isKept = value.every((one) => Number.isFinite(one) && !Object.is(one, -0));
  const isShort = !isView || value.every((one) => Number.isInteger(one) && Math.abs(one) < 1e6);
  if (isKept && isShort) return Array.from(value);
  const words = isView ? value : Float32Array.from(value);
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  const base64 = new Uint8Array(bytes).toBase64();
  if (words instanceof Int32Array) return { int32: base64 };
  return words instanceof Uint32Array ? { uint32: base64 } : { float32: base64 };
}

/**
 * Returns the fields of `value` that differ from `defaults`, at any depth. Arrays are compared and
 * returned as a whole.
 */
function differenceOf(value: object, defaults: object): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  const byName = defaults as Record<string, unknown>;
  for (const [name, field] of Object.entries(value)) {
    const fallback = byName[name];
    if (JSON.stringify(field) === JSON.stringify(fallback)) continue;
    const isNested = [field, fallback].every(
      (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
    );
    given[name] = isNested ? differenceOf(field as object, fallback as object) : field;
  }
  return given;
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
