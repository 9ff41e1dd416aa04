/** Specifications that clients stored under names, in the journal. */
import {
  CHIPLET_PRESETS,
  type ChipletSpec,
  chipletPreset,
  readSpec,
  type SpecDescription,
} from '@tessera/chiplet-spec';
import { RenderError } from '@tessera/frame';
import type { Database } from '../store/database.ts';
import { readStored } from '../store/stored-row.ts';

/** Upper bound on stored specifications. */
export const MAX_STORED_SPECS = 100;

/** Stored specification. */
export interface StoredSpec {
  readonly name: string;
  readonly description: SpecDescription;
  /** Values, or null if the description is not valid in this version of the service. */
  readonly spec: ChipletSpec | null;
  /** Why there are no values; otherwise null. */
  readonly problem: string | null;
}

/** Source of specifications by name. */
export type NamedSpecs = Pick<SpecStore, 'require'>;

/** Stored specifications by name. */
export class SpecStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns all, by name. */
  list(): StoredSpec[] {
    return this.#database
      .all('SELECT name, description FROM specs ORDER BY name')
      .map((row) => this.#read(row));
  }

  /** Returns a specification, or undefined. */
  get(name: string): StoredSpec | undefined {
    const row = this.#database.first('SELECT name, description FROM specs WHERE name = ?', name);
    return row === undefined ? undefined : this.#read(row);
  }

  /**
   * Stores a specification under a name, in place of an earlier one.
   *
   * @returns The specification, and whether the name is new.
   * @throws {RenderError} REQUEST_INVALID if the description is not valid or the name is that of a
   *   preset; LIMIT_EXCEEDED if too many are stored.
   */
  put(
    name: string,
    description: unknown,
  ): { readonly stored: StoredSpec; readonly isNew: boolean } {
    if (Object.hasOwn(CHIPLET_PRESETS, name)) {
      throw new RenderError('REQUEST_INVALID', `name: ${name} is a preset`);
    }
    const spec = atPlace('body', () => readSpec(description, name));
    const isNew = !this.#has(name);
    const count = Number(this.#database.first('SELECT count(*) AS count FROM specs')?.count);
    if (isNew && count >= MAX_STORED_SPECS) {
      const message = `name: ${count} specifications are stored; at most ${MAX_STORED_SPECS}`;
      throw new RenderError('LIMIT_EXCEEDED', message);
    }
    const checked = description as SpecDescription; // readSpec checked its form.
    this.#database.run('INSERT OR REPLACE INTO specs VALUES (?, ?)', name, JSON.stringify(checked));
    return { stored: { name, description: checked, spec, problem: null }, isNew };
  }

  /** Deletes a specification. Returns whether it existed. */
  delete(name: string): boolean {
    if (!this.#has(name)) return false;
    this.#database.run('DELETE FROM specs WHERE name = ?', name);
    return true;
  }

  /**
   * Returns a preset or stored specification.
   *
   * @throws {RenderError} REQUEST_INVALID if there is none, or if it is not valid in this version.
   */
  require(name: string, place: string): ChipletSpec {
    if (Object.hasOwn(CHIPLET_PRESETS, name)) return chipletPreset(name);
    const stored = this.get(name);
    if (stored?.spec) return stored.spec;
    if (stored !== undefined) {
      const message = `${place}: '${name}' is not valid in this version: ${stored.problem}`;
      throw new RenderError('REQUEST_INVALID', message);
    }
    throw unknownSpec(name, place);
  }

  #has(name: string): boolean {
    return this.#database.first('SELECT 1 FROM specs WHERE name = ?', name) !== undefined;
  }

  #read(row: Readonly<Record<string, unknown>>): StoredSpec {
    const name = String(row.name);
    const description = readStored(
      `specs, ${name}`,
      () => JSON.parse(String(row.description)) as SpecDescription, // `put` wrote it.
    );
    try {
      return { name, description, spec: readSpec(description, name), problem: null };
    } catch (error) {
      // Another version has other parameters and ranges.
      if (!(error instanceof RangeError)) throw error;
      return { name, description, spec: null, problem: error.message };
    }
  }
}

/** Presets alone, for a gateway, which has no journal. */
export const PRESET_SPECS: NamedSpecs & Pick<SpecStore, 'list' | 'get'> = {
  list: () => [],
  get: () => undefined,
  require: (name, place) => {
    if (Object.hasOwn(CHIPLET_PRESETS, name)) return chipletPreset(name);
    throw unknownSpec(name, place);
  },
};

function unknownSpec(name: string, place: string): RenderError {
  const presets = Object.keys(CHIPLET_PRESETS).join(', ');
  return new RenderError(
    'REQUEST_INVALID',
    `${place}: '${name}' is neither a preset (${presets}) nor a stored specification`,
  );
}

/**
 * Runs code that checks a specification.
 *
 * @throws {RenderError} REQUEST_INVALID for its RangeError, with the place in front.
 */
export function atPlace<T>(place: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RenderError('REQUEST_INVALID', `${place}: ${error.message}`, { cause: error });
  }
}
