/** Recognizes exceptions that WebGL and WebIDL do not prescribe. */
import { type Call, type CallList, formatCall } from './calls/call-list.ts';
import type { Outcome } from './execute-calls.ts';
import { runInTessera } from './tessera-side.ts';

/** Exception or internal failure of Tessera. */
export interface OwnException {
  /** Index of the call in its list; the number of calls for the end of the frame. */
  readonly callIndex: number;
  /** Call and message without numbers: the same for the same cause. */
  readonly cause: string;
  readonly message: string;
}

/** Classes of exceptions that WebIDL and WebGL prescribe for some arguments. */
const PRESCRIBED = ['TypeError', 'RangeError', 'SecurityError'];
/** Message of an array with a symbol that is converted to a number or text. */
const ARRAY_CONVERSION = 'Cannot convert a Symbol value to a string';

/**
 * Returns whether an exception is one that the call may throw. Such an exception names the call,
 * except that objects of the program can throw any exception when they are converted.
 */
function isPrescribed({ name, arguments: given }: Call, { status, message }: Outcome): boolean {
  if (!PRESCRIBED.includes(String(status)) || message === undefined) return false;
  const isListGiven = given.some(
    (argument) => typeof argument === 'object' && argument !== null && 'list' in argument,
  );
  return message.startsWith(`${name}: `) || (isListGiven && message.startsWith(ARRAY_CONVERSION));
}

function causeOf(call: string, message: string): string {
  return `${call}: ${message.split('\n')[0]!.replace(/\d+/g, '0')}`;
}

/** Returns the exceptions of a list that WebGL does not prescribe. */
export function findOwnExceptions(
  { calls }: CallList,
  { outcomes, failures, frameError }: ReturnType<typeof runInTessera>,
): OwnException[] {
  const found: OwnException[] = [];
  outcomes.forEach((outcome, callIndex) => {
    const call = calls[callIndex]!;
    if (typeof outcome.status !== 'string' || isPrescribed(call, outcome)) return;
    const message = `${outcome.status}: ${outcome.message}`;
    found.push({ callIndex, cause: causeOf(call.name, message), message });
  });
  for (const { call, error, callIndex } of failures) {
    const message = error.stack ?? error.message;
    found.push({ callIndex, cause: causeOf(call, error.message), message });
  }
  if (frameError !== null) {
    const message = frameError.stack ?? frameError.message;
    const cause = causeOf('end of the frame', frameError.message);
    found.push({ callIndex: calls.length, cause, message });
  }
  return found;
}

/** Returns a list without calls that the exception does not need. */
export function untilException(list: CallList, { callIndex }: OwnException): CallList {
  return { ...list, calls: list.calls.slice(0, callIndex + 1) };
}

/** Returns whether a list has an exception of a cause. */
export function hasCause(list: CallList, cause: string, skipped: readonly string[]): boolean {
  return findOwnExceptions(list, runInTessera(list, { skippedExtensions: skipped })).some(
    (exception) => exception.cause === cause,
  );
}

/** Returns the calls of a list as lines of JavaScript. */
export function formatList({ version, attributes, calls }: CallList): string {
  const context = `gl = WebGL ${version} context of ${JSON.stringify(attributes)}`;
  return [context, ...calls.map(formatCall)].map((line) => `    ${line}`).join('\n');
}
