/**
 * Faults that can be put into the services by hand. Some were real: a review attacked the service
 * and found those that are named after a crash or a wrong answer, and the simulation found others.
 */

/** Text of a file and what replaces it. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** One fault. */
export interface PlantedFault {
  readonly name: string;
  /** Consequence of the fault. */
  readonly meaning: string;
  readonly edits: readonly Edit[];
}

const COORDINATOR = 'services/coordinator/src';
const RESUME = `${COORDINATOR}/frames/resume-frames.ts`;

/** All faults. */
export const FAULTS: readonly PlantedFault[] = [
  {
    name: 'delete-twice',
    meaning: 'two deletions of a frame that is not resumed yet end the coordinator',
    edits: [
      {
        file: RESUME,
        find: 'if (over === null) return null;',
        replace:
          'if (over === null) return queue.prepare(record.source, record.options, stopped());',
      },
      { file: RESUME, find: '    if (store.overSignal(frameId) === null) return;\n', replace: '' },
      {
        file: RESUME,
        find: "log.error({ frameId, err: error }, 'frame left for the next start');",
        replace: 'setTimeout(() => { throw error; });',
      },
      {
        file: RESUME,
        find: 'class FrameResumption {',
        replace: 'const stopped = () => new AbortController().signal;\nclass FrameResumption {',
      },
    ],
  },
  {
    name: 'damaged-journal',
    meaning: 'a damaged journal ends the coordinator with a stack instead of a message',
    edits: [
      {
        file: `${COORDINATOR}/store/database.ts`,
        find: 'if (converted instanceof DatabaseError) throw converted;',
        replace: 'throw error;',
      },
    ],
  },
  {
    name: 'blame-all',
    meaning: 'ends of the coordinator for other reasons fail the frames that it had in progress',
    edits: [
      {
        file: RESUME,
        find: 'export const MAX_ENDS_ALONE = 5;',
        replace: 'export const MAX_ENDS_ALONE = 0;',
      },
    ],
  },
  {
    name: 'trust-names',
    meaning: 'files are believed by their names, so a changed byte is sent as the image',
    edits: [
      {
        file: `${COORDINATOR}/store/file-check.ts`,
        find: 'if ((await hashFile(file)) === basename(path)) return file;',
        replace: "if (basename(path) !== '') return file;",
      },
    ],
  },
  {
    name: 'believe-clock',
    meaning: 'a clock that is ahead once deletes all results but one',
    edits: [
      {
        file: `${COORDINATOR}/store/retention-clock.ts`,
        find: 'return Math.min(this.#ms, systemMs);',
        replace: 'return systemMs;',
      },
    ],
  },
  {
    name: 'survive-journal-error',
    meaning: 'a frame whose end the disk refused to record stays unfinished for ever',
    edits: [
      {
        file: `${COORDINATOR}/store/database.ts`,
        find: "if (kind === SQLITE_IOERR || code === 'EIO') this.#onBroken(error);",
        replace: '',
      },
    ],
  },
  {
    name: 'early-answer',
    meaning: 'a post is acknowledged before it is durable',
    edits: [
      {
        file: `${COORDINATOR}/http/base-app.ts`,
        find: 'if (statusCode < 300 && !READING_METHODS.includes(method)) await whenDurable();',
        replace: 'if (statusCode < 100 && !READING_METHODS.includes(method)) await whenDurable();',
      },
    ],
  },
  {
    name: 'unforced-names',
    meaning: 'the names of stored files are not forced to disk',
    edits: [
      {
        file: `${COORDINATOR}/store/blob-store.ts`,
        find: 'await syncFolder(folder);\n      if (isFolderNew)',
        replace: 'if (isFolderNew)',
      },
    ],
  },
  {
    name: 'two-per-key',
    meaning: 'equal posts at the same time are both prepared and both admitted',
    edits: [
      {
        file: `${COORDINATOR}/http/frames/post-frame.ts`,
        find: 'if (concurrent !== null) return concurrent;',
        replace: '',
      },
    ],
  },
  {
    name: 'leaked-place',
    meaning: 'a refused post keeps its place in the queue',
    edits: [
      {
        file: `${COORDINATOR}/http/frames/post-frame.ts`,
        find: '    let record: FrameRecord;\n    try {',
        replace: '    let record: FrameRecord;\n    let isKept = true;\n    try {',
      },
      {
        file: `${COORDINATOR}/http/frames/post-frame.ts`,
        find: 'idempotency, lease });\n    } finally {\n      releasePlace();',
        replace:
          'idempotency, lease });\n      isKept = false;\n    } finally {\n      if (!isKept) releasePlace();',
      },
    ],
  },
  {
    name: 'lost-wakeup',
    meaning: 'a frame that waits for chiplets does not notice that one is ready',
    edits: [
      {
        file: `${COORDINATOR}/chiplets/chiplet-registry.ts`,
        find: 'this.#announce(registered);\n          this.#wakeWaiters();',
        replace: 'this.#announce(registered);',
      },
    ],
  },
  {
    name: 'late-cancel',
    meaning: 'a deletion is answered before it is in the journal, so the frame may run again',
    edits: [
      {
        file: `${COORDINATOR}/frames/frame-queue.ts`,
        find: 'if (job.deliver === null) this.#outcomes.cancel(job);',
        replace: 'if (job.deliver === null) setTimeout(() => this.#outcomes.cancel(job), 50);',
      },
    ],
  },
];
