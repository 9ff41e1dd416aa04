/**
 * Prints comments, error messages and paragraphs drawn at random, for a reader to judge:
 * `npm run sample -- --seed 7 [--comments 20] [--messages 10] [--paragraphs 10] [FOLDER …]`.
 * The same seed and tree give the same sample.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { parseSync, Visitor } from 'oxc-parser';
import { readTree } from './source-tree.ts';

const ROOT = resolve(import.meta.dirname, '../..');

interface Passage {
  readonly place: string;
  readonly text: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    comments: { type: 'string', default: '20' },
    messages: { type: 'string', default: '10' },
    paragraphs: { type: 'string', default: '10' },
  },
});
const isAsked = ({ path }: { path: string }) =>
  positionals.length === 0 || positionals.some((folder) => path.startsWith(folder));
const tree = readTree(ROOT);
const sources = tree.sources.filter(isAsked);

/** Returns the messages of errors that the code creates. */
function findMessages(path: string, text: string): Passage[] {
  const messages: Passage[] = [];
  new Visitor({
    NewExpression({ callee, arguments: given }) {
      if (callee.type !== 'Identifier' || !/Error$/.test(callee.name)) return;
      for (const { type, start, end } of given) {
        const value = text.slice(start, end);
        if (!/Literal$/.test(type) || !/\w \w/.test(value)) continue;
        const line = text.slice(0, start).split('\n').length;
        messages.push({ place: `${path}:${line}`, text: value });
      }
    },
  }).visit(parseSync(path, text).program);
  return messages;
}

/** Returns the paragraphs and list items of a page, without its tables, headings and code. */
function findParagraphs(path: string, text: string): Passage[] {
  return text
    .replace(/^ *```[\s\S]*?^ *```/gm, '')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => /\w+ \w+ \w+/.test(paragraph) && !/^[#|<>]/.test(paragraph))
    .map((paragraph) => ({ place: path, text: paragraph }));
}

const random = seededRandom(Number(values.seed));

function printSample(title: string, passages: readonly Passage[], count: number): void {
  const left = [...passages];
  console.log(`\n## ${title}: ${Math.min(count, left.length)} of ${left.length}\n`);
  for (let k = 0; k < count && left.length > 0; k++) {
    const [{ place, text }] = left.splice(random.integer(0, left.length - 1), 1) as [Passage];
    console.log(`${place}\n    ${text.replaceAll('\n', '\n    ')}`);
  }
}

const comments = sources.flatMap(({ path, comments: own }) =>
  own.map(({ line, text }) => ({ place: `${path}:${line}`, text })),
);
const messages = sources
  .filter(({ path }) => !path.endsWith('.test.ts'))
  .flatMap(({ path, text }) => findMessages(path, text));
const paragraphs = [...tree.pages]
  .filter(([path]) => isAsked({ path }))
  .flatMap(([path, text]) => findParagraphs(path, text));
printSample('comments', comments, Number(values.comments));
printSample('error messages', messages, Number(values.messages));
printSample('paragraphs', paragraphs, Number(values.paragraphs));
