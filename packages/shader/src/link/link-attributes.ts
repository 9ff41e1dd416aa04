/** Attribute locations: explicit ones first, then the first free ones in order of declaration. */
import type { AttributeInfo } from '@tessera/frame';
import { type InterfaceVariable, locationSizes } from '../lower/stage-interface.ts';
import { baseOf } from '../operations/type-layout.ts';

const SLOTS_PER_LOCATION = 4;

/** Vertex attributes of a program and the renumbering of their slots. */
export interface LinkedAttributes {
  readonly attributes: readonly AttributeInfo[];
  /** Final slots by the slots of the unlinked stage. */
  readonly slotMap: ReadonlyMap<number, number>;
}

/** Assigns locations to the attributes with a slot in `usedSlots`. */
export function linkAttributes(
  inputs: readonly InterfaceVariable[],
  usedSlots: ReadonlySet<number>,
): LinkedAttributes {
  const active = inputs.filter((input) => slotsOf(input).some((slot) => usedSlots.has(slot)));
  const taken = new Set<number>();
  const firstLocations = new Map<InterfaceVariable, number>();
  const place = (input: InterfaceVariable, location: number): void => {
    firstLocations.set(input, location);
    locationSizes(input.type).forEach((_, k) => {
      taken.add(location + k);
    });
  };
  for (const input of active) {
    if (input.location !== null) place(input, input.location);
  }
  for (const input of active) {
    if (input.location !== null) continue;
    const count = locationSizes(input.type).length;
    let location = 0;
    for (let k = 0; k < count; ) {
      if (taken.has(location + k)) {
        location += k + 1;
        k = 0;
      } else {
        k++;
      }
    }
    place(input, location);
  }

  const slotMap = new Map<number, number>();
  const attributes = active.map((input): AttributeInfo => {
    const firstSlot = firstLocations.get(input)! * SLOTS_PER_LOCATION;
    for (const slot of slotsOf(input)) slotMap.set(slot, firstSlot + slot - input.first);
    const sizes = locationSizes(input.type);
    const element = input.type.kind === 'array' ? input.type.element : input.type;
    return {
      name: input.name,
      scalarType: baseOf(element),
      componentCount: sizes[0]!,
      locationCount: sizes.length,
      firstSlot,
    };
  });
  return { attributes, slotMap };
}

function slotsOf({ type, first }: InterfaceVariable): number[] {
  return locationSizes(type).flatMap((size, k) =>
    Array.from({ length: size }, (_, component) => first + k * SLOTS_PER_LOCATION + component),
  );
}
