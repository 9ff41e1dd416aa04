/**
 * Generates lists of WebGL calls from a seed or from bytes. Valid sequences alternate with single
 * calls whose arguments are suitable, partly hostile, or missing.
 */
import { type SeededRandom, seededRandom } from '@tessera/scenes/seeded-random';
import { EXTENSIONS } from '../../../packages/webgl/src/extensions/extension-table.ts';
import { byteChoices } from './byte-choices.ts';
import type { Argument, Call, CallList } from './calls/call-list.ts';
import { CallRecorder } from './calls/call-recorder.ts';
import { SIGNATURES, SIGNATURES_OF_EXTENSIONS, SIGNATURES_OF_WEBGL2 } from './calls/signatures.ts';
import { appendSequence } from './valid-sequences.ts';

/** Number of calls of the list of a seed, before the last sequence is complete. */
const CALLS_PER_LIST = 300;

const EXTENSION_NAMES = [...EXTENSIONS.keys()];

/** Probability that a step is a valid sequence, a single call otherwise. */
const SEQUENCE_SHARE = 0.1;
/** Probability that a single call has hostile arguments. */
const HOSTILE_SHARE = 0.5;
/** Probability that an argument of such a call is hostile. */
const HOSTILE_ARGUMENT_SHARE = 0.4;
const EXTENSION_SHARE = 0.02;
/** Most extensions that a list enables first, as programs do. */
const MAX_FIRST_EXTENSIONS = 8;

/** Generates the list with an index in the sequence of lists of a seed. */
export function generateCalls(seed: number, index: number): CallList {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) + Math.imul(index, 0x85ebca6b));
  return generate(random, ({ length }) => length >= CALLS_PER_LIST);
}

/** Generates the list whose choices bytes determine. It ends when all bytes were read. */
export function callsOfBytes(bytes: Uint8Array): CallList {
  const choices = byteChoices(bytes);
  return generate(choices, choices.isUsedUp);
}

function generate(random: SeededRandom, isComplete: (calls: readonly Call[]) => boolean): CallList {
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
  const enableExtension = () => recorder.call('getExtension', [random.pick(EXTENSION_NAMES)]);
  for (let left = random.integer(0, MAX_FIRST_EXTENSIONS); left > 0; left--) enableExtension();
  while (!isComplete(recorder.calls)) {
    if (random.next() < EXTENSION_SHARE) enableExtension();
    else if (random.next() < SEQUENCE_SHARE) appendSequence(recorder);
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
    Object.entries(table).flatMap(([name, text]) =>
      text.split(' | ').map((form) => ({
        name,
        ...(extension === undefined ? {} : { extension }),
        kinds: form === '' ? [] : form.split(' '),
      })),
    );
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
