/** `tessera capture info FILE`: describes a capture of an OpenGL program. */
import { RenderError } from '@tessera/frame';
import { type CaptureSummary, summarizeCaptureStream } from '@tessera/gl/apitrace';
import { readCallsOfFile } from '../inputs/read-capture.ts';
import { parseOptions } from '../terminal/command-options.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';

const SHORT_LENGTH = 20;

/** Runs the command. @throws {RenderError} On bad options or a damaged capture. */
export async function runCaptureCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const [action, path] = positionals;
  if (action !== 'info' || path === undefined || positionals.length > 2) {
    throw new RenderError('REQUEST_INVALID', "give 'info' and exactly one capture file");
  }
  const summary = await summarizeCaptureStream(readCallsOfFile(path));
  if (values.json) printJson(summary);
  else printText(describeCapture(summary, values.all ? Infinity : SHORT_LENGTH));
}

/**
 * Formats a summary.
 *
 * @param length Upper bound on the frames and functions that are listed. Rejected functions are
 *   always listed.
 */
export function describeCapture(summary: CaptureSummary, length: number): string {
  const { api, size, calls, incompleteCalls, frames, functions } = summary;
  const lines = [
    ...(summary.damage === null ? [] : [`damaged    ${summary.damage}; what is before it:`]),
    `API        ${api === 'gl' ? 'OpenGL' : 'OpenGL ES'}`,
    `size       ${size === null ? 'not told' : `${size.widthPx}×${size.heightPx}`}`,
    `calls      ${calls}${incompleteCalls === 0 ? '' : `, ${incompleteCalls} of them not complete`}`,
    `programs   ${summary.programs}, of ${summary.shaders} shaders`,
    `frames     ${frames.length}`,
  ];
  frames.slice(0, length).forEach(({ firstCall, lastCall, draws }, i) => {
    lines.push(`  ${String(i).padStart(6)}  calls ${firstCall} to ${lastCall}, ${draws} draws`);
  });
  if (frames.length > length) lines.push(`          and ${frames.length - length} more`);
  if (summary.drawsAfterLastFrame > 0) {
    const { drawsAfterLastFrame } = summary;
    const name = frames.length === 0 ? 'end' : `${frames.length}`.padStart(3);
    lines.push(`     ${name}  to the end of the capture, ${drawsAfterLastFrame} draws`);
  }
  if (frames.length === 0 && summary.ends.length > 0) {
    lines.push(`images     finished at ${summary.ends.length} calls, for --call`);
    for (const { call, name, draws } of summary.ends.slice(0, length)) {
      lines.push(`  ${String(call).padStart(6)}  ${name}, ${draws} draws`);
    }
    if (summary.ends.length > length) {
      lines.push(`          and ${summary.ends.length - length} more`);
    }
  }
  lines.push(`functions  ${functions.length}`);
  const listed = functions.filter(({ support }, i) => i < length || support === 'refused');
  for (const { name, calls: uses, support } of listed) {
    lines.push(
      `  ${String(uses).padStart(6)}  ${name}${support === 'replayed' ? '' : `: ${support}`}`,
    );
  }
  if (functions.length > listed.length) {
    lines.push(`          and ${functions.length - listed.length} more`);
  }
  return `${lines.join('\n')}\n`;
}
