/**
 * Damage to values of JSON and MessagePack. The encoding stays readable, so that the checks after
 * the decoder are reached. One to three places of a copy are changed.
 */
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import { mutateBytes } from './mutate-bytes.ts';

type Container = unknown[] | Record<string, unknown>;

interface Place {
  readonly container: Container;
  readonly key: string;
}

const NUMBERS = [
  0,
  -1,
  1,
  2,
  0.5,
  255,
  256,
  4096,
  65_535,
  65_536,
  1e9,
  -1e9,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  1e300,
  -0.1,
  1e-300,
];
const TEXTS = [
  '',
  'x',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  'data:,',
  'data:application/octet-stream;base64,AAAA',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  '\u0000',
  'é'.repeat(300),
  'a'.repeat(70_000),
];
/** Number of elements of a long array that can be damaged. */
const MAX_ELEMENTS = 64;

/**
 * Returns a damaged copy of `value`. Typed arrays that are not damaged are shared.
 *
 * @param readOther Returns a value of the same kind, of which parts are taken.
 */
export function mutateValue(
  value: unknown,
  readOther: () => unknown,
  random: SeededRandom,
): unknown {
  const root: Container = [copy(value)];
  for (let changes = random.integer(1, 3); changes > 0; changes--) {
    const places: Place[] = [];
    listPlaces(root, places);
    if (places.length === 0) break;
    if (random.integer(0, 7) === 0) takePart(places, [readOther()], random);
    else change(random.pick(places), places, random);
  }
  return (root as unknown[])[0];
}

/** Puts a part of another value at a place with the same key, or beside it. */
function takePart(places: readonly Place[], other: Container, random: SeededRandom): void {
  const otherPlaces: Place[] = [];
  listPlaces(other, otherPlaces);
  const part = random.pick(otherPlaces);
  const alike = places.filter(({ key }) => key === part.key);
  const { container, key } = random.pick(alike.length > 0 ? alike : places);
  const name = Array.isArray(container) ? key : part.key;
  (container as Record<string, unknown>)[name] = copy(read(part));
}

function change(place: Place, places: readonly Place[], random: SeededRandom): void {
  const { container, key } = place;
  const found = read(place);
  const set = (value: unknown) => {
    (container as Record<string, unknown>)[key] = value;
  };
  switch (random.integer(0, 8)) {
    case 0:
      if (Array.isArray(container)) container.splice(Number(key), 1);
      else delete container[key];
      return;
    case 1:
      if (Array.isArray(container)) container.splice(Number(key), 0, copy(found));
      else container[`${key}_`] = found;
      return;
    case 2:
      set(copy(read(random.pick(places))));
      return;
    case 3:
      set(random.pick([null, true, false, [], {}, [[]], undefined]));
      return;
    case 4:
      set(random.pick(TEXTS));
      return;
    default:
      if (typeof found === 'number') {
        set(random.integer(0, 2) > 0 ? found + random.integer(-2, 2) : random.pick(NUMBERS));
      } else if (typeof found === 'string') {
        const bytes = new TextEncoder().encode(found);
        set(new TextDecoder().decode(mutateBytes(bytes, bytes, random)));
      } else if (found instanceof Uint8Array) {
        set(mutateBytes(found, found, random));
      } else {
        set(random.pick(NUMBERS));
      }
  }
}

function read({ container, key }: Place): unknown {
  return (container as Record<string, unknown>)[key];
}

function listPlaces(container: Container, places: Place[]): void {
  let left = MAX_ELEMENTS;
  for (const [key, value] of Object.entries(container)) {
    if (left-- === 0) return;
    places.push({ container, key });
    if (isContainer(value)) listPlaces(value, places);
  }
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isContainer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)]));
}

/** Whether a value is a list or a plain object. Instances of classes are replaced as a whole. */
function isContainer(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
