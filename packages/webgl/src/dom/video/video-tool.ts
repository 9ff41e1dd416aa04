/**
 * The program `ffmpeg`, which decodes videos, and images in AVIF and WebP, if it is on the path.
 * The package has no decoder of its own (docs/decisions/video-decoder.md).
 */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';

/** Containers and codecs that pages can play, as MIME type and pattern of a codec. */
const CODECS_BY_TYPE: Readonly<Record<string, RegExp>> = {
  'video/mp4': /^(avc1|avc3|vp0?9|av01|mp4a|opus|flac)/i,
  'video/webm': /^(vp8|vp0?9|av01|vorbis|opus)/i,
  'video/ogg': /^(theora|vorbis|opus)/i,
  'video/quicktime': /^(avc1|avc3|mp4a)/i,
};

/** Demuxers of these containers. Others, such as playlists, could name further files. */
const FORMATS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,ogg,webp_pipe';
/** Arguments before each input. */
const INPUT_LIMITS = ['-protocol_whitelist', 'file', '-format_whitelist', FORMATS];

/** Returns whether the programs are on the path. */
export function hasVideoTool(): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return ['ffmpeg', 'ffprobe'].every((name) =>
    folders.some((folder) => isExecutable(join(folder, name))),
  );
}

/**
 * Returns whether a type can be played, as `canPlayType` does: `probably` if it names codecs that
 * can, `maybe` if it names none, or an empty text.
 */
export function playabilityOf(type: string): '' | 'maybe' | 'probably' {
  const [mime, ...parameters] = type.split(';').map((part) => part.trim());
  const known = CODECS_BY_TYPE[mime!.toLowerCase()];
  if (known === undefined || !hasVideoTool()) return '';
  const list = /^codecs\s*=\s*"?([^"]*)"?$/i.exec(parameters.join(';'))?.[1];
  if (list === undefined) return 'maybe';
  return list.split(',').every((codec) => known.test(codec.trim())) ? 'probably' : '';
}

/** Output of a started program. */
export interface RunningTool {
  readonly output: Readable;
  /** Resolves to the exit status and the messages; null if the program was ended. */
  readonly ended: Promise<{ readonly status: number | null; readonly messages: string }>;
  end(): void;
}

/** Starts a program on a video file. */
export function startVideoTool(
  name: 'ffmpeg' | 'ffprobe',
  before: readonly string[],
  path: string,
  after: readonly string[],
): RunningTool {
  const args = ['-v', 'error', ...before, ...INPUT_LIMITS, '-i', path, ...after];
  const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let messages = '';
  child.stderr.on('data', (text: Buffer) => {
    messages = (messages + text.toString()).slice(0, 500);
  });
  const ended = new Promise<{ status: number | null; messages: string }>((resolve) => {
    child.once('error', (error) => resolve({ status: -1, messages: error.message }));
    child.once('close', (status) => resolve({ status, messages: messages.trim() }));
  });
  return { output: child.stdout, ended, end: () => void child.kill('SIGKILL') };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
