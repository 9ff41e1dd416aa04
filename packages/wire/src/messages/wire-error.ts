/** Errors in messages. */
import { RenderError } from '@tessera/frame';
import type { WireError } from './messages.ts';

/** Maximum length of an error message; compiler logs can be long. */
const MAX_MESSAGE_LENGTH = 16_384;

/**
 * Converts an error for sending. An error that is not a {@link RenderError} is a bug and becomes
 * INTERNAL, without its stack.
 */
export function toWireError(error: unknown): WireError {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof RenderError ? error.code : 'INTERNAL';
  return { code, message: message.slice(0, MAX_MESSAGE_LENGTH) };
}

/** Returns the received error, to be thrown at the requesting side. */
export function fromWireError(error: WireError): RenderError {
  return new RenderError(error.code, error.message);
}
