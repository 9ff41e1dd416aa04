/**
 * Scripts of the pages. esbuild joins the modules of each page into a file on first use, because a
 * browser takes longer to request 145 modules than to run them.
 */
import { basename } from 'node:path';
import { build, type OutputFile, stop } from 'esbuild';
import { type PageFile, pageFile } from './page-files.ts';

/** Ends of names, and media types. */
const MEDIA_TYPES = [
  ['.js', 'text/javascript; charset=utf-8'],
  ['.js.map', 'application/json; charset=utf-8'],
] as const;

/**
 * Joins the modules of pages.
 *
 * @param entries Files of the pages' first modules.
 * @returns Scripts that pages load, those that they share, and their source maps, by name.
 * @throws {Error} If a module has a fault or does not exist.
 */
export async function buildScripts(entries: readonly string[]): Promise<OutputFile[]> {
  try {
    const { outputFiles } = await build({
      entryPoints: [...entries],
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      sourcemap: 'linked',
      charset: 'utf8',
      target: 'es2024',
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      // Names of the output. Nothing is written.
      outdir: '/',
      write: false,
      logLevel: 'silent',
    });
    return outputFiles;
  } finally {
    await stop(); // Its process would wait for more to build.
  }
}

/** Scripts of pages, which are built when the first of them is requested. */
export class PageScripts {
  readonly #entries: readonly string[];
  #files: Promise<ReadonlyMap<string, PageFile>> | null = null;

  /** @param entries Files of the pages' first modules. */
  constructor(entries: readonly string[]) {
    this.#entries = entries;
  }

  /**
   * Returns a script or source map.
   *
   * @throws {Error} If a module has a fault.
   */
  async file(name: string): Promise<PageFile | undefined> {
    this.#files ??= this.#build();
    return (await this.#files).get(name);
  }

  async #build(): Promise<ReadonlyMap<string, PageFile>> {
    const outputs = await buildScripts(this.#entries);
    return new Map(
      outputs.map(({ path, contents }) => {
        const [, mediaType] = MEDIA_TYPES.find(([end]) => path.endsWith(end))!;
        return [basename(path), pageFile(mediaType, Buffer.from(contents))];
      }),
    );
  }
}
