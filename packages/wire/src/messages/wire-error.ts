/** Errors on their way through a connection. */
import { RenderError } from '@tessera/frame';
import type { WireError } from './messages.ts';

/** Longest message that crosses; compiler logs can be long. */
const MAX_MESSAGE_LENGTH = 16_384;

/** An error as it is sent. What is not a {@link RenderError} is a bug: INTERNAL, without its stack. */
export function toWireError(error: unknown): WireError {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof RenderError ? error.code : 'INTERNAL';
  return { code, message: message.slice(0, MAX_MESSAGE_LENGTH) };
}

/** The error that arrived, thrown at the side that asked. */
export function fromWireError(error: WireError): RenderError {
  return new RenderError(error.code, error.message);
}
