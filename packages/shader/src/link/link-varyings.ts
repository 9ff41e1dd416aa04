/**
 * Varyings: each scalar that the fragment stage reads and the vertex stage declares gets a
 * component, in the order of the fragment stage's declarations. Unread scalars are neither computed
 * nor interpolated.
 */
import { VARYING_SLOT, type VaryingInfo } from '@tessera/frame';
import type { InterfaceVariable } from '../lower/stage-interface.ts';
import { componentCount } from '../operations/type-layout.ts';

/** Varyings of a program and the renumbering of their slots. */
export interface LinkedVaryings {
  readonly varyings: readonly VaryingInfo[];
  /** Number of scalar components of all varyings. */
  readonly count: number;
  /** Components by the input slots of the unlinked fragment stage. */
  readonly inputMap: ReadonlyMap<number, number>;
  /** Final output slots by the varying output slots of the unlinked vertex stage. */
  readonly outputMap: ReadonlyMap<number, number>;
}

/**
 * Pairs the stages by name and scalar.
 *
 * @param usedInputs Input slots that the fragment stage reads.
 */
export function linkVaryings(
  outputs: readonly InterfaceVariable[],
  inputs: readonly InterfaceVariable[],
  usedInputs: ReadonlySet<number>,
): LinkedVaryings {
  const outputByName = new Map(outputs.map((output) => [output.name, output]));
  const varyings: VaryingInfo[] = [];
  const inputMap = new Map<number, number>();
  const outputMap = new Map<number, number>();
  let count = 0;
  for (const { name, type, first, isFlat } of inputs) {
    const output = outputByName.get(name);
    if (output === undefined) continue;
    const firstComponent = count;
    const pairs = Math.min(componentCount(type), componentCount(output.type));
    for (let k = 0; k < pairs; k++) {
      if (!usedInputs.has(first + k)) continue;
      inputMap.set(first + k, count);
      outputMap.set(output.first + k, VARYING_SLOT + count);
      count++;
    }
    if (count > firstComponent) {
      varyings.push({ name, componentCount: count - firstComponent, isFlat, firstComponent });
    }
  }
  return { varyings, count, inputMap, outputMap };
}
