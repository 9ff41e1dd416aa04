/**
 * `<video>` (HTML, section 4.8.9) without sound and display. Its frames come from the program
 * `ffmpeg`, and advance with the animation frames of the page. Without that program it can play no
 * type, and setting a source fires `error`.
 */
import type { PixelSource, Pixels } from '../../pixels/pixels.ts';
import { fireEvent } from '../scope/fire-event.ts';
import type { ClockedVideo } from '../video/video-clock.ts';
import { openVideo } from '../video/video-file.ts';
import { type ShownFrame, VideoPlayer } from '../video/video-player.ts';
import { hasVideoTool, playabilityOf } from '../video/video-tool.ts';
import type { Document } from './document.ts';
import { Element, type PageNode } from './element.ts';

const [DECODE_ERROR, SOURCE_NOT_SUPPORTED] = [3, 4];
const [NETWORK_EMPTY, NETWORK_IDLE, NETWORK_LOADING, NETWORK_NO_SOURCE] = [0, 1, 2, 3];
const [HAVE_NOTHING, HAVE_ENOUGH_DATA] = [0, 4];

/** Properties of a shown frame (HTMLVideoElement.requestVideoFrameCallback, section 2). */
interface FrameMetadata {
  readonly presentationTime: number;
  readonly expectedDisplayTime: number;
  readonly width: number;
  readonly height: number;
  readonly mediaTime: number;
  readonly presentedFrames: number;
  readonly processingDuration: number;
}

type FrameCallback = (nowMs: number, metadata: FrameMetadata) => void;

/** `<video>` element. */
export class VideoElement extends Element implements PixelSource, ClockedVideo {
  crossOrigin: string | null = null;
  defaultMuted = false;
  muted = false;
  volume = 1;
  preload = 'auto';
  playsInline = false;
  defaultPlaybackRate = 1;
  playbackRate = 1;
  error: { readonly code: number; readonly message: string } | null = null;
  currentSrc = '';
  #player: VideoPlayer | null = null;
  #shown: ShownFrame | null = null;
  #isForeign = false;
  #loading: Promise<void> = Promise.resolve();
  #loadCount = 0;
  #isLoading = false;
  #isPaused = true;
  #isEnded = false;
  #isSeeking = false;
  #timeS = 0;
  /** Time of the page at the last frame; null before the first one after a start. */
  #pageTimeMs: number | null = null;
  /** Whether a frame is shown that no callback has received. */
  #isFresh = false;
  #presentedFrames = 0;
  #callbacks = new Map<number, FrameCallback>();
  #lastCallback = 0;

  constructor(document: Document) {
    super(document, 'video');
  }

  get src(): string {
    return this.getAttribute('src') ?? '';
  }

  set src(address: string) {
    this.setAttribute('src', address);
  }

  get loop(): boolean {
    return this.hasAttribute('loop');
  }

  set loop(isLooped: boolean) {
    this.#setFlag('loop', isLooped);
  }

  get autoplay(): boolean {
    return this.hasAttribute('autoplay');
  }

  set autoplay(isStarted: boolean) {
    this.#setFlag('autoplay', isStarted);
  }

  override setAttribute(name: string, value: unknown): void {
    super.setAttribute(name, value);
    if (name.toLowerCase() === 'src') this.load();
  }

  override insertBefore<T extends PageNode>(child: T, before: PageNode | null | undefined): T {
    const inserted = super.insertBefore(child, before);
    const isSource = child instanceof Element && child.localName === 'source';
    if (isSource && this.src === '' && this.networkState === NETWORK_EMPTY) this.load();
    return inserted;
  }

  get videoWidth(): number {
    return this.#player?.file.widthPx ?? 0;
  }

  get videoHeight(): number {
    return this.#player?.file.heightPx ?? 0;
  }

  get width(): number {
    return Number.parseInt(this.getAttribute('width') ?? '', 10) || 0;
  }

  set width(width: number) {
    this.setAttribute('width', width);
  }

  get height(): number {
    return Number.parseInt(this.getAttribute('height') ?? '', 10) || 0;
  }

  set height(height: number) {
    this.setAttribute('height', height);
  }

  get duration(): number {
    return this.#player?.file.durationS ?? Number.NaN;
  }

  get readyState(): number {
    return this.#shown === null ? HAVE_NOTHING : HAVE_ENOUGH_DATA;
  }

  get networkState(): number {
    if (this.error !== null) return NETWORK_NO_SOURCE;
    if (this.#isLoading) return NETWORK_LOADING;
    return this.#player === null ? NETWORK_EMPTY : NETWORK_IDLE;
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  get ended(): boolean {
    return this.#isEnded;
  }

  get seeking(): boolean {
    return this.#isSeeking;
  }

  get currentTime(): number {
    return this.#timeS;
  }

  /** Shows the frame at another time. `seeked` fires when it is there. */
  set currentTime(timeS: number) {
    this.#timeS = Math.min(Math.max(Number(timeS) || 0, 0), this.duration || 0);
    if (this.#player !== null) void this.#track(this.#seek());
  }

  canPlayType(type: string): '' | 'maybe' | 'probably' {
    return playabilityOf(String(type));
  }

  /** Starts to load the source. `loadeddata` or `error` fires later. */
  load(): void {
    const count = ++this.#loadCount;
    this.#player?.close();
    this.ownerDocument.videos.stop(this);
    this.#player = null;
    this.#shown = null;
    this.error = null;
    this.#isLoading = true;
    this.currentSrc = '';
    [this.#timeS, this.#isEnded, this.#isPaused] = [0, false, true];
    this.#loading = this.#track(this.#load(count));
  }

  /**
   * Starts to play. Resolves when the first frame is there.
   *
   * @throws {DOMException} NotSupportedError if the source cannot be played.
   */
  async play(): Promise<void> {
    await this.#loading;
    if (this.#player === null) {
      const reason = this.error?.message ?? 'the video has no source';
      throw new DOMException(reason, 'NotSupportedError');
    }
    if (!this.#isPaused) return;
    if (this.#isEnded) this.#timeS = 0;
    [this.#isPaused, this.#isEnded, this.#pageTimeMs, this.#isFresh] = [false, false, null, true];
    fireEvent(this, new Event('play'));
    fireEvent(this, new Event('playing'));
    this.ownerDocument.videos.start(this);
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.ownerDocument.videos.stop(this);
    fireEvent(this, new Event('pause'));
  }

  /** Calls a function once with the next frame that is shown. */
  requestVideoFrameCallback(callback: FrameCallback): number {
    this.#callbacks.set(++this.#lastCallback, callback);
    return this.#lastCallback;
  }

  cancelVideoFrameCallback(id: number): void {
    this.#callbacks.delete(id);
  }

  async advance(pageTimeMs: number): Promise<void> {
    const player = this.#player;
    if (player === null || this.#isSeeking) return;
    const elapsedMs = pageTimeMs - (this.#pageTimeMs ?? pageTimeMs);
    this.#pageTimeMs = pageTimeMs;
    const { durationS } = player.file;
    let timeS = this.#timeS + (elapsedMs / 1000) * this.playbackRate;
    const isAtEnd = timeS >= durationS;
    if (isAtEnd && this.loop) {
      timeS %= durationS;
      this.#isFresh = true;
    } else timeS = Math.min(timeS, durationS);
    this.#timeS = timeS;
    await this.#show(player, timeS);
    if (player !== this.#player) return;
    if (elapsedMs > 0) fireEvent(this, new Event('timeupdate'));
    this.#callBack(pageTimeMs);
    if (isAtEnd && !this.loop) this.#finish();
  }

  get displaySizePx(): readonly [widthPx: number, heightPx: number] {
    return [this.videoWidth, this.videoHeight];
  }

  takePixels(): Pixels | null {
    if (this.#shown === null) return null;
    return this.#isForeign ? { ...this.#shown.pixels, isForeign: true } : this.#shown.pixels;
  }

  #finish(): void {
    this.#isEnded = true;
    this.#isPaused = true;
    this.ownerDocument.videos.stop(this);
    fireEvent(this, new Event('pause'));
    fireEvent(this, new Event('ended'));
  }

  async #load(count: number): Promise<void> {
    await Promise.resolve(); // The program adds listeners and sources after the assignment.
    const address = this.#chooseSource();
    let player: VideoPlayer | null = null;
    let shown: ShownFrame | null = null;
    try {
      if (!hasVideoTool())
        throw new Error('videos need the program ffmpeg, which is not on the path');
      const { fetchBytes, address: base } = this.ownerDocument;
      const { href } = new URL(address, base);
      player = new VideoPlayer(await openVideo(href, () => fetchBytes(address)));
      shown = await player.frameAt(0);
    } catch (error) {
      player?.close();
      if (count === this.#loadCount) {
        const message = `${address}: ${error instanceof Error ? error.message : error}`;
        this.#fail(SOURCE_NOT_SUPPORTED, message);
      }
      return;
    }
    if (count !== this.#loadCount) {
      player.close();
      return; // Another source has been set in the meantime.
    }
    const isOwn = /^(data|blob):/.test(address) || this.ownerDocument.isOwnAddress(address);
    this.#isForeign = this.crossOrigin === null && !isOwn;
    this.#player = player;
    this.#shown = shown;
    this.#isLoading = false;
    this.#isFresh = true;
    this.currentSrc = new URL(address, this.ownerDocument.address).href;
    for (const type of [
      'durationchange',
      'loadedmetadata',
      'loadeddata',
      'canplay',
      'canplaythrough',
    ])
      fireEvent(this, new Event(type));
    if (this.autoplay) void this.play();
  }

  /** Returns the `src`, or that of the first `<source>` whose type can be played. */
  #chooseSource(): string {
    if (this.src !== '') return this.src;
    const sources = this.children.filter(({ localName }) => localName === 'source');
    const playable = sources.find((source) => {
      const type = source.getAttribute('type');
      return type === null || this.canPlayType(type) !== '';
    });
    return (playable ?? sources[0])?.getAttribute('src') ?? '';
  }

  async #seek(): Promise<void> {
    const player = this.#player!;
    this.#isSeeking = true;
    fireEvent(this, new Event('seeking'));
    await this.#show(player, this.#timeS);
    this.#isSeeking = false;
    [this.#pageTimeMs, this.#isFresh, this.#isEnded] = [null, true, false];
    if (player !== this.#player) return;
    fireEvent(this, new Event('timeupdate'));
    fireEvent(this, new Event('seeked'));
    this.#callBack(performance.now());
  }

  async #show(player: VideoPlayer, timeS: number): Promise<void> {
    try {
      const shown = await player.frameAt(timeS);
      if (player !== this.#player) return;
      if (shown.pixels !== this.#shown?.pixels) this.#isFresh = true;
      this.#shown = shown;
    } catch (error) {
      if (player === this.#player) this.#fail(DECODE_ERROR, `${this.currentSrc}: ${String(error)}`);
    }
  }

  #callBack(nowMs: number): void {
    if (!this.#isFresh || this.#shown === null) return;
    this.#isFresh = false;
    const metadata: FrameMetadata = {
      ...{ presentationTime: nowMs, expectedDisplayTime: nowMs, processingDuration: 0 },
      ...{ width: this.videoWidth, height: this.videoHeight, mediaTime: this.#shown.timeS },
      presentedFrames: ++this.#presentedFrames,
    };
    const callbacks = this.#callbacks;
    this.#callbacks = new Map();
    for (const callback of callbacks.values()) {
      try {
        callback(nowMs, metadata);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #fail(code: number, message: string): void {
    this.error = { code, message };
    this.#isLoading = false;
    this.#isPaused = true;
    this.ownerDocument.videos.stop(this);
    fireEvent(this, new Event('error'));
  }

  #track(work: Promise<void>): Promise<void> {
    return this.ownerDocument.pending.track(`video ${this.src}`, work);
  }

  #setFlag(name: string, isSet: boolean): void {
    if (isSet) super.setAttribute(name, '');
    else this.removeAttribute(name);
  }
}
