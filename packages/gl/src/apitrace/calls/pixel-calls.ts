/** Replays bitmaps, pixel rectangles and raster positions. */
import { GL } from '../../api/constants.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import { floatOf, numberOf, numbersOf, refuseCall, takeNumbers } from './call-arguments.ts';
import { vectorOf } from './call-vectors.ts';
import type { CallReplay, RecordedContext } from './recorded-names.ts';

function makePositionCalls(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {};
  for (const type of ['s', 'i', 'f', 'd']) {
    for (const suffix of [type, `${type}v`]) {
      for (const count of [2, 3, 4]) {
        calls[`glRasterPos${count}${suffix}`] = ({ gl }, call) =>
          gl.pixels.rasterPos(vectorOf(call, count));
      }
      for (const count of [2, 3]) {
        calls[`glWindowPos${count}${suffix}`] = ({ gl }, call) =>
          gl.pixels.windowPos(vectorOf(call, count));
      }
    }
  }
  return calls;
}

/** Returns client memory, or bytes of the pixel unpack buffer. */
function bytesOf({ gl }: RecordedContext, call: CapturedCall, name: string): Uint8Array | null {
  const value = call.args[name];
  if (value instanceof Uint8Array) return value;
  const buffer = gl.buffers.bound(GL.PIXEL_UNPACK_BUFFER);
  return buffer === null ? null : buffer.share().subarray(numberOf(call, name));
}

/** GL_MAP_COLOR. */
const MAP_COLOR = 0x0d10;

/** Pixel transfer parameters with the values that leave pixels unchanged. */
const INITIAL_TRANSFERS: ReadonlyMap<number, number> = new Map([
  ...[0x0d14, 0x0d18, 0x0d1a, 0x0d1c, 0x0d1e].map((scale) => [scale, 1] as const),
  ...[0x0d11, 0x0d12, 0x0d13, 0x0d15, 0x0d19, 0x0d1b, 0x0d1d, 0x0d1f].map(
    (bias) => [bias, 0] as const,
  ),
]);

const replayTransfer: CallReplay = ({ gl }, call) => {
  const parameter = numberOf(call, 'pname');
  if (parameter === MAP_COLOR) {
    gl.pixels.maps.isColorMapped = floatOf(call, 'param') !== 0;
    return;
  }
  if (floatOf(call, 'param') !== INITIAL_TRANSFERS.get(parameter)) {
    refuseCall(call, `pixel transfer parameter ${parameter} is not supported`);
  }
};

/** GL_PIXEL_MAP_I_TO_I and GL_PIXEL_MAP_S_TO_S, whose values are not fractions. */
const INDEX_MAPS: readonly number[] = [0x0c70, 0x0c71];

/** Replays a map of integers, which are fractions of the largest one in maps of colors. */
function replayWholeMap(gl: RecordedContext['gl'], call: CapturedCall, largest: number): void {
  const map = numberOf(call, 'map');
  const divisor = INDEX_MAPS.includes(map) ? 1 : largest;
  gl.pixels.maps.set(
    map,
    numbersOf(call, 'values').map((value) => value / divisor),
  );
}

/** Replay functions of pixel rectangles, by function name. */
export const PIXEL_CALLS: Readonly<Record<string, CallReplay>> = {
  ...makePositionCalls(),
  glPixelZoom: ({ gl }, call) =>
    gl.pixels.pixelZoom(floatOf(call, 'xfactor'), floatOf(call, 'yfactor')),
  glPixelStoref: ({ gl }, call) =>
    gl.textures.pixelStore.set(numberOf(call, 'pname'), Math.round(floatOf(call, 'param'))),
  glPixelTransferf: replayTransfer,
  glPixelTransferi: replayTransfer,
  glBitmap: (context, call) => {
    const [width, height, originX, originY, moveX, moveY] = vectorOf(call, 6);
    const bytes = bytesOf(context, call, 'bitmap');
    context.gl.pixels.bitmap(width!, height!, originX!, originY!, moveX!, moveY!, bytes);
  },
  glPixelMapfv: ({ gl }, call) =>
    gl.pixels.maps.set(numberOf(call, 'map'), numbersOf(call, 'values')),
  glPixelMapuiv: ({ gl }, call) => replayWholeMap(gl, call, 4294967295),
  glPixelMapusv: ({ gl }, call) => replayWholeMap(gl, call, 65535),
  glCopyPixels: ({ gl }, call) =>
    gl.pixels.copyPixels(...takeNumbers(call, 'x', 'y', 'width', 'height', 'type')),
  glDrawPixels: (context, call) => {
    const bytes = bytesOf(context, call, 'pixels') ?? new Uint8Array(0);
    context.gl.pixels.drawPixels(
      numberOf(call, 'width'),
      numberOf(call, 'height'),
      numberOf(call, 'format'),
      numberOf(call, 'type'),
      bytes,
    );
  },
};
