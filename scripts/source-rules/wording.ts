/**
 * Rules about English that a machine can check. Every export has a doc comment, every noun phrase
 * has its noun, and no phrase is banned.
 */
import type { SourceFile } from './source-file.ts';

/** First words that leave the noun of a doc comment to the reader. */
const HEADLESS =
  /^(?:Of|By|What|Whether|Who|Whoever|Whose|Where|When|How|Which|That|So|As|For)\b(?!:)/;
/** Words after "Whether" that make the fragment a statement about something. */
const WHETHER_WITH_SUBJECT =
  /^Whether (?:the|a|an|this|that|each|every|any|all|no|two|both|its|it|`|[A-Z]|\w+s?\b)/;

/** Phrase that has a plain replacement. */
export interface BannedPhrase {
  /** Pattern with the flags `g` and `i`. */
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** Left column of the word table, as patterns that match prose. */
export const BANNED_PHRASES: readonly BannedPhrase[] = [
  { pattern: /\bpictures?\b/gi, replacement: 'image' },
  { pattern: /\bbeg[aiu]n(?:s|ning)? again\b/gi, replacement: 'restart, retry' },
  { pattern: /\b(?:worked|works?|working) at\b/gi, replacement: 'in progress, running, rendering' },
  { pattern: /\bat work\b/gi, replacement: 'running, rendering' },
  { pattern: /\b(?:is|are|be|been|was|were) told\b/gi, replacement: 'is notified, receives' },
  {
    pattern: /\b(?:take|takes|taken|took|taking|write|writes|written|wrote) down\b/gi,
    replacement: 'record',
  },
  { pattern: /\bow(?:e|es|ed|ing)\b(?! to\b)/gi, replacement: 'pending' },
  { pattern: /\bsettl(?:e|es|ed|ing)\b/gi, replacement: 'resolve' },
  { pattern: /\b(?:put|puts|putting) back\b/gi, replacement: 'restore' },
  { pattern: /\b(?:take|takes|taken|took) (?:in|up)\b(?! to\b)/gi, replacement: 'accept, ingest' },
  { pattern: /\bstretch(?:es)?\b/gi, replacement: 'interval' },
  { pattern: /\b(?:goes|go|going|went) by\b/gi, replacement: 'is determined by, uses' },
  { pattern: /\b(?:goes|go|going|went) on\b/gi, replacement: 'continue' },
  {
    pattern: /\bcom(?:e|es|ing) to (?:its|their|an|the) end\b/gi,
    replacement: 'finish, complete, fail',
  },
  { pattern: /\b(?:stand|stands|stood|lie|lies|lay) in\b/gi, replacement: 'is in, is stored in' },
  {
    pattern: /\b(?:whoever|somebody|nobody)\b/gi,
    replacement: 'the caller, the client, the worker',
  },
  { pattern: /\bwho asks\b/gi, replacement: 'the caller' },
  { pattern: /\bas far as\b/gi, replacement: 'to the extent that; if; up to' },
  { pattern: /\bso long as\b/gi, replacement: 'while, if' },
  { pattern: /\bmade by code\b/gi, replacement: 'generated, procedural' },
  { pattern: /\bhand(?:s|ed|ing)? on\b/gi, replacement: 'forward, pass through' },
  { pattern: /\baway with\b/gi, replacement: 'delete, evict, release' },
  { pattern: /\bset aside\b/gi, replacement: 'quarantine; allocate, reserve' },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, replacement: 'fix' },
  { pattern: /\bat the door\b|\bthe door\b/gi, replacement: 'validation boundary' },
  { pattern: /\bheld to\b/gi, replacement: 'checked against, must match' },
  { pattern: /\bsees? to it\b|\bsees? to the\b/gi, replacement: 'ensure' },
  { pattern: /\bno longer\b/gi, replacement: 'what it does now' },
  {
    pattern:
      /\b(?:colour|rasteris|behaviour|grey\b|normalis|initialis|serialis|synchronis|optimis|recognis)/gi,
    replacement: 'American spelling',
  },
];

/** Identifiers built on private words. */
const BANNED_IDENTIFIER =
  /\b(?!allSettled\b)\w*(?:[pP]icture|putBack|[sS]ettle|[bB]egin(?:ning)?s?Again|[mM]endable|[wW]hoever|takenDown|takeDown|handOn|colour|rasteris)\w*\b|\b(?:owe|owed|owes|owing)[A-Z]?\w*\b|\b\w+Ow(?:e|ed|ing)\b/g;

/** Keys of the command line's `--json` output, which scripts of users read. */
const KEPT_NAMES: readonly (readonly [folder: string, name: string])[] = [
  ['packages/experiments/src/', 'picture'],
  ['packages/experiments/src/', 'pictures'],
  ['test/command-line/', 'picture'],
];

/** Returns exported names without a doc comment and doc comments without a noun. */
export function findDocCommentFaults(source: SourceFile): string[] {
  const found = source.exports
    .filter(({ docComment }) => docComment === null)
    .map(({ name, line }) => `${source.path}:${line}: ${name} has no doc comment`);
  for (const { line, isDocComment, text } of source.comments) {
    if (!isDocComment || !HEADLESS.test(text) || isWhetherWithSubject(text)) continue;
    found.push(`${source.path}:${line}: headless: "${text.split('\n')[0]}"`);
  }
  return found;
}

/** "Whether the queue is full" has a subject and a verb; "Whether of the first" has neither. */
function isWhetherWithSubject(text: string): boolean {
  return WHETHER_WITH_SUBJECT.test(text) && text.split(/\s+/).length >= 4;
}

/** Phrases of `text` that the word table replaces, as `line: phrase → replacement`. */
export function findBannedPhrases(text: string, firstLine: number): string[] {
  const plain = text.replace(/`[^`\n]*`/g, (code) => '_'.repeat(code.length)).replaceAll('\n', ' ');
  return BANNED_PHRASES.flatMap(({ pattern, replacement }) =>
    [...plain.matchAll(pattern)].map((match) => {
      const line = firstLine + text.slice(0, match.index).split('\n').length - 1;
      return `${line}: "${match[0].replace(/\s+/g, ' ')}" → ${replacement}`;
    }),
  );
}

/** Files that quote banned phrases: the table itself and its test. */
const QUOTING_FILES: readonly string[] = [
  'scripts/source-rules/wording.ts',
  'test/architecture/source-rules.test.ts',
];

/** Returns banned phrases in comments and messages of a file, and private words in its names. */
export function findWordingFaults(source: SourceFile): string[] {
  if (QUOTING_FILES.includes(source.path)) return [];
  const isTest = /\.test\.ts$/.test(source.path);
  const prose = isTest ? source.comments : [...source.comments, ...source.strings];
  const found = prose.flatMap(({ line, text }) =>
    findBannedPhrases(text, line).map((fault) => `${source.path}:${fault}`),
  );
  for (const match of source.code.matchAll(BANNED_IDENTIFIER)) {
    const isKept = ([folder, name]: readonly [string, string]) =>
      source.path.startsWith(folder) && name === match[0];
    if (KEPT_NAMES.some(isKept)) continue;
    const line = source.code.slice(0, match.index).split('\n').length;
    found.push(`${source.path}:${line}: name "${match[0]}"`);
  }
  return found;
}
