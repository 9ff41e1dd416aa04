/**
 * Structured clone of the objects of a page (HTML, section 2.7): `ImageBitmap`, `ImageData`,
 * `VideoFrame` and `OffscreenCanvas`. The clone of the platform knows no objects of this package.
 * So a message contains stand-ins for them, and their parts travel beside it. A clone keeps
 * identities, so the receiver recognizes the stand-ins.
 */
import type { Pixels } from '../../pixels/pixels.ts';
import {
  type FrameTarget,
  OffscreenCanvas,
  type OffscreenCanvasClass,
} from '../canvas/offscreen-canvas.ts';
import { ImageBitmap } from '../images/image-bitmap.ts';
import { ImageData } from '../images/image-data.ts';
import { VideoFrame, type VideoFrameInit } from '../images/video-frame.ts';
import { copyGraph, visitObjects } from './message-graph.ts';
import { transferClone } from './transfer-message.ts';

/** Content of an object of the page in a message. */
type Part =
  | { readonly kind: 'bitmap'; readonly pixels: Pixels }
  | { readonly kind: 'video-frame'; readonly pixels: Pixels; readonly times: VideoFrameInit }
  | {
      readonly kind: 'image-data';
      readonly data: Uint8ClampedArray;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly kind: 'canvas';
      readonly width: number;
      readonly height: number;
      /** Number of the target of its frames; `null` without one. */
      readonly target: number | null;
    };

/** Message as it is passed to the platform. */
export interface EncodedMessage {
  readonly value: unknown;
  readonly standIns: readonly object[];
  readonly parts: readonly Part[];
}

/** Names by which sender and receiver refer to receivers of frames. */
export interface TargetNumbers {
  numberOf(target: FrameTarget): number;
}

/** Objects that the receiver creates. */
export interface MessageScope {
  readonly OffscreenCanvas: OffscreenCanvasClass;
  targetOf(number: number): FrameTarget;
}

/** Objects of a page that have no clone, by the name of their class. */
const WITHOUT_CLONE = /^(HTML|WebGL|CanvasRendering|CanvasGradient|CanvasPattern|Path2D)/;

/**
 * Encodes a message, and moves what the sender transfers.
 *
 * @param transfer Objects to move instead of copy.
 * @returns The message, and the objects that the platform moves.
 * @throws {DOMException} DataCloneError if an object cannot be cloned, or is transferred twice.
 */
export function encodeMessage(
  message: unknown,
  transfer: readonly unknown[],
  targets: TargetNumbers,
): { readonly encoded: EncodedMessage; readonly moved: readonly unknown[] } {
  const listed = new Set(transfer);
  if (listed.size < transfer.length) throw cannotClone('an object is transferred twice');
  const own = new Set<object>();
  visitObjects(message, (object) => {
    if (isOwn(object)) {
      own.add(object);
      return 'leaf';
    }
    const name = (object as { readonly [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
    if (typeof name === 'string' && WITHOUT_CLONE.test(name)) throw cannotClone(name);
    return 'enter';
  });
  for (const each of listed) if (isOwn(each)) own.add(each);
  const moved = transfer.filter((each) => !isOwn(each));
  if (own.size === 0) return { encoded: { value: message, standIns: [], parts: [] }, moved };
  const parts = [...own].map((each) => encodePart(each, listed.has(each), targets));
  const standIns = parts.map(() => ({}));
  const replacements = new Map([...own].map((each, i) => [each, standIns[i]!]));
  return { encoded: { value: copyGraph(message, replacements), standIns, parts }, moved };
}

/** Returns the message with objects of the receiver. */
export function decodeMessage(encoded: EncodedMessage, scope: MessageScope): unknown {
  const { value, standIns, parts } = encoded;
  if (standIns.length === 0) return value;
  return copyGraph(value, new Map(standIns.map((each, i) => [each, decodePart(parts[i]!, scope)])));
}

/** Returns the transfer list of `postMessage` and `structuredClone`, a list or an option. */
export function readTransfer(given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return [];
  const list =
    Symbol.iterator in Object(given) ? given : (given as { transfer?: unknown }).transfer;
  return list === undefined ? [] : [...(list as Iterable<unknown>)];
}

/** `structuredClone` for the objects of a page. */
export function clonePageValue(
  value: unknown,
  options: unknown,
  scope: Pick<MessageScope, 'OffscreenCanvas'>,
): unknown {
  const targets: FrameTarget[] = [];
  const numbers = { numberOf: (target: FrameTarget) => targets.push(target) - 1 };
  const { encoded, moved } = encodeMessage(value, readTransfer(options), numbers);
  return decodeMessage(transferClone(encoded, moved), {
    ...scope,
    targetOf: (number) => targets[number]!,
  });
}

const OWN_CLASSES = [ImageBitmap, ImageData, OffscreenCanvas, VideoFrame] as const;
type OwnObject = InstanceType<(typeof OWN_CLASSES)[number]>;

function isOwn(value: unknown): value is OwnObject {
  return OWN_CLASSES.some((each) => value instanceof each);
}

function encodePart(object: object, isMoved: boolean, targets: TargetNumbers): Part {
  if (object instanceof ImageData) {
    if (isMoved) throw cannotClone('ImageData cannot be transferred');
    const { data, width, height } = object;
    return { kind: 'image-data', data, width, height };
  }
  if (object instanceof ImageBitmap || object instanceof VideoFrame) {
    const pixels = object.takePixels();
    if (pixels === null) throw cannotClone(`the ${object.constructor.name} is closed`);
    if (isMoved) object.close();
    if (object instanceof ImageBitmap) return { kind: 'bitmap', pixels };
    const { timestamp, duration } = object;
    return { kind: 'video-frame', pixels, times: { timestamp, duration: duration ?? undefined } };
  }
  const canvas = object as OffscreenCanvas;
  if (!isMoved) throw cannotClone('an OffscreenCanvas can only be transferred');
  const { width, height } = canvas;
  const target = canvas.detach();
  const number = target === null ? null : targets.numberOf(target);
  return { kind: 'canvas', width, height, target: number };
}

function decodePart(part: Part, scope: MessageScope): object {
  if (part.kind === 'bitmap') return new ImageBitmap(part.pixels);
  if (part.kind === 'video-frame') {
    return new VideoFrame({ takePixels: () => part.pixels }, part.times);
  }
  if (part.kind === 'image-data') {
    return new ImageData(part.data as Uint8ClampedArray<ArrayBuffer>, part.width, part.height);
  }
  const canvas = new scope.OffscreenCanvas(part.width, part.height);
  if (part.target !== null) canvas.drawFor(scope.targetOf(part.target));
  return canvas;
}

function cannotClone(reason: string): DOMException {
  return new DOMException(`the message cannot be cloned: ${reason}`, 'DataCloneError');
}
