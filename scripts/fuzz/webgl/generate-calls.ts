/**
 * Generates lists of WebGL calls from a seed. Valid sequences alternate with single calls whose
 * arguments are suitable, partly hostile, or missing.
 */
import { seededRandom } from '@tessera/scenes/seeded-random';
import type { Argument, CallList } from './calls/call-list.ts';
import { CallRecorder } from './calls/call-recorder.ts';
import { SIGNATURES, SIGNATURES_OF_EXTENSIONS, SIGNATURES_OF_WEBGL2 } from './calls/signatures.ts';
import { appendSequence } from './valid-sequences.ts';

/** Number of calls of a list, before the last sequence is complete. */
export const CALLS_PER_LIST = 300;

const EXTENSION_NAMES = [
  'ANGLE_instanced_arrays',
  'EXT_blend_minmax',
  'EXT_color_buffer_float',
  'EXT_color_buffer_half_float',
  'EXT_float_blend',
  'EXT_frag_depth',
  'EXT_sRGB',
  'EXT_shader_texture_lod',
  'EXT_texture_filter_anisotropic',
  'OES_draw_buffers_indexed',
  'OES_element_index_uint',
  'OES_fbo_render_mipmap',
  'OES_standard_derivatives',
  'OES_texture_float',
  'OES_texture_float_linear',
  'OES_texture_half_float',
  'OES_texture_half_float_linear',
  'OES_vertex_array_object',
  'WEBGL_color_buffer_float',
  'WEBGL_compressed_texture_etc',
  'WEBGL_compressed_texture_s3tc',
  'WEBGL_debug_renderer_info',
  'WEBGL_debug_shaders',
  'WEBGL_depth_texture',
  'WEBGL_draw_buffers',
  'WEBGL_multi_draw',
];

/** Probability that a step is a valid sequence, a single call otherwise. */
const SEQUENCE_SHARE = 0.1;
/** Probability that a single call has hostile arguments. */
const HOSTILE_SHARE = 0.5;
/** Probability that an argument of such a call is hostile. */
const HOSTILE_ARGUMENT_SHARE = 0.4;
const EXTENSION_SHARE = 0.02;

/** Generates the list with an index in the sequence of lists of a seed. */
export function generateCalls(seed: number, index: number): CallList {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) + Math.imul(index, 0x85ebca6b));
  const version = random.next() < 0.4 ? 1 : 2;
  const isLikely = () => random.next() < 0.7;
  const attributes = {
    alpha: isLikely(),
    depth: isLikely(),
    stencil: isLikely(),
    preserveDrawingBuffer: !isLikely(),
    antialias: !isLikely(),
  };
  const recorder = new CallRecorder(random, version);
  while (recorder.calls.length < CALLS_PER_LIST) {
    if (random.next() < EXTENSION_SHARE) {
      recorder.call('getExtension', [random.pick(EXTENSION_NAMES)]);
    } else if (random.next() < SEQUENCE_SHARE) appendSequence(recorder);
    else appendSingleCall(recorder);
  }
  return { version, attributes, calls: recorder.calls };
}

interface Signature {
  readonly name: string;
  readonly extension?: string;
  readonly kinds: readonly string[];
}

function listSignatures(version: 1 | 2, extensions: ReadonlySet<string>): readonly Signature[] {
  const parse = (table: Readonly<Record<string, string>>, extension?: string): Signature[] =>
    Object.entries(table).map(([name, text]) => ({
      name,
      ...(extension === undefined ? {} : { extension }),
      kinds: text === '' ? [] : text.split(' '),
    }));
  return [
    ...parse(SIGNATURES),
    ...(version === 2 ? parse(SIGNATURES_OF_WEBGL2) : []),
    ...Object.entries(SIGNATURES_OF_EXTENSIONS).flatMap(([name, table]) =>
      extensions.has(name) ? parse(table, name) : [],
    ),
  ];
}

function appendSingleCall(to: CallRecorder): void {
  const { random, maker, version } = to;
  const { name, extension, kinds } = random.pick(listSignatures(version, maker.extensions));
  const isHostile = random.next() < HOSTILE_SHARE;
  const given: Argument[] = [];
  for (const kind of kinds) {
    const isOptional = kind.startsWith('~');
    if (isOptional && (version === 1 || random.next() < 0.7)) break;
    const plain = isOptional ? kind.slice(1) : kind;
    const isBad = isHostile && random.next() < HOSTILE_ARGUMENT_SHARE;
    given.push(isBad ? maker.hostile(plain) : maker.suitable(plain));
  }
  if (isHostile && random.next() < 0.08) given.splice(random.integer(0, given.length));
  if (isHostile && random.next() < 0.04) given.push(random.pick([0, null, 'x']));
  to.call(name, given, extension);
}
