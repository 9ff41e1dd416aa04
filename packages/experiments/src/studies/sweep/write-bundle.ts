/** Results bundle of a sweep: everything that is needed to cite and to repeat it, in one folder. */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseSettings, specOfSummary, summarizeSpec, withSettings } from '@tessera/chiplet-spec';
import { RenderError, type SpecSummary } from '@tessera/frame';
import { BENCHMARK_SET_VERSION } from '@tessera/scenes';
import { type StudyRow, specDigest } from '@tessera/study';
import { readRevision } from '@tessera/study/revision';
import { benchmarkSceneOf } from '../../inputs/benchmark-scene.ts';
import { hashFile } from '../../inputs/hash-file.ts';
import type { SceneFile } from '../scenes/scene-files.ts';

/** Content of a bundle. */
export interface Bundle {
  /** Rows as CSV, and their means. */
  readonly csv: string;
  readonly means: string;
  readonly rows: readonly Partial<StudyRow>[];
  readonly scenes: readonly SceneFile[];
  /** Specifications that those of the rows are, or are made from by settings. */
  readonly bases: readonly SpecSummary[];
  /** Arguments of the command `tessera study`. */
  readonly args: readonly string[];
}

/** Files of a bundle, with their content. */
export const BUNDLE_FILES = {
  'results.csv': 'a row for each scene and combination; docs/studies/columns.md lists the columns',
  'means.csv': 'geometric means over the scenes',
  'specifications.json': 'all hardware parameters of each specification, by digest',
  'study.json':
    'command, versions, and each scene: name, bytes and SHA-256 of a file, or version of the benchmark set',
  'README.md': 'this list, and the command that repeats the study',
} as const;

/**
 * Writes the files of {@link BUNDLE_FILES}. The folder is created if it is missing. The results
 * come first, so that they are there if a later file cannot be written.
 *
 * @throws {RenderError} REQUEST_INVALID if a specification of a service is not known in this
 *   version.
 */
export async function writeBundle(
  folder: string,
  { csv, means, rows, scenes, bases, args }: Bundle,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const write = (name: keyof typeof BUNDLE_FILES, text: string) =>
    writeFile(join(folder, name), text);
  await write('results.csv', csv);
  await write('means.csv', means);
  const files = await Promise.all(
    scenes.map(async ({ name, path }) =>
      benchmarkSceneOf(path) === null
        ? { name, file: basename(path), ...(await hashFile(path)) }
        : { name, benchmarkSet: BENCHMARK_SET_VERSION },
    ),
  );
  const used = new Set(rows.map(({ scene }) => scene));
  const command = ['tessera', 'study', ...args].map(quote).join(' ');
  const computed = new Set(rows.map(({ version, commit }) => `${version} ${commit}`));
  await write(
    'study.json',
    formatJson({
      command,
      // Those of the service, if a service ran the study.
      computedBy: [...computed].map((text) => {
        const [version, commit] = text.split(' ');
        return { version, commit };
      }),
      commandLine: { ...readRevision(), node: process.version },
      scenes: files.filter(({ name }) => used.has(name)),
    }),
  );
  await write('specifications.json', formatJson(findSpecs(rows, bases)));
  await write('README.md', formatReadme(command));
}

/**
 * Returns the specification of each digest.
 *
 * @throws {RenderError} REQUEST_INVALID if the parameters of a digest cannot be found.
 */
export function findSpecs(
  rows: readonly Partial<StudyRow>[],
  bases: readonly SpecSummary[],
): Record<string, SpecSummary> {
  const found: Record<string, SpecSummary> = {};
  for (const { spec = '', specDigest: digest = '', settings = {} } of rows) {
    if (Object.hasOwn(found, digest)) continue;
    const candidates = bases.flatMap((base) => [
      base,
      ...changed(base, settings),
      ...changed(base, settingsOfName(spec)),
    ]);
    const match = candidates.find((each) => specDigest(each) === digest);
    if (match === undefined) {
      throw new RenderError(
        'REQUEST_INVALID',
        `bundle: the parameters of specification '${spec}' (${digest}) are not known; is the service of another version?`,
      );
    }
    found[digest] = { ...match, name: spec };
  }
  return found;
}

/** Returns the specification with settings; none if they are not valid for it. */
function changed(base: SpecSummary, settings: StudyRow['settings']): SpecSummary[] {
  try {
    return [summarizeSpec(withSettings(specOfSummary(base), settings ?? {}))];
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Returns the settings in the name of a specification: `default+smCount=8`. */
function settingsOfName(name: string): StudyRow['settings'] {
  const [, text] = name.split('+');
  try {
    return text === undefined ? {} : parseSettings(text);
  } catch (error) {
    // A long name has a digest in place of the settings.
    if (error instanceof RangeError) return {};
    throw error;
  }
}

/** Quotes an argument for a shell, if it needs that. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function formatReadme(command: string): string {
  const files = Object.entries(BUNDLE_FILES).map(
    ([name, meaning]) => `- \`${name}\`: ${meaning}\n`,
  );
  return (
    '# Results of a study with Tessera\n\nTo repeat the study, run this with the version and commit in ' +
    `\`study.json\`:\n\n    ${command}\n\n${files.join('')}\nCite Tessera as its file CITATION.cff says.\n`
  );
}
