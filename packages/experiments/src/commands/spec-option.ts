/** The options `--spec` and `--set`: the specification of the simulated chiplets. */
import { readFileSync } from 'node:fs';
import {
  type ChipletSpec,
  chipletPreset,
  parseSettings,
  readSpec,
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
    spec.endsWith('.json') ? readSpecFile(spec) : chipletPreset(spec),
  );
  if (settings.length === 0) return base;
  return atOption('set', () => withSettings(base, parseSettings(settings.join(','))));
}

function readSpecFile(path: string): ChipletSpec {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new RangeError(`${path}: ${(error as Error).message}`, { cause: error });
  }
  try {
    return readSpec(JSON.parse(text));
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
