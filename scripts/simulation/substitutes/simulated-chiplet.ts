/**
 * Simulated GPU of all chiplets with the same specification. Its code is the real one. Making one
 * for each start of a chiplet would take most of the time of a world. They cannot disturb each
 * other, because each call is finished within one event and depends on nothing but its frame.
 */
import { type ChipletSpec, DEFAULT_CHIPLET_SPEC } from '@tessera/chiplet-spec';
import { SimulatedChiplet as RealSimulatedChiplet } from '../../../packages/gpu/src/chiplet/simulated-chiplet.ts';

const chipletBySpec = new Map<string, RealSimulatedChiplet>();

/** Substitute of the class, whose `new` returns the shared object. */
export const SimulatedChiplet = function share(spec: ChipletSpec = DEFAULT_CHIPLET_SPEC) {
  const key = JSON.stringify(spec);
  let chiplet = chipletBySpec.get(key);
  if (chiplet === undefined) {
    chiplet = new RealSimulatedChiplet(spec);
    chipletBySpec.set(key, chiplet);
  }
  return chiplet;
} as unknown as typeof RealSimulatedChiplet;
