/** `tessera upload FILE`: uploads a file to a gateway and continues an upload that was cut. */
import { createReadStream } from 'node:fs';
import { RenderError } from '@tessera/frame';
import { hashFile } from '../inputs/hash-file.ts';
import { askService, readServiceAccess, SERVICE_OPTIONS } from '../inputs/service-options.ts';
import { parseOptions } from '../terminal/command-options.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { printJson, printNote, printText } from '../terminal/terminal-output.ts';

/** Bytes per read. */
const READ_BYTES = 2 ** 18;

/**
 * Runs the command.
 *
 * @throws {RenderError} On bad options, a file that cannot be read, and errors of the gateway.
 */
export async function runUploadCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    service: SERVICE_OPTIONS.url,
    'token-file': SERVICE_OPTIONS['token-file'],
    json: { type: 'boolean', default: false },
  });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    throw new RenderError('REQUEST_INVALID', 'give exactly one file');
  }
  const access = await readServiceAccess('service', values.service, values['token-file']);
  const { url, token } = access;
  const { sha256, bytes } = await hashFile(path).catch((error: Error) => {
    throw unreadable(path, error);
  });
  const { uploadBlob } = await import('@tessera/client');
  const bar = new ProgressBar();
  let bytesBefore: number | null = null;
  const content = {
    sha256,
    bytes,
    read: (start: number, end: number) =>
      createReadStream(path, { start, end: end - 1, highWaterMark: READ_BYTES }),
  };
  const onProgress = (arrivedBytes: number) => {
    if (bytesBefore === null && arrivedBytes > 0 && arrivedBytes < bytes) {
      printNote(`continues at ${arrivedBytes} of ${bytes} bytes\n`);
    }
    bytesBefore ??= arrivedBytes;
    bar.update(arrivedBytes, bytes, 'bytes');
  };
  try {
    const options = { onProgress, ...(token !== undefined && { token }) };
    await askService(url, () => uploadBlob(url, content, options));
  } finally {
    bar.end();
  }
  if (values.json) printJson({ sha256, bytes, bytesBefore });
  else printText(`${sha256}\n`);
}

function unreadable(path: string, error: Error): RenderError {
  return new RenderError('REQUEST_INVALID', `${path}: ${error.message}`, { cause: error });
}
