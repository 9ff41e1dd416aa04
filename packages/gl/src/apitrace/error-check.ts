/**
 * Compares the errors that a replay raises with those that the program saw. A call with an error
 * has no effect, so an error that the program did not cause would result in a wrong image without a
 * word: the driver has something that this replay lacks.
 *
 * A certain error needs no confirmation, but a program that asks must get it. It depends only on
 * state that the specification defines and that the replay knows, never on limits, extensions or
 * formats.
 */
import { RenderError } from '@tessera/frame';
import { GL } from '../api/constants.ts';
import type { ReplayError } from './replay.ts';

/** Errors of stacks, which are as deep as Mesa's: a program that raises them here does so there. */
const OF_STACKS: readonly number[] = [GL.STACK_OVERFLOW, GL.STACK_UNDERFLOW];

/** Errors of contexts that no recorded `glGetError` has confirmed yet. */
export class ErrorCheck<Context> {
  /** First error since the last `glGetError`, by context. */
  readonly #unconfirmed = new Map<Context, ReplayError>();
  /** First certain error since the last `glGetError`, by context. */
  readonly #certain = new Map<Context, ReplayError>();

  /** Whether an error waits for a `glGetError`. */
  get isWaiting(): boolean {
    return this.#unconfirmed.size > 0;
  }

  /** @param isCertain Whether every implementation raises the error in the replay's state. */
  note(context: Context, error: ReplayError, isCertain: boolean): void {
    if (OF_STACKS.includes(error.code)) return;
    const errors = isCertain ? this.#certain : this.#unconfirmed;
    if (!errors.has(context)) errors.set(context, error);
  }

  /** A destroyed context cannot affect an image any more. */
  forget(context: Context): void {
    this.#unconfirmed.delete(context);
    this.#certain.delete(context);
  }

  /**
   * Compares with the result of a recorded `glGetError`.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED if the program saw no error.
   */
  compare(context: Context, recorded: number): void {
    const error = this.#unconfirmed.get(context) ?? this.#certain.get(context);
    if (error === undefined) return;
    if (recorded === 0) throw refusalOf(error, 'the program got no error');
    this.forget(context);
  }

  /**
   * Ends a frame.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED if an error is unconfirmed.
   */
  requireNone(): void {
    for (const error of this.#unconfirmed.values()) {
      throw refusalOf(error, 'the program does not ask whether it got this error');
    }
  }
}

function refusalOf({ callNumber, functionName, message }: ReplayError, reason: string) {
  return new RenderError(
    'FRAME_UNSUPPORTED',
    `call ${callNumber} (${functionName}): ${message}, but ${reason}`,
  );
}
