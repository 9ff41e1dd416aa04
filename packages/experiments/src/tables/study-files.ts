/** Files that a study writes: its rows, its plot, and the tables of its document. */
import { readFile, writeFile } from 'node:fs/promises';
import { replaceTable } from './document-tables.ts';

/** Tables of a document by their names; the name of the only table is empty. */
export type NamedTables = Iterable<readonly [name: string, table: string]>;

/** Paths of the files; a missing one is not written. */
export interface StudyPaths {
  readonly csv?: string | undefined;
  readonly svg?: string | undefined;
  readonly doc?: string | undefined;
}

/**
 * Replaces tables in a document.
 *
 * @throws {RenderError} REQUEST_INVALID if the document has no place for one of them.
 */
export async function rewriteTables(path: string, tables: NamedTables): Promise<void> {
  let document = await readFile(path, 'utf8');
  for (const [name, table] of tables) document = replaceTable(document, name, table);
  await writeFile(path, document);
}

/**
 * Writes the files of a study.
 *
 * @param makePlot Returns the SVG of the plot; missing for studies without one.
 * @throws {RenderError} As {@link rewriteTables}.
 */
export async function writeStudyFiles(
  { csv, svg, doc }: StudyPaths,
  study: {
    readonly csv: string;
    readonly makePlot?: () => string;
    readonly tables: NamedTables;
  },
): Promise<void> {
  if (csv !== undefined) await writeFile(csv, study.csv);
  if (svg !== undefined && study.makePlot !== undefined) await writeFile(svg, study.makePlot());
  if (doc !== undefined) await rewriteTables(doc, study.tables);
}
