/** Reads reports of frames from files. */
import { RenderError, type Report } from '@tessera/frame';
import { readInput } from '../inputs/read-frame.ts';

/** Parts that a report has; other files are rejected. */
const PARTS = ['totals', 'visibility', 'bins', 'chiplets', 'assignment', 'link', 'passes'] as const;

/**
 * Reads a report that `render`, `record` or `submit` wrote.
 *
 * @throws {RenderError} REQUEST_INVALID for a file that cannot be read or is not such a report.
 */
export async function readReport(path: string): Promise<Report> {
  const text = new TextDecoder().decode(await readInput(path));
  let report: Partial<Report> | null;
  try {
    report = JSON.parse(text);
  } catch (error) {
    throw new RenderError('REQUEST_INVALID', `${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const isReport =
    report?.reportVersion === 1 && PARTS.every((part) => typeof report[part] === 'object');
  if (!isReport) {
    throw new RenderError('REQUEST_INVALID', `${path}: is not a frame report of version 1`);
  }
  return report as Report;
}
