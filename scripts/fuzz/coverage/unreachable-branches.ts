/** Branches of parsers that no input reaches by design, with the reason. */
import type { ModuleBranch } from './branch-coverage.ts';

/** Branches of one file: of functions with a name, or with a text in their first line. */
interface UnreachableBranch {
  /** End of the path. */
  readonly file: string;
  /** Names of functions; all functions if it is missing. */
  readonly owners?: readonly string[];
  /** Beginning of the branch's text; any text if it is missing. */
  readonly text?: string;
  readonly reason: string;
}

/** All such branches. A branch that an input reaches counts as reachable nevertheless. */
export const UNREACHABLE_BRANCHES: readonly UnreachableBranch[] = [
  {
    file: 'specs/spec-store.ts',
    owners: ['put', 'delete', 'has', 'get', 'require', 'list', 'atPlace', 'unknownSpec', ''],
    reason: 'writes, and looks up names that a client gives',
  },
  {
    file: 'wire/src/codec/codec.ts',
    owners: ['encodeInChunks', 'withBulkAsBin', 'encodeMessage'],
    reason: 'writes messages',
  },
  {
    file: 'frame/src/native-frame.ts',
    owners: ['toNativeJson', 'writeNativeFrame'],
    reason: 'writes frames',
  },
  {
    file: 'protocol/uploads.ts',
    owners: ['begin', 'grow', 'close', 'count', 'nextChunk'],
    reason: 'several bodies at once, of which inputs have one',
  },
  {
    file: 'frames/frame-body.ts',
    owners: ['contentLength'],
    reason: 'the announced length of a body, which an input does not have',
  },
  {
    file: 'format/capture-container.ts',
    owners: ['requireZstandard', 'hasCaptureMagic'],
    reason: 'versions of Node without Zstandard, and a question that the replay does not ask',
  },
  {
    file: 'format/capture-reader.ts',
    text: 'DEFAULT_CAPTURE_LIMITS',
    reason: 'limits of callers that give none; the service gives its own',
  },
  {
    file: 'frame/src/validate-passes.ts',
    owners: ['checkFeedback'],
    reason: 'transform feedback, which no file can name as a target',
  },
  {
    file: 'draws/query-calls.ts',
    owners: ['announce'],
    reason: 'results of queries, which a later turn of the event loop announces',
  },
  {
    file: 'pixels/pixel-sources.ts',
    owners: ['takeSource', 'packDeep'],
    reason: 'images of a page and plain objects; a list of calls has ImageData',
  },
];

/** Whether a branch is one of them. */
export function isUnreachable({ path, text, owner }: ModuleBranch): boolean {
  return UNREACHABLE_BRANCHES.some(
    (one) =>
      path.endsWith(one.file) &&
      (one.owners === undefined || one.owners.includes(owner)) &&
      (one.text === undefined || text.startsWith(one.text)),
  );
}
