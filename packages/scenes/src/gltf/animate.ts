/** Values of animated properties at a time (glTF 2.0, 3.11.3 and appendix C). */
import type { AnimationChannel, AnimationSampler, Node } from '@gltf-transform/core';
import { RenderError } from '@tessera/frame';
import { normalizeQuaternion, type Quaternion, slerp } from '../math/vector.ts';
import { floatValues } from './format/accessor-values.ts';
import type { Model } from './read-model.ts';

/** Animated property of a node. */
export type AnimationPath = 'translation' | 'rotation' | 'scale' | 'weights';

/** Animated values of one node. */
export type AnimatedProperties = Partial<Record<AnimationPath, readonly number[]>>;

/** Samples every channel. Before the first key and after the last one the nearest key applies. */
export function sampleAnimation(
  channels: readonly AnimationChannel[],
  model: Model,
  timeSeconds: number,
): Map<Node, AnimatedProperties> {
  const byNode = new Map<Node, AnimatedProperties>();
  for (const channel of channels) {
    const node = channel.getTargetNode();
    const target = channel.getTargetPath();
    const sampler = channel.getSampler();
    // A channel without a target has no effect; others animate properties by pointer.
    if (!node || !target || !sampler) continue;
    const isRotation = target === 'rotation';
    const values = sampleSampler(sampler, model.pathOf(sampler), isRotation, timeSeconds);
    byNode.set(node, { ...byNode.get(node), [target]: values });
  }
  return byNode;
}

/**
 * Returns the value of a sampler at a time.
 *
 * @param path Path of the sampler in the JSON, for messages.
 * @param isRotation Whether the values are rotations, which are interpolated on the sphere.
 * @throws {RenderError} MODEL_INVALID if the keys are not in order or a value is not finite.
 */
export function sampleSampler(
  sampler: AnimationSampler,
  path: string,
  isRotation: boolean,
  timeSeconds: number,
): number[] {
  const input = sampler.getInput();
  const output = sampler.getOutput();
  if (input === null || output === null) throw new Error(`${path}: an accessor is missing`);
  const times = floatValues(input);
  checkTimes(path, times);
  const values = floatValues(output);
  requireFinite(path, values);
  const interpolation = sampler.getInterpolation();
  return sampleChannel({ interpolation, isRotation }, times, values, timeSeconds);
}

function checkTimes(path: string, times: Float32Array): void {
  for (let i = 0; i < times.length; i++) {
    const isAscending = i === 0 ? times[0] >= 0 : times[i] > times[i - 1];
    if (!isAscending || !Number.isFinite(times[i])) {
      throw new RenderError(
        'MODEL_INVALID',
        `${path}.input: time ${times[i]} of key ${i} is not greater than that of the previous key`,
      );
    }
  }
}

function requireFinite(path: string, values: Float32Array): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at !== -1) {
    throw new RenderError(
      'MODEL_INVALID',
      `${path}.output: value ${values[at]} at index ${at} is not finite`,
    );
  }
}

/**
 * Returns the value of one channel.
 *
 * @param times Ascending.
 * @param values Runs of equal length: one per key, or three (in-tangent, value, out-tangent) for
 *   cubic splines.
 */
export function sampleChannel(
  channel: {
    readonly interpolation: ReturnType<AnimationSampler['getInterpolation']>;
    /** Whether the values are rotations, which are interpolated on the sphere. */
    readonly isRotation: boolean;
  },
  times: Float32Array,
  values: Float32Array,
  timeSeconds: number,
): number[] {
  const isCubic = channel.interpolation === 'CUBICSPLINE';
  const width = values.length / times.length / (isCubic ? 3 : 1);
  /** Returns run `part` of a key: 0 in-tangent, 1 value, 2 out-tangent. */
  const run = (key: number, part: 0 | 1 | 2): number[] => {
    const start = (isCubic ? 3 * key + part : key) * width;
    return Array.from(values.subarray(start, start + width));
  };
  const last = times.length - 1;
  if (timeSeconds <= times[0]) return run(0, 1);
  if (timeSeconds >= times[last]) return run(last, 1);
  let key = 0;
  while (times[key + 1] <= timeSeconds) key++;
  const step = times[key + 1] - times[key];
  const t = (timeSeconds - times[key]) / step;
  const from = run(key, 1);
  const to = run(key + 1, 1);
  switch (channel.interpolation) {
    case 'STEP':
      return from;
    case 'LINEAR':
      return channel.isRotation
        ? [...slerp(toQuaternion(from), toQuaternion(to), t)]
        : from.map((value, i) => value + (to[i] - value) * t);
    case 'CUBICSPLINE': {
      const out = run(key, 2);
      const into = run(key + 1, 0);
      const spline = from.map((value, i) =>
        hermite(value, out[i] * step, to[i], into[i] * step, t),
      );
      return channel.isRotation ? [...normalizeQuaternion(toQuaternion(spline))] : spline;
    }
  }
}

function hermite(
  from: number,
  tangentOut: number,
  to: number,
  tangentIn: number,
  t: number,
): number {
  const t2 = t * t;
  const t3 = t2 * t;
  return (
    (2 * t3 - 3 * t2 + 1) * from +
    (t3 - 2 * t2 + t) * tangentOut +
    (3 * t2 - 2 * t3) * to +
    (t3 - t2) * tangentIn
  );
}

function toQuaternion(values: readonly number[]): Quaternion {
  return [values[0], values[1], values[2], values[3]];
}
