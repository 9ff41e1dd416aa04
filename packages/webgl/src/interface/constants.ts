/** WebGL's constants by name, and names by value for messages. */
import { WEBGL_CONSTANTS, WEBGL2_CONSTANTS } from './webgl-interface.ts';

/** Constants of both versions together. */
export const GL = { ...WEBGL_CONSTANTS, ...WEBGL2_CONSTANTS } as const;

const NAME_BY_VALUE = new Map<number, string>(
  Object.entries(GL)
    .map(([name, value]): [number, string] => [value, name])
    .reverse(),
);

/** The name of an enumeration, or the number itself. */
export function enumName(value: number): string {
  return NAME_BY_VALUE.get(value) ?? `0x${(value >>> 0).toString(16)}`;
}
