/**
 * Rules about references in texts. Files that comments and documents name must exist. Commands in
 * documents must run under the Node version that README.md requires.
 */
import { dirname, join, normalize } from 'node:path';

/** Mention of a source file or a document: a name with its ending, with or without folders. */
const FILE_MENTION = /(?<![\w./*<{@-])((?:[\w.-]+\/)*[\w][\w.-]*\.(?:ts|mjs|md))(?![\w*-]|\.\w)/g;

/** Files of the reader in examples. */
const READERS_FILES: readonly string[] = ['PAGE.mjs', 'PROGRAM.mjs', 'page.mjs'];

/**
 * Returns the file names in `text` that no file of the tree ends with.
 *
 * @param files Paths of the tree.
 */
export function findMissingFiles(text: string, files: ReadonlySet<string>): string[] {
  const endings = endingsOf(files);
  return [...text.matchAll(FILE_MENTION)]
    .map((match) => match[1]!.replace(/^(?:\.\.?\/)+/, ''))
    .filter((name) => !READERS_FILES.includes(name) && !endings.has(name));
}

const cachedEndings = new WeakMap<ReadonlySet<string>, Set<string>>();

/**
 * Returns the endings of all paths: the path itself, without its first folder, and so on to the
 * file name.
 */
function endingsOf(files: ReadonlySet<string>): Set<string> {
  let endings = cachedEndings.get(files);
  if (endings === undefined) {
    endings = new Set<string>();
    for (const path of files) {
      const parts = path.split('/');
      for (let k = 0; k < parts.length; k++) endings.add(parts.slice(k).join('/'));
    }
    cachedEndings.set(files, endings);
  }
  return endings;
}

/** Returns the targets of links of a Markdown page, relative to the repository. */
export function linksOf(path: string, markdown: string): string[] {
  return [...markdown.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)].map((match) =>
    normalize(join(dirname(path), match[1]!)),
  );
}

/** Returns pages that no chain of links leads to from `start`. */
export function findUnreachable(start: string, pages: ReadonlyMap<string, string>): string[] {
  const reached = new Set([start]);
  for (const path of reached) {
    for (const target of linksOf(path, pages.get(path) ?? '')) {
      for (const page of [target, join(target, 'README.md')])
        if (pages.has(page)) reached.add(page);
    }
  }
  return [...pages.keys()].filter((path) => !reached.has(path));
}

/**
 * Returns commands of a Markdown page that fail in a clone: `node` with a TypeScript file, which
 * Node 20 cannot run, and verbs that package.json does not have.
 */
export function findBadCommands(markdown: string, verbs: ReadonlySet<string>): string[] {
  const fenced = [...markdown.matchAll(/^[ ]*```(?:sh|bash|console|shell)?\n([\s\S]*?)^[ ]*```/gm)];
  const spans = [...markdown.matchAll(/`((?:node|npm run|npx) [^`\n]+)`/g)];
  const lines = [...fenced, ...spans].flatMap((match) => match[1]!.split('\n'));
  return lines.filter((line) => {
    if (/(?:^|[;&|$]\s*|=\S+\s+)node\s+(?:--\S+\s+)*\S+\.ts\b/.test(line)) return true;
    const verb = /\bnpm (?:run|run-script) (?:-\S+ )*([\w:-]+)/.exec(line)?.[1];
    return verb !== undefined && !verbs.has(verb);
  });
}
