/** The options `--spec` and `--set`: the specification of the simulated chiplets. */
import { readFileSync } from 'node:fs';
import {
  type ChipletSpec,
  chipletPreset,
  DEFAULT_CHIPLET_SPEC,
  formatValue,
  parseSettings,
  readSpec,
  type SpecDescription,
  withSettings,
} from '@tessera/chiplet-spec';
import { RenderError } from '@tessera/frame';

/**
 * Returns the specification of `--spec` with the settings of `--set`.
 *
 * @param spec Preset, or a JSON file with `preset` and `set` (its name ends in `.json`).
 * @param settings Texts of all `--set`.
 * @throws {RenderError} REQUEST_INVALID, naming the option, the parameter, the value and the range.
 */
export function readSpecOption(spec: string, settings: readonly string[] = []): ChipletSpec {
  const base = atOption('spec', () =>
    isFile(spec) ? readSpecFile(spec).spec : chipletPreset(spec),
  );
  if (settings.length === 0) return base;
  return atOption('set', () => withSettings(base, parseSettings(settings.join(','))));
}

/**
 * Returns `spec` and `set` of a query to a service, which also has stored specifications. The
 * service checks names and settings, but it cannot read files.
 *
 * @param spec Name, or a JSON file as for {@link readSpecOption}.
 * @throws {RenderError} REQUEST_INVALID if the file, or a setting beside it, is not valid.
 */
export function specQuery(
  spec: string | undefined,
  settings: readonly string[] = [],
): { readonly spec?: string; readonly set?: string } {
  const text = settings.join(',');
  if (spec === undefined || !isFile(spec)) {
    return { ...(spec !== undefined && { spec }), ...(settings.length > 0 && { set: text }) };
  }
  const file = atOption('spec', () => readSpecFile(spec));
  const given = settings.length === 0 ? {} : atOption('set', () => parseSettings(text));
  atOption('set', () => withSettings(file.spec, given));
  const all = Object.entries({ ...file.description.set, ...given });
  const { preset = DEFAULT_CHIPLET_SPEC.name } = file.description;
  const set = all.map(([name, value]) => `${name}=${formatValue(value)}`).join(',');
  return { spec: preset, ...(all.length > 0 && { set }) };
}

/**
 * Returns a specification for the body of a study: its name, or its description if it is in a file
 * or has settings.
 *
 * @param spec Name, or a JSON file as for {@link readSpecOption}.
 * @throws {RenderError} REQUEST_INVALID if the file, or a setting beside it, is not valid.
 */
export function specDescription(
  spec: string,
  settings: readonly string[] = [],
): string | SpecDescription {
  if (!isFile(spec) && settings.length === 0) return spec;
  const { preset = spec, set = {} } = isFile(spec)
    ? atOption('spec', () => readSpecFile(spec)).description
    : {};
  const given =
    settings.length === 0 ? {} : atOption('set', () => parseSettings(settings.join(',')));
  return { preset: isFile(preset) ? DEFAULT_CHIPLET_SPEC.name : preset, set: { ...set, ...given } };
}

function isFile(spec: string): boolean {
  return spec.endsWith('.json');
}

/** Specification in a file, as it is written and with all values. */
interface SpecFile {
  readonly description: SpecDescription;
  readonly spec: ChipletSpec;
}

function readSpecFile(path: string): SpecFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new RangeError(`${path}: ${(error as Error).message}`, { cause: error });
  }
  try {
    const description: unknown = JSON.parse(text);
    const spec = readSpec(description);
    return { description: description as SpecDescription, spec }; // readSpec checked its form.
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) {
      throw new RangeError(`${path}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

function atOption<T>(option: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RenderError('REQUEST_INVALID', `--${option}: ${error.message}`, { cause: error });
  }
}
