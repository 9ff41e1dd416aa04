/** Arguments of generated calls: suitable ones for each kind of argument, and hostile ones. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import {
  type Argument,
  OBJECT_KINDS,
  type ObjectKind,
  VIEW_NAMES,
  type ViewName,
} from './call-list.ts';
import { CONSTANT_VALUES } from './constants.ts';
import { acceptedValues, isEnumeration } from './enumerations.ts';
import type { KnownObjects } from './known-objects.ts';
import { ODD_SOURCES, PAIRS } from './shader-sources.ts';

/** Longest edge of images and rectangles. Larger ones would make a long list slow. */
const MAX_EDGE_PX = 8;
const MAX_BYTES = 256;
/** Most vertices of a draw, and most instances. */
const MAX_COUNT = 24;
const MAX_INSTANCES = 3;

/**
 * Sizes and positions beyond limits. None is a size that a context could allocate in two
 * dimensions, because such images take seconds.
 */
const LARGE = [16_385, 100_000, 2 ** 31 - 1, -(2 ** 31), -1, -1000];
/** Numbers that conversions to integers change. */
const ODD_NUMBERS: readonly Argument[] = [
  { number: 'NaN' },
  { number: 'Infinity' },
  { number: '-Infinity' },
  { number: '-0' },
  0.5,
  -0.9,
  2 ** 32,
  2 ** 32 + 1,
  -1,
  true,
  '1',
  'x',
  '',
];
const ODD_VALUES: readonly Argument[] = [
  null,
  { odd: 'undefined' },
  { odd: 'object' },
  { odd: 'array' },
  { odd: 'function' },
  { odd: 'symbol' },
  { odd: 'bigint' },
  { odd: 'date' },
];
/** Contents of buffers that no context can hold. */
const BAD_CONTENTS: readonly Argument[] = [-1, 2 ** 53, 2 ** 42, { number: 'NaN' }, null, 'x'];
const DRAW_KINDS = ['count', 'instances', 'drawCount'];
const NAMES = [
  'position',
  'uv',
  'flags',
  'missing',
  'gl_Position',
  'webgl_x',
  '_webgl_x',
  '',
  'a b',
];
const LONG_NAME = 'x'.repeat(300);

type Make = (maker: ArgumentMaker, random: SeededRandom) => Argument;

const integer =
  (min: number, max: number): Make =>
  (_, random) =>
    random.integer(min, max);
const oneOf =
  (...values: readonly Argument[]): Make =>
  (_, random) =>
    random.pick(values);

/** Makers of suitable arguments that are neither enumerations nor objects nor lists of numbers. */
const MAKERS: Readonly<Record<string, Make>> = {
  alignedOffset: oneOf(0, 0, 256),
  attachments: (maker) => ({
    list: [maker.suitable('attachmentOrDefault'), maker.suitable('attachmentOrDefault')],
  }),
  attribute: oneOf(0, 1, 2, 3, 15),
  attributeName: oneOf(...NAMES.slice(0, 4)),
  blockName: oneOf('Camera', 'missing'),
  boolean: oneOf(true, false),
  bufferBytes: (maker) => maker.view(maker.random.integer(1, MAX_BYTES / 8)),
  bufferContents: (maker) =>
    maker.random.next() < 0.3 ? maker.random.integer(0, MAX_BYTES) : maker.suitable('bufferBytes'),
  byteCount: oneOf(4, 8, 16, 64),
  bytes: (maker) => maker.view(maker.random.integer(1, 64), 'Uint8Array'),
  clearMask: oneOf(0x4000, 0x100, 0x400, 0x4500, 0),
  components: integer(1, 4),
  coordinate: integer(0, MAX_EDGE_PX),
  count: integer(0, MAX_COUNT),
  depth: integer(1, 4),
  divisor: integer(0, 2),
  drawBuffers: (maker) => ({
    list: maker.random.pick([
      [0x405],
      [0],
      [0x8ce0],
      [0x8ce0, 0],
      [0, 0x8ce1],
      [0x8ce0, 0x8ce1],
      [0x8ce1],
      [],
    ]),
  }),
  drawCount: integer(0, 2),
  extensionName: oneOf('OES_none', 'WEBGL_debug_renderer_info', ''),
  false: oneOf(false),
  first: integer(0, 4),
  float: (_, random) =>
    random.pick([0, 1, -1, 0.25, 0.5, 100, Math.fround(random.between(-2, 2)), 1e30]),
  fraction: oneOf(0, 0.25, 0.5, 1),
  image: (_, random) => ({ image: [random.integer(1, 4), random.integer(1, 4)] }),
  index: integer(0, 2),
  indexOffset: oneOf(0, 0, 2, 4),
  indices: (_, random) => ({ list: random.pick([[0], [0, 1], []]) }),
  instances: integer(0, MAX_INSTANCES),
  integer: integer(-2, 300),
  layer: integer(0, 2),
  level: oneOf(0, 0, 0, 1, 2),
  levels: oneOf(1, 1, 2, 3),
  list: (maker) => maker.numbers(2, 'Int32Array'),
  mask: oneOf(0, 1, 0xff, 0xffff_ffff),
  names: (_, random) => ({ list: random.pick([['place'], ['copy'], ['at', 'depth'], [], ['no']]) }),
  offset: oneOf(0, 0, 0, 4, 16),
  offsetPx: integer(0, 2),
  outputName: oneOf('color', 'first', 'second', 'missing'),
  pixelArray: (maker) => maker.view(1024, 'Uint8Array'),
  pixels: (maker, random) =>
    random.next() < 0.3
      ? null
      : random.next() < 0.2
        ? { image: [4, 4] }
        : maker.view(1024, random.pick(['Uint8Array', 'Uint16Array', 'Float32Array'])),
  point: integer(0, 3),
  positive: oneOf(1, 2, 0.5),
  samples: oneOf(0, 1, 4),
  shaderText: (_, random) => {
    const { vertex, fragment } = random.pick(PAIRS);
    return random.next() < 0.3 ? random.pick(ODD_SOURCES) : random.pick([vertex, fragment]);
  },
  size: integer(0, MAX_EDGE_PX),
  storageValue: oneOf(0, 1, 2, 4, 8, true, false, 0x9244),
  stride: oneOf(0, 0, 8, 16),
  syncFlags: oneOf(0, 1),
  textureUnit: (_, random) => 0x84c0 + random.integer(0, 3),
  textureValue: (maker) => maker.suitable('textureValue'),
  timeout: oneOf(-1),
  uniformName: oneOf(
    'color',
    'matrix',
    'weights[1]',
    'lights[0].color',
    'mask',
    'missing',
    'image',
  ),
  unit: integer(0, 3),
  unsigned: integer(0, 300),
  viewCount: integer(0, 5),
  zero: oneOf(0),
};

/** Makes arguments for one list of calls. */
export class ArgumentMaker {
  readonly random: SeededRandom;
  readonly #objects: KnownObjects;
  readonly #version: 1 | 2;
  /** Extensions that earlier calls have enabled. */
  readonly extensions = new Set<string>();

  constructor(random: SeededRandom, objects: KnownObjects, version: 1 | 2) {
    this.random = random;
    this.#objects = objects;
    this.#version = version;
  }

  /** Returns an argument that a call can accept. */
  suitable(kind: string): Argument {
    const isOptional = kind.endsWith('?');
    const name = isOptional ? kind.slice(0, -1) : kind;
    if (isObjectKind(name)) {
      if (isOptional && this.random.next() < 0.15) return null;
      const found = this.#objects.find(name);
      return found === null ? null : { ref: found.result };
    }
    if (isEnumeration(name)) {
      return this.random.pick(acceptedValues(name, this.#version, this.extensions));
    }
    const list = /^(floats|integers|unsigneds)(\d+)$/.exec(name);
    if (list !== null) return this.#numberList(list[1]!, Number(list[2]));
    const make = MAKERS[name];
    if (make === undefined) throw new Error(`there is no kind of argument ${kind}`);
    return make(this, this.random);
  }

  /** Returns an argument that a call rejects or converts in an unusual way. */
  hostile(kind: string): Argument {
    const name = kind.replace('?', '');
    if (this.random.next() < 0.25) return this.random.pick(ODD_VALUES);
    if (isObjectKind(name)) return this.#hostileObject(name);
    if (isEnumeration(name)) {
      return this.random.next() < 0.8
        ? this.random.pick(CONSTANT_VALUES)
        : this.random.pick([0, -1, 1, 0xffff_ffff, ...ODD_NUMBERS]);
    }
    if (/^(floats|integers|unsigneds)\d+$/.test(name) || /[bB]ytes|pixel|list/.test(name)) {
      return this.#hostileList();
    }
    if (/Name$|Text$/.test(name)) {
      return this.random.pick<Argument>([...NAMES, LONG_NAME, 'é', 'a\\b', 7]);
    }
    if (name !== 'bufferContents' && /s$/.test(name) && this.random.next() < 0.5)
      return this.#hostileList();
    if (name === 'bufferContents') return this.random.pick(BAD_CONTENTS);
    // A large count would draw for seconds.
    const large = DRAW_KINDS.includes(name) ? [-1, -(2 ** 31)] : LARGE;
    return this.random.next() < 0.5
      ? this.random.pick(ODD_NUMBERS)
      : this.random.pick<Argument>([...large, 1, 3, 5, 7]);
  }

  /** Returns a typed array of small numbers. */
  view(length: number, name: ViewName = this.random.pick(VIEW_NAMES)): Argument {
    const isTiny = this.random.next() < 0.2;
    const values = Array.from({ length: isTiny ? 1 : 4 }, () => this.random.integer(0, 5));
    return { view: name, length, values };
  }

  /** Returns a list of numbers, as a typed array or as a plain array. */
  numbers(length: number, name: ViewName): Argument {
    const { random } = this;
    if (random.next() < 0.7) return this.view(length, name);
    return { list: Array.from({ length }, () => random.integer(0, 5)) };
  }

  #numberList(scalar: string, size: number): Argument {
    const name = { floats: 'Float32Array', integers: 'Int32Array' }[scalar] ?? 'Uint32Array';
    const multiple = this.random.next() < 0.8 ? 1 : 2;
    return this.numbers(size * multiple, name as ViewName);
  }

  #hostileObject(kind: ObjectKind): Argument {
    const { random } = this;
    switch (random.integer(0, 3)) {
      case 0:
        return { foreign: kind };
      case 1: {
        const deleted = this.#objects.find(kind, ({ isDeleted }) => isDeleted);
        return deleted === null ? null : { ref: deleted.result };
      }
      case 2: {
        const other = this.#objects.find(random.pick(OBJECT_KINDS), () => true);
        return other === null ? null : { ref: other.result };
      }
      default:
        return random.pick<Argument>([0, 1, 'x', { foreign: random.pick(OBJECT_KINDS) }]);
    }
  }

  #hostileList(): Argument {
    const { random } = this;
    return random.pick<Argument>([
      this.view(random.integer(0, 5)),
      this.view(17),
      { list: [1, 'x', { number: 'NaN' }, null] },
      { list: [{ odd: 'symbol' }] },
      { list: [] },
      { arrayBufferBytes: random.integer(0, 64) },
      { image: [2, 3] },
      7,
      'text',
      -1,
    ]);
  }
}

function isObjectKind(name: string): name is ObjectKind {
  return (OBJECT_KINDS as readonly string[]).includes(name);
}
