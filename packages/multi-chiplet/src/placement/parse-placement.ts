/** Placement of resources as users write it. */
import {
  DEFAULT_PLACEMENT,
  PLACEMENTS,
  type Placement,
  type PlacementName,
  RESOURCE_CLASSES,
  RenderError,
  type ResourceClass,
} from '@tessera/frame';

/**
 * Reads a placement: one word for all classes, or words by class. Classes that are not named are
 * `replicated`.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the class, the value and the choices.
 *
 * @example
 * parsePlacement('interleaved');
 * parsePlacement('textures=interleaved,streams=home');
 */
export function parsePlacement(text: string): Placement {
  if (!text.includes('=')) {
    const name = requireName('placement', text);
    return Object.freeze({ textures: name, buffers: name, streams: name });
  }
  const placement: Record<ResourceClass, PlacementName> = { ...DEFAULT_PLACEMENT };
  const given = new Set<ResourceClass>();
  for (const part of text.split(',')) {
    const [key = '', ...values] = part.split('=');
    const value = values.join('=');
    const named = RESOURCE_CLASSES.find((each) => each === key);
    if (named === undefined) {
      throw new RenderError(
        'REQUEST_INVALID',
        `placement: '${key}' is not one of ${RESOURCE_CLASSES.join(', ')}`,
      );
    }
    if (given.has(named)) {
      throw new RenderError('REQUEST_INVALID', `placement ${named}: is given twice`);
    }
    given.add(named);
    placement[named] = requireName(`placement ${named}`, value);
  }
  return Object.freeze(placement);
}

/**
 * Checks a placement that a program gives.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the class, the value and the choices.
 */
export function requirePlacement(placement: Placement): Placement {
  for (const each of RESOURCE_CLASSES) requireName(`placement ${each}`, placement[each]);
  return placement;
}

function requireName(what: string, value: string): PlacementName {
  const name = PLACEMENTS.find((each) => each === value);
  if (name === undefined) {
    throw new RenderError(
      'REQUEST_INVALID',
      `${what}: '${value}' is not one of ${PLACEMENTS.join(', ')}`,
    );
  }
  return name;
}

/** Whether a class is not in all memories, so that chiplets access each other's. */
export function isShared(placement: Placement): boolean {
  return RESOURCE_CLASSES.some((each) => placement[each] !== 'replicated');
}

/** Returns the placement if a GPU of that many chiplets has shared memories; otherwise null. */
export function sharedPlacement(
  placement: Placement | undefined,
  chipletCount: number,
): Placement | null {
  return placement !== undefined && chipletCount > 1 && isShared(placement) ? placement : null;
}
