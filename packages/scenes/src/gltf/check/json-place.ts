/** Access to untrusted JSON with error messages that name the path. */
import { RenderError } from '@tessera/frame';

/** Value of untrusted JSON with its path, such as `meshes[0].primitives[1].mode`. */
export class JsonPlace {
  readonly value: unknown;
  readonly path: string;

  constructor(value: unknown, path: string) {
    this.value = value;
    this.path = path;
  }

  /** @throws {RenderError} MODEL_INVALID with the path in front of the message. */
  fail(what: string, cause?: unknown): never {
    const path = this.path === '' ? 'model' : this.path;
    throw new RenderError('MODEL_INVALID', `${path}: ${what}`, { cause });
  }

  /** Returns the member `key` of this object, `null` if it is missing. */
  optional(key: string): JsonPlace | null {
    const members = this.object();
    if (!Object.hasOwn(members, key)) return null;
    return new JsonPlace(members[key], this.path === '' ? key : `${this.path}.${key}`);
  }

  /** Returns the member `key` of this object, which must exist. */
  get(key: string): JsonPlace {
    return this.optional(key) ?? this.fail(`${key} is missing`);
  }

  /**
   * Returns the members of this object.
   *
   * @throws {RenderError} MODEL_INVALID if the value is not an object. The methods below throw it
   *   for their types.
   */
  object(): Readonly<Record<string, unknown>> {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.fail(`${describe(value)} is not an object`);
    }
    // JSON objects have only string keys
    return value as Record<string, unknown>;
  }

  keys(): string[] {
    return Object.keys(this.object());
  }

  /** Returns the elements of this array with their paths. */
  array(): JsonPlace[] {
    if (!Array.isArray(this.value)) return this.fail(`${describe(this.value)} is not an array`);
    return this.value.map((entry, i) => new JsonPlace(entry, `${this.path}[${i}]`));
  }

  /** Returns the members of the array `key`; none if it is missing. */
  list(key: string): JsonPlace[] {
    return this.optional(key)?.array() ?? [];
  }

  string(): string {
    const { value } = this;
    return typeof value === 'string' ? value : this.fail(`${describe(value)} is not a string`);
  }

  boolean(): boolean {
    const { value } = this;
    return typeof value === 'boolean' ? value : this.fail(`${describe(value)} is not a boolean`);
  }

  /** Returns a finite number within the bounds, both inclusive. */
  number(min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): number {
    const { value } = this;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      return this.fail(`${describe(value)} is not a finite number`);
    }
    if (value < min || value > max) this.fail(`${value} is not ${range(min, max)}`);
    return value;
  }

  /** Returns an integer within the bounds, both inclusive. */
  integer(min = 0, max = Number.MAX_SAFE_INTEGER): number {
    const value = this.number();
    if (!Number.isInteger(value)) this.fail(`${value} is not an integer`);
    if (value < min || value > max) this.fail(`${value} is not ${range(min, max)}`);
    return value;
  }

  /** Returns an index into a list of `count` items named `what`. */
  index(count: number, what: string): number {
    const value = this.integer();
    if (value >= count) this.fail(`index ${value} is out of range: there are ${count} ${what}`);
    return value;
  }

  /** Returns the elements of an array of exactly `length` finite numbers. */
  numbers(length: number): number[] {
    const entries = this.array();
    if (entries.length !== length) this.fail(`${entries.length} numbers, not ${length}`);
    return entries.map((entry) => entry.number());
  }

  /** Returns the value if it is one of `choices`. */
  oneOf<T extends string>(choices: readonly T[]): T {
    const value = this.string();
    const found = choices.find((choice) => choice === value);
    return found ?? this.fail(`"${value}" is not one of ${choices.join(', ')}`);
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? `"${value.slice(0, 40)}"` : String(value);
}

function range(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY || max === Number.MAX_SAFE_INTEGER) return `at least ${min}`;
  return min === Number.NEGATIVE_INFINITY ? `at most ${max}` : `from ${min} to ${max}`;
}
