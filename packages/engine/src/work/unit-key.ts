/** Names of units: the hash of their canonical form. */
import { createHash } from 'node:crypto';

/**
 * Returns JSON with the keys of all objects in order, without undefined members. Equal values have
 * equal texts (RFC 8785, without its rules for numbers, which `JSON.stringify` follows already).
 *
 * @throws {TypeError} For a value that JSON does not have, such as NaN.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') {
    return JSON.stringify(value);
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical form`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object') throw new TypeError(`${typeof value} has no canonical form`);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

/** Returns the name of a unit: the SHA-256 of its canonical form, in hexadecimal. */
export function unitKeyOf(unit: object): string {
  return createHash('sha256').update(canonicalJson(unit)).digest('hex');
}
