/** Damage to captures by call and by argument, so that the replay is reached. */
import { type CaptureLimits, readCalls } from '@tessera/gl/apitrace';
import { CaptureWriter, packLiterals } from '@tessera/gl/capture-writer';
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import { decompressCapture } from '../../../packages/gl/src/apitrace/format/capture-container.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateValue } from './mutate-value.ts';

type Args = Parameters<CaptureWriter['call']>[1];
type Result = Parameters<CaptureWriter['call']>[2];

interface Call {
  readonly name: string;
  readonly args: Args;
  readonly result: Result;
}

/** Returns the stream of a capture, or null if its container is damaged. */
export function decompressOrNull(file: Uint8Array, maxBytes: number): Uint8Array | null {
  try {
    return Uint8Array.from(Buffer.concat([...decompressCapture(file, maxBytes)]));
  } catch {
    return null;
  }
}

/** Returns a damaged stream; damages the bytes of a stream that is damaged already. */
export function mutateCalls(
  stream: Uint8Array,
  other: Uint8Array,
  random: SeededRandom,
  limits: CaptureLimits,
): Uint8Array {
  try {
    const calls = listCalls(stream, limits);
    damage(calls, () => listCalls(other, limits), random);
    const writer = new CaptureWriter();
    for (const { name, args, result } of calls) writer.call(name, args, result);
    return writer.takeStream();
  } catch {
    return mutateBytes(stream, other, random);
  }
}

function damage(calls: Call[], readOthers: () => readonly Call[], random: SeededRandom): void {
  const at = random.integer(0, calls.length - 1);
  const call = calls[at]!;
  switch (random.integer(0, 7)) {
    case 0:
      calls.splice(at, random.integer(1, 3));
      return;
    case 1:
      calls.splice(random.integer(0, calls.length), 0, call);
      return;
    case 2: {
      const others = readOthers();
      const start = random.integer(0, others.length - 1);
      calls.splice(at, 0, ...others.slice(start, start + random.integer(1, 6)));
      return;
    }
    case 3:
      // The arguments of another function, some of which may have the same names.
      calls[at] = { ...call, name: random.pick(readOthers()).name };
      return;
    default: {
      const args = mutateValue(call.args, () => random.pick(readOthers()).args, random);
      calls[at] = { ...call, args: args as Args };
    }
  }
}

function listCalls(stream: Uint8Array, limits: CaptureLimits): Call[] {
  const calls: Call[] = [];
  for (const { name, args, result } of readCalls(packSnappy(stream), limits)) {
    calls.push({ name, args, result });
  }
  return calls;
}

/** Returns a stream in a container of one uncompressed chunk. */
export function packSnappy(stream: Uint8Array): Uint8Array {
  const block = Uint8Array.from(packLiterals(stream));
  const length = new Uint8Array(Uint32Array.of(block.length).buffer);
  return Uint8Array.from(Buffer.concat([Buffer.from('at'), length, block]));
}
