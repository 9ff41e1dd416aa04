/** Errors of the code of a worker, in a form that its creator can report. */
import { TESSERA_ROOT } from '../../tessera-root.ts';
import type { WorkerError } from '../workers/worker-protocol.ts';

/** Call in a stack. */
const CALL = /^ {4}at (?:.*? \()?((?:file|blob|data|https?):.*?):(\d+):(\d+)\)?$/;
/** First line of the stack of a syntax error. */
const SYNTAX_PLACE = /^((?:file|blob|data|https?):.*?):(\d+)()$/;

/**
 * Returns the record of something that the worker threw. Its place is the innermost one of the
 * program.
 *
 * @param address Address of the script, which replaces `importedAddress` in the stack.
 */
export function recordError(
  thrown: unknown,
  address: string,
  importedAddress: string | null,
): WorkerError {
  if (!(thrown instanceof Error)) {
    const message = String(thrown);
    return { name: 'Error', message, stack: message, file: address, line: 0, column: 0 };
  }
  const { name, message } = thrown;
  const given = thrown.stack ?? '';
  const own = importedAddress === null ? given : given.replaceAll(importedAddress, address);
  // Calls of Tessera tell the program nothing about its error.
  const lines = own
    .split('\n')
    .filter((line) => !line.includes(TESSERA_ROOT) || line.includes(address));
  const places = [CALL, SYNTAX_PLACE].flatMap((pattern) =>
    lines.flatMap((each) => {
      const [, file, line, column] = pattern.exec(each) ?? [];
      return file === undefined ? [] : [{ file, line: Number(line), column: Number(column) }];
    }),
  );
  const place = places[0] ?? { file: address, line: 0, column: 0 };
  return { name, message, stack: lines.join('\n'), ...place };
}
