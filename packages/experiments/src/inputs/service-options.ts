/**
 * Options of commands that use a running service. The client is loaded with the first request,
 * because `record` rarely needs one.
 */
import { readFile } from 'node:fs/promises';
import type { TesseraClient } from '@tessera/client';
import { ERROR_CODES, type ErrorCode, RenderError } from '@tessera/frame';
import { ServiceSilentError } from '../terminal/exit-status.ts';

/** Options for `parseOptions`. */
export const SERVICE_OPTIONS = {
  url: { type: 'string', default: process.env.TESSERA_URL ?? 'http://127.0.0.1:8080' },
  'token-file': { type: 'string' },
} as const;

/** Makes a client of the service. @throws {RenderError} See {@link readServiceAccess}. */
export async function connectToService(values: {
  readonly url: string;
  readonly 'token-file'?: string | undefined;
}): Promise<TesseraClient> {
  const { url, token } = await readServiceAccess('url', values.url, values['token-file']);
  const { TesseraClient } = await import('@tessera/client');
  return new TesseraClient(url, token === undefined ? {} : { token });
}

/**
 * Reads the address of a service and the token that it requires.
 *
 * @param option Name of the option that gave `url`.
 * @throws {RenderError} REQUEST_INVALID for an invalid address, or a file that cannot be read.
 */
export async function readServiceAccess(
  option: string,
  url: string,
  tokenFile: string | undefined,
): Promise<{ url: string; token: string | undefined }> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new RenderError('REQUEST_INVALID', `${option}: '${url}' is not an http or https address`);
  }
  if (tokenFile === undefined) return { url, token: undefined };
  try {
    return { url, token: (await readFile(tokenFile, 'utf8')).trim() };
  } catch (error) {
    const message = `token-file: ${(error as Error).message}`;
    throw new RenderError('REQUEST_INVALID', message, { cause: error });
  }
}

/**
 * Runs `ask`. Converts an error answer of the service, or a missing answer, to an error of the
 * command.
 */
export async function askService<T>(url: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { TesseraError } = await import('@tessera/client');
    if (error instanceof TesseraError) {
      const detail = error.message.replace(`${error.code}: `, '');
      throw new RenderError(error.code, detail, { cause: error });
    }
    // undici's fetch throws this if it cannot connect.
    if (error instanceof TypeError) {
      const reason = (error.cause as Error | undefined)?.message ?? error.message;
      const message = `${url} does not answer (${reason}); is the service running?`;
      throw new ServiceSilentError(message, { cause: error });
    }
    throw error;
  }
}

/** Returns the error of a failed frame. */
export function frameFailure(error: { code: string; message: string } | null): RenderError {
  const code = error !== null && Object.hasOwn(ERROR_CODES, error.code) ? error.code : 'INTERNAL';
  return new RenderError(code as ErrorCode, error?.message ?? 'the frame has no image');
}
