/** Video file on the disk: its size, its frames and their times. */
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startVideoTool } from './video-tool.ts';

/** Height from which videos without a color space are of BT.709, as in browsers. */
const HD_HEIGHT_PX = 720;

/** Video that frames can be read of. */
export interface VideoFile {
  readonly path: string;
  /** Size of the frames, rotated. Textures have it too. */
  readonly frameWidthPx: number;
  readonly frameHeightPx: number;
  /** Size as displayed: that of the frames with square pixels. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly durationS: number;
  /** Times of the frames in seconds, ascending, from 0. */
  readonly frameTimesS: readonly number[];
  /** Time of the first frame in the file, in seconds. */
  readonly startS: number;
  /** Decoder that also returns the alpha of the file; null for the usual one. */
  readonly alphaDecoder: string | null;
  readonly colorMatrix: 'bt601' | 'bt709' | 'bt2020';
}

/** Stream of a video, as `ffprobe` describes it. */
interface ProbedStream {
  readonly codec_name: string;
  readonly width: number;
  readonly height: number;
  readonly sample_aspect_ratio?: string;
  readonly color_space?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly side_data_list?: readonly { readonly rotation?: number }[];
}

interface Probed {
  readonly streams?: readonly ProbedStream[];
  readonly packets?: readonly { readonly pts_time?: string }[];
  readonly format?: { readonly duration?: string };
}

/**
 * Opens a video.
 *
 * @param address Address of the file. Others than files are copied to a temporary one.
 * @throws {Error} If the file has no video, or one that cannot be decoded.
 */
export async function openVideo(
  address: string,
  fetchBytes: () => Promise<Uint8Array>,
): Promise<VideoFile> {
  const path = address.startsWith('file:')
    ? fileURLToPath(address)
    : await writeTemporary(await fetchBytes());
  const tool = startVideoTool('ffprobe', [], path, [
    ...['-select_streams', 'v:0', '-print_format', 'json'],
    ...['-show_streams', '-show_format', '-show_entries', 'packet=pts_time'],
  ]);
  const [json, { status, messages }] = await Promise.all([text(tool.output), tool.ended]);
  if (status !== 0) throw new Error(messages || `ffprobe ended with status ${status}`);
  const { streams = [], packets = [], format } = JSON.parse(json) as Probed;
  const stream = streams[0];
  const times = packets.map((packet) => Number(packet.pts_time)).filter(Number.isFinite);
  times.sort((a, b) => a - b);
  if (stream === undefined || times.length === 0) throw new Error('the file has no video');
  const [startS] = times as [number];
  const frameTimesS = times.map((time) => time - startS);
  const meanS = frameTimesS.at(-1)! / Math.max(frameTimesS.length - 1, 1);
  return {
    path,
    ...sizeOf(stream),
    durationS: Number(format?.duration) || frameTimesS.at(-1)! + meanS,
    frameTimesS,
    startS,
    alphaDecoder: hasAlpha(stream) ? alphaDecoderOf(stream.codec_name) : null,
    colorMatrix: colorMatrixOf(stream),
  };
}

function sizeOf({ width, height, sample_aspect_ratio, side_data_list }: ProbedStream) {
  const [across, down] = (sample_aspect_ratio ?? '1:1').split(':').map(Number);
  const ratio = across && down ? across / down : 1;
  const widthPx = Math.round(width * Math.max(ratio, 1));
  const heightPx = Math.round(height / Math.min(ratio, 1));
  const rotation = side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  const isOnSide = Math.abs(rotation) % 180 === 90;
  return isOnSide
    ? { widthPx: heightPx, heightPx: widthPx, frameWidthPx: height, frameHeightPx: width }
    : { widthPx, heightPx, frameWidthPx: width, frameHeightPx: height };
}

/** Whether the file has alpha beside the colors. The case of the tag depends on the version. */
function hasAlpha({ tags = {} }: ProbedStream): boolean {
  return Object.entries(tags).some(([k, value]) => /^alpha_mode$/i.test(k) && value === '1');
}

function alphaDecoderOf(codec: string): string | null {
  if (codec === 'vp8') return 'libvpx';
  return codec === 'vp9' ? 'libvpx-vp9' : null;
}

function colorMatrixOf({ color_space = 'unknown', height }: ProbedStream) {
  if (color_space.startsWith('bt2020')) return 'bt2020';
  if (color_space === 'bt709') return 'bt709';
  const isUnknown = color_space === 'unknown' || color_space === 'unspecified';
  return isUnknown && height >= HD_HEIGHT_PX ? 'bt709' : 'bt601';
}

/** Writes a file that is removed when the process ends. */
async function writeTemporary(bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-video-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'video');
  await writeFile(path, bytes);
  return path;
}
