/** Placement of resources as users write it. */
import { RenderError } from '@tessera/frame/errors';
import {
  DEFAULT_PLACEMENT,
  PLACEMENTS,
  type Placement,
  RESOURCE_CLASSES,
  type ResourceClass,
  TARGET_CLASSES,
  TARGET_PLACEMENTS,
  type TargetClass,
} from '@tessera/frame/placement';

/** Words of each class. */
const WORDS: Readonly<Record<ResourceClass | TargetClass, readonly string[]>> = {
  textures: PLACEMENTS,
  buffers: PLACEMENTS,
  streams: PLACEMENTS,
  targets: TARGET_PLACEMENTS,
  framebuffer: TARGET_PLACEMENTS,
};
const CLASSES = [...RESOURCE_CLASSES, ...TARGET_CLASSES];

/**
 * Reads a placement: one word for textures, buffers and streams, or words by class. Classes that
 * are not named are `replicated`; targets and framebuffer are `gathered`.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the class, the value and the choices.
 *
 * @example
 * parsePlacement('interleaved');
 * parsePlacement('textures=interleaved,targets=kept');
 */
export function parsePlacement(text: string): Placement {
  const placement: Record<string, string> = { ...DEFAULT_PLACEMENT };
  if (!text.includes('=')) {
    const name = requireName('placement', text, PLACEMENTS);
    for (const each of RESOURCE_CLASSES) placement[each] = name;
    return Object.freeze(placement) as Placement;
  }
  const given = new Set<string>();
  for (const part of text.split(',')) {
    const [key = '', ...values] = part.split('=');
    const named = CLASSES.find((each) => each === key);
    if (named === undefined) {
      throw new RenderError(
        'REQUEST_INVALID',
        `placement: '${key}' is not one of ${CLASSES.join(', ')}`,
      );
    }
    if (given.has(named)) {
      throw new RenderError('REQUEST_INVALID', `placement ${named}: is given twice`);
    }
    given.add(named);
    placement[named] = requireName(`placement ${named}`, values.join('='), WORDS[named]);
  }
  // All words were checked.
  return Object.freeze(placement) as Placement;
}

/**
 * Checks a placement that a program gives.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the class, the value and the choices.
 */
export function requirePlacement(placement: Placement): Placement {
  for (const each of CLASSES) requireName(`placement ${each}`, placement[each], WORDS[each]);
  return placement;
}

function requireName(what: string, value: string, names: readonly string[]): string {
  if (names.includes(value)) return value;
  throw new RenderError('REQUEST_INVALID', `${what}: '${value}' is not one of ${names.join(', ')}`);
}

/** Whether a class is not in all memories, so that chiplets access each other's. */
export function isShared(placement: Placement): boolean {
  return CLASSES.some((each) => placement[each] !== DEFAULT_PLACEMENT[each]);
}

/** Returns the placement if a GPU of that many chiplets has shared memories; otherwise null. */
export function sharedPlacement(
  placement: Placement | undefined,
  chipletCount: number,
): Placement | null {
  return placement !== undefined && chipletCount > 1 && isShared(placement) ? placement : null;
}
