/**
 * Wraps comments and Markdown prose at the width of the code: `npm run wrap`, or for some folders
 * `npm run wrap -- docs README.md`. With `--check`, lists the files that it would change, and fails
 * if there are any.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isGenerated, listFiles } from './source-tree.ts';
import { wrapComments } from './wrap-comments.ts';
import { wrapMarkdown } from './wrap-markdown.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const isCheck = process.argv.includes('--check');
const pathspecs = process.argv.slice(2).filter((argument) => argument !== '--check');

const paths = listFiles(ROOT, pathspecs).filter(
  (path) => /\.(?:ts|mjs|md)$/.test(path) && !isGenerated(path),
);

const changed: string[] = [];
for (const path of paths) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const wrapped = path.endsWith('.md') ? wrapMarkdown(text) : wrapComments(path, text);
  if (wrapped === text) continue;
  changed.push(path);
  if (!isCheck) writeFileSync(join(ROOT, path), wrapped);
}
if (changed.length > 0) {
  console.log(`${isCheck ? 'not wrapped' : 'wrapped'}:\n  ${changed.join('\n  ')}`);
  if (isCheck) {
    console.log('npm run wrap wraps them');
    process.exitCode = 1;
  }
}
