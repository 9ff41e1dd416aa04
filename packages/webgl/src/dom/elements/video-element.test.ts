/** Videos with stand-ins for `ffmpeg`, and with the real programs if they are installed. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createImageBitmap } from '../images/image-bitmap.ts';
import { VideoFrame } from '../images/video-frame.ts';
import { hasVideoTool } from '../video/video-tool.ts';
import { Document } from './document.ts';
import type { VideoElement } from './video-element.ts';

const { PATH } = process.env;
const isInstalled = hasVideoTool();
const folder = mkdtempSync(join(tmpdir(), 'tessera-videos-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  process.env.PATH = PATH;
});

function writeTool(name: string, source: string): void {
  const path = join(folder, name);
  writeFileSync(path, `#!${process.execPath}\n${source}`);
  chmodSync(path, 0o755);
}

/**
 * Puts programs on the path that describe and decode a video of 2×1 pixels with five frames, ten
 * per second. The red of a frame is its index times ten.
 */
function installStandIns(stream: object = {}): void {
  const probed = {
    streams: [{ codec_name: 'vp8', width: 2, height: 1, ...stream }],
    // In the order of decoding, which is not that of display.
    packets: [0.5, 0.7, 0.6, 0.8, 0.9].map((time) => ({ pts_time: String(time) })),
    format: { duration: '0.5' },
  };
  writeTool('ffprobe', `console.log(${JSON.stringify(JSON.stringify(probed))})`);
  writeTool(
    'ffmpeg',
    `const args = process.argv;
    const start = Number(args[args.indexOf('-ss') + 1]) || 0.5;
    const [width, height] = args.find((each) => each.startsWith('scale=')).slice(6).split(':');
    for (let index = Math.round((start - 0.5) * 10); index < 5; index++) {
      const frame = Buffer.alloc(width * height * 4, 255);
      frame[0] = index * 10;
      require('node:fs').writeSync(1, frame);
    }`,
  );
  process.env.PATH = folder;
}

/** Returns a video that has loaded, in a page whose time the test sets. */
async function load(configure: (video: VideoElement) => void = () => {}) {
  const page = new Document();
  const video = page.createElement('video');
  configure(video);
  const loaded = new Promise((resolve) => video.addEventListener('canplaythrough', resolve));
  video.src = pathToFileURL(join(folder, 'clip.webm')).href;
  await loaded;
  const redAt = async (timeMs: number) => {
    await page.videos.advance(timeMs);
    return video.takePixels()!.rgba[0];
  };
  return { page, video, redAt };
}

describe('a video', () => {
  it('has the properties of its file and its first frame', async () => {
    installStandIns({ sample_aspect_ratio: '3:2', side_data_list: [{ rotation: -90 }] });
    const events = vi.fn();
    const { video, page } = await load((made) => {
      for (const type of ['loadedmetadata', 'loadeddata', 'canplay']) {
        made.addEventListener(type, ({ type: fired }) => events(fired));
      }
      expect([made.readyState, made.networkState, made.takePixels()]).toEqual([0, 0, null]);
    });
    expect(events.mock.calls.flat()).toEqual(['loadedmetadata', 'loadeddata', 'canplay']);
    expect([video.videoWidth, video.videoHeight, video.duration]).toEqual([1, 3, 0.5]);
    expect([video.readyState, video.networkState, video.paused]).toEqual([4, 1, true]);
    // Textures have the size of the frames, canvases and bitmaps that of the display.
    expect(video.takePixels()).toMatchObject({ widthPx: 1, heightPx: 2 });
    const { width, height } = await createImageBitmap(video);
    expect([width, height]).toEqual([1, 3]);
    const frame = new VideoFrame(video, { timestamp: 0 });
    expect([frame.codedHeight, frame.displayHeight]).toEqual([2, 3]);
    expect(page.videos.isRunning).toBe(false);
  });

  it('advances with the time of the page, and ends', async () => {
    installStandIns();
    const { video, redAt, page } = await load();
    await video.play();
    const reds = [];
    for (const timeMs of [1000, 1099, 1101, 1350, 1350]) reds.push(await redAt(timeMs));
    expect(reds).toEqual([0, 0, 10, 30, 30]);
    expect(video.currentTime).toBeCloseTo(0.35);
    const ended = vi.fn();
    video.addEventListener('ended', ended);
    expect(await redAt(1600)).toBe(40);
    expect(ended).toHaveBeenCalledOnce();
    expect([video.ended, video.paused, video.currentTime]).toEqual([true, true, 0.5]);
    expect(page.videos.isRunning).toBe(false);
    await video.play();
    expect(await redAt(2000)).toBe(0);
  });

  it('loops, pauses and plays at another rate', async () => {
    installStandIns();
    const { video, redAt } = await load();
    video.loop = true;
    await video.play();
    await redAt(0);
    expect([await redAt(450), await redAt(650)]).toEqual([40, 10]);
    video.pause();
    expect(await redAt(900)).toBe(10);
    video.playbackRate = 2;
    await video.play();
    await redAt(2000);
    expect(await redAt(2100)).toBe(30);
  });

  it('seeks forth and back', async () => {
    installStandIns();
    const { video } = await load();
    for (const [timeS, red] of [
      [0.35, 30],
      [0.1, 10],
      [9, 40],
    ] as const) {
      const seeked = new Promise((resolve) => video.addEventListener('seeked', resolve));
      video.currentTime = timeS;
      expect(video.seeking).toBe(true);
      await seeked;
      expect([video.takePixels()!.rgba[0], video.seeking]).toEqual([red, false]);
    }
    expect(video.currentTime).toBe(0.5);
  });

  it('calls back once for each frame that it shows', async () => {
    installStandIns();
    const { video, redAt } = await load();
    const times: number[] = [];
    const follow = (_nowMs: number, { mediaTime }: { readonly mediaTime: number }): void => {
      times.push(mediaTime);
      video.requestVideoFrameCallback(follow);
    };
    video.requestVideoFrameCallback(follow);
    const canceled = vi.fn();
    video.cancelVideoFrameCallback(video.requestVideoFrameCallback(canceled));
    await video.play();
    for (const timeMs of [0, 40, 80, 120, 320]) await redAt(timeMs);
    expect(times.map((time) => Math.round(time * 10))).toEqual([0, 1, 3]);
    expect(canceled).not.toHaveBeenCalled();
  });

  it('takes the first of its sources that can be played', async () => {
    installStandIns();
    const page = new Document();
    const video = page.createElement('video');
    for (const [src, type] of [
      ['a.mp4', 'video/mp4; codecs="hvc1"'],
      [pathToFileURL(join(folder, 'b.webm')).href, 'video/webm; codecs="vp8, vorbis"'],
    ]) {
      const source = page.createElement('source');
      source.setAttribute('src', src);
      source.setAttribute('type', type);
      video.appendChild(source);
    }
    await video.play();
    expect(video.currentSrc).toMatch(/b\.webm$/);
  });

  it.each([
    ['video/mp4', 'maybe'],
    ['video/mp4; codecs="avc1.42E01E, mp4a.40.2"', 'probably'],
    ['video/webm; codecs=vp9', 'probably'],
    ['video/webm; codecs="avc1"', ''],
    ['video/mp4; codecs="hvc1"', ''],
    ['audio/mpeg', ''],
  ])('of type %s can be played: "%s"', (type, expected) => {
    installStandIns();
    expect(new Document().createElement('video').canPlayType(type)).toBe(expected);
  });
});

describe('a video that cannot be played', () => {
  async function fail(address = 'clip.mp4') {
    const { document } = { document: new Document() };
    const video = document.createElement('video');
    const failed = new Promise((resolve) => video.addEventListener('error', resolve));
    video.src = address;
    await failed;
    await expect(video.play()).rejects.toThrow(video.error!.message);
    expect([video.networkState, video.takePixels()]).toEqual([3, null]);
    return video.error!.message;
  }

  it('names ffmpeg if that is not installed', async () => {
    process.env.PATH = '';
    expect(new Document().createElement('video').canPlayType('video/mp4')).toBe('');
    expect(await fail()).toMatch(/^clip.mp4: videos need the program ffmpeg/);
  });

  it('gives the reason of the decoder', async () => {
    installStandIns();
    expect(await fail('blob:missing')).toMatch(/^blob:missing: ./);
    const clip = pathToFileURL(join(folder, 'clip.webm')).href;
    writeTool('ffprobe', "console.error('Invalid data'); process.exit(1)");
    expect(await fail(clip)).toBe(`${clip}: Invalid data`);
    writeTool('ffprobe', "console.log('{}')");
    expect(await fail(clip)).toBe(`${clip}: the file has no video`);
    installStandIns();
    writeTool('ffmpeg', "console.error('damaged'); process.exit(1)");
    expect(await fail(clip)).toBe(`${clip}: damaged`);
  });
});

describe.skipIf(!isInstalled)('ffmpeg', () => {
  /** Writes a video of two colors, half a second each. */
  function encode(name: string, ...codec: readonly string[]): string {
    const path = join(folder, name);
    const color = (rgb: string) => `color=${rgb}:s=32x16:r=10:d=0.5,format=yuva420p`;
    const graph = `${color('0xFF0000@1')}[a];${color('0x0000FF@0.5')}[b];[a][b]concat`;
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', graph, ...codec, path]);
    return path;
  }

  it.each([
    ['mp4', ['-c:v', 'mpeg4', '-q:v', '1', '-pix_fmt', 'yuv420p'], 255],
    ['webm', ['-c:v', 'libvpx', '-b:v', '4M', '-auto-alt-ref', '0'], 128],
  ] as const)('decodes %s', async (ending, codec, alpha) => {
    const path = encode(`colors.${ending}`, ...codec);
    const { document } = { document: new Document() };
    const video = document.createElement('video');
    video.src = pathToFileURL(path).href;
    await video.play();
    const colors: number[][] = [];
    for (const timeMs of [0, 400, 600, 900]) {
      await document.videos.advance(timeMs);
      colors.push([...video.takePixels()!.rgba.subarray(0, 4)]);
    }
    expect([video.videoWidth, video.videoHeight]).toEqual([32, 16]);
    const isNear = (color: number[], wanted: number[]) =>
      color.every((value, i) => Math.abs(value - wanted[i]!) < 12);
    const [red, blue] = [
      [255, 0, 0, 255],
      [0, 0, 255, alpha],
    ];
    expect(colors.map((color) => [isNear(color, red), isNear(color, blue)])).toEqual([
      ...[
        [true, false],
        [true, false],
        [false, true],
        [false, true],
      ],
    ]);
  });
});
