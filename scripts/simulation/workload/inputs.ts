/** Small inputs of every kind that the simulated clients post. */
import {
  nativeTriangle,
  type ResourceName,
} from '../../../services/coordinator/src/testing/native-triangle.ts';
import { writeCapture } from '../../chaos/mixed-frames.ts';
import { sha256Of } from '../../history/clients/bodies.ts';

/** Body that a client posts. */
export interface Input {
  readonly name: string;
  readonly mediaType: string;
  readonly body: Buffer;
  /** Query that belongs to the body. */
  readonly query: string;
}

const EDGE_PX = 24;
const CAPTURE_TYPE = 'application/vnd.apitrace';
const RED = 'void main() { gl_FragColor = vec4(1.0, 0.25, 0.0, 1.0); }';
const RAMP = 'void main() { gl_FragColor = vec4(gl_FragCoord.xy / 24.0, 0.5, 1.0); }';

/** Content that clients store as resources and name in frames. */
export const RESOURCES: readonly Buffer[] = [0, 1, 2].map((number) =>
  Buffer.from(Float32Array.of(-1, -1, 2 + number, -1, -1, 2 + number).buffer),
);

function native(name: string, fragmentSource: string, buffer?: ResourceName): Input {
  const body = nativeTriangle(EDGE_PX, fragmentSource, buffer);
  return { name, mediaType: 'application/json', body, query: '' };
}

/** Frames that the service renders. */
export const INPUTS: readonly Input[] = [
  native('red', RED),
  native('ramp', RAMP),
  ...RESOURCES.map((bytes, number) =>
    native(`resource ${number}`, RAMP, { sha256: sha256Of(bytes) }),
  ),
  {
    name: 'capture',
    mediaType: CAPTURE_TYPE,
    body: Buffer.from(writeCapture(EDGE_PX)),
    query: '&frame=0',
  },
];

/** Frames that the service refuses, each for another reason. */
export const REFUSED: readonly Input[] = [
  native('broken shader', 'void main() { gl_FragColor = vec3(1.0); }'),
  { ...native('no JSON', RED), body: Buffer.from('{"widthPx": 3,') },
  { ...native('no capture', RED), mediaType: CAPTURE_TYPE },
];

/** Returns the resource that a frame names, which a client must have stored before, or null. */
export function resourceOf({ name }: Input): Buffer | null {
  const number = /^resource (\d)$/.exec(name)?.[1];
  return number === undefined ? null : RESOURCES[Number(number)]!;
}
