/** Replays functions of OpenGL 1.0 to 2.1 that later versions removed, except vertices. */
import { FIXED } from '../../api/fixed-constants.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import { failCall, floatOf, numberOf, numbersOf } from './call-arguments.ts';
import { vectorOf } from './call-vectors.ts';
import type { CallReplay, RecordedContext } from './recorded-names.ts';

/** Adds a function whose last argument is a number or an array, in four types. */
function addTyped(
  calls: Record<string, CallReplay>,
  name: string,
  types: readonly string[],
  replay: (context: RecordedContext, call: CapturedCall, params: number[]) => void,
): void {
  for (const type of types) {
    const run: CallReplay = (context, call) => {
      const last = Object.keys(call.args).at(-1);
      const params = last === undefined ? [] : numbersOf(call, last);
      replay(
        context,
        call,
        COLOR_PARAMETERS.has(call.args.pname as number) ? scale(type, params) : params,
      );
    };
    calls[`${name}${type}`] = run;
    calls[`${name}${type}v`] = run;
  }
}

/** Parameters that are colors. Integer values are fractions of the type's largest value. */
const COLOR_PARAMETERS: ReadonlySet<number> = new Set([
  ...[FIXED.AMBIENT, FIXED.DIFFUSE, FIXED.SPECULAR, FIXED.EMISSION, FIXED.AMBIENT_AND_DIFFUSE],
  ...[FIXED.LIGHT_MODEL_AMBIENT, FIXED.FOG_COLOR, FIXED.TEXTURE_ENV_COLOR],
]);

function scale(type: string, params: readonly number[]): number[] {
  if (!type.startsWith('i')) return [...params];
  return params.map((value) => (2 * value + 1) / 4294967295);
}

function makeStateCalls(): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {};
  addTyped(calls, 'glLight', ['f', 'i'], ({ gl }, call, params) =>
    gl.fixedFunctions.light(numberOf(call, 'light'), numberOf(call, 'pname'), params),
  );
  addTyped(calls, 'glMaterial', ['f', 'i'], ({ gl }, call, params) =>
    gl.fixedFunctions.material(numberOf(call, 'face'), numberOf(call, 'pname'), params),
  );
  addTyped(calls, 'glLightModel', ['f', 'i'], ({ gl }, call, params) =>
    gl.fixedFunctions.lightModel(numberOf(call, 'pname'), params),
  );
  addTyped(calls, 'glTexEnv', ['f', 'i'], ({ gl }, call, params) =>
    gl.fixedFunctions.texEnv(numberOf(call, 'target'), numberOf(call, 'pname'), params),
  );
  addTyped(calls, 'glTexGen', ['f', 'i', 'd'], ({ gl }, call, params) =>
    gl.fixedFunctions.texGen(numberOf(call, 'coord'), numberOf(call, 'pname'), params),
  );
  addTyped(calls, 'glFog', ['f', 'i'], ({ gl }, call, params) =>
    gl.fixedFunctions.fog(numberOf(call, 'pname'), params),
  );
  addTyped(calls, 'glPointParameter', ['f', 'i'], ({ gl }, call, params) =>
    gl.fixedFunctions.pointParameter(numberOf(call, 'pname'), params),
  );
  return calls;
}

const LIST_NAME_BYTES: ReadonlyMap<number, number> = new Map([
  [FIXED.TWO_BYTES, 2],
  [FIXED.THREE_BYTES, 3],
  [FIXED.FOUR_BYTES, 4],
]);

/** Returns the list names of `glCallLists`: numbers, or bytes decoded by the type argument. */
function listNamesOf(call: CapturedCall): number[] {
  const { lists } = call.args;
  const count = numberOf(call, 'n');
  const type = numberOf(call, 'type');
  if (!(lists instanceof Uint8Array)) return numbersOf(call, 'lists').slice(0, count);
  const view = new DataView(lists.buffer, lists.byteOffset, lists.byteLength);
  const bigEndianBytes = LIST_NAME_BYTES.get(type);
  const size = bigEndianBytes ?? NAME_READERS.get(type)?.[0];
  if (size === undefined || size * count > lists.length) {
    return failCall(call, `${count} names of type ${type} do not fit in ${lists.length} bytes`);
  }
  return Array.from({ length: count }, (_, i) => {
    if (bigEndianBytes === undefined) return Math.trunc(NAME_READERS.get(type)![1](view, i * size));
    let name = 0;
    for (let k = 0; k < size; k++) name = name * 256 + lists[i * size + k]!;
    return name;
  });
}

const NAME_READERS: ReadonlyMap<
  number,
  readonly [bytes: number, read: (view: DataView, at: number) => number]
> = new Map<number, readonly [number, (view: DataView, at: number) => number]>([
  [0x1400, [1, (view, at) => view.getInt8(at)]],
  [0x1401, [1, (view, at) => view.getUint8(at)]],
  [0x1402, [2, (view, at) => view.getInt16(at, true)]],
  [0x1403, [2, (view, at) => view.getUint16(at, true)]],
  [0x1404, [4, (view, at) => view.getInt32(at, true)]],
  [0x1405, [4, (view, at) => view.getUint32(at, true)]],
  [0x1406, [4, (view, at) => view.getFloat32(at, true)]],
]);

/** Replay functions of fixed functions, by function name. */
export const FIXED_CALLS: Readonly<Record<string, CallReplay>> = {
  ...makeStateCalls(),
  glColorMaterial: ({ gl }, call) =>
    gl.fixedFunctions.colorMaterial(numberOf(call, 'face'), numberOf(call, 'mode')),
  glAccum: ({ gl }, call) => gl.accumulation.operate(numberOf(call, 'op'), floatOf(call, 'value')),
  glClearAccum: ({ gl }, call) => gl.accumulation.setClearColor(vectorOf(call, 4)),
  glProvokingVertex: ({ gl }, call) => gl.fixedFunctions.provokingVertex(numberOf(call, 'mode')),
  glShadeModel: ({ gl }, call) => gl.fixedFunctions.shadeModel(numberOf(call, 'mode')),
  glAlphaFunc: ({ gl }, call) =>
    gl.fixedFunctions.alphaFunc(numberOf(call, 'func'), floatOf(call, 'ref')),
  glLogicOp: ({ gl }, call) => gl.fixedFunctions.logicOp(vectorOf(call, 1)[0]!),
  glClipPlane: ({ gl }, call) =>
    gl.fixedFunctions.clipPlane(numberOf(call, 'plane'), vectorOf(call, 4, 1)),
  glPolygonStipple: ({ gl }, call) => {
    const { mask } = call.args;
    const pattern = mask instanceof Uint8Array ? mask : Uint8Array.from(numbersOf(call, 'mask'));
    if (pattern.length < 128) failCall(call, 'the pattern has fewer than 128 bytes');
    gl.fixedFunctions.polygonStipple(pattern);
  },
  glPushAttrib: ({ gl }, call) => gl.fixedFunctions.pushAttrib(numberOf(call, 'mask')),
  glPopAttrib: ({ gl }) => gl.fixedFunctions.popAttrib(),
  glPushClientAttrib: ({ gl }, call) => gl.fixedFunctions.pushClientAttrib(numberOf(call, 'mask')),
  glPopClientAttrib: ({ gl }) => gl.fixedFunctions.popClientAttrib(),
  glGenLists: ({ gl, lists }, call) => {
    const count = numberOf(call, 'range');
    const recorded = typeof call.result === 'number' ? call.result : 0;
    const first = gl.fixedFunctions.lists.generate(count);
    if (recorded === 0 || first === 0) return;
    for (let i = 0; i < count; i++) lists.set(recorded + i, first + i);
  },
  glDeleteLists: ({ gl, lists }, call) => {
    const first = numberOf(call, 'list');
    const count = numberOf(call, 'range');
    if (count < 0) gl.fixedFunctions.lists.remove(first, count);
    for (const recorded of lists.between(first, first + count)) {
      gl.fixedFunctions.lists.remove(lists.remove(recorded), 1);
    }
  },
  glNewList: ({ gl, lists }, call) =>
    gl.fixedFunctions.lists.begin(lists.get(numberOf(call, 'list')), numberOf(call, 'mode')),
  glEndList: ({ gl }) => gl.fixedFunctions.lists.end(),
  glListBase: ({ gl }, call) => {
    gl.fixedFunctions.lists.base = numberOf(call, 'base');
  },
  glCallList: ({ gl, lists }, call) =>
    gl.fixedFunctions.lists.call(lists.find(numberOf(call, 'list'))),
  glCallLists: ({ gl, lists }, call) => {
    const { base } = gl.fixedFunctions.lists;
    for (const name of listNamesOf(call)) gl.fixedFunctions.lists.call(lists.find(base + name));
  },
};
