/** Services that a page and its workers need: files, contexts, pending work. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CreateCanvasContext } from '../canvas/canvas-surface.ts';
import type { PendingWork } from './pending-work.ts';

/** Services of the global scope of a page or worker. */
export interface ScopeServices {
  /** Address of the page, or of the worker's script. Relative addresses start from it. */
  readonly address: URL;
  readonly pending: PendingWork;
  readonly createContext: CreateCanvasContext;
  /** Returns the bytes at an address. */
  readonly fetchBytes: (address: string) => Promise<Uint8Array>;
  /** Returns the bytes at an address while the program waits. */
  readonly readBytes: (address: string) => Uint8Array;
}

/** Address of a page in the working directory. */
export function defaultPageAddress(): URL {
  return pathToFileURL(resolve('page.html'));
}

/** Reads data addresses and files, and fetches network addresses. */
export async function fetchBytes(address: string): Promise<Uint8Array> {
  if (/^(data|https?|blob):/.test(address)) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
  return readFile(pathOf(address));
}

/**
 * Reads data addresses and files.
 *
 * @throws {Error} For a network address, which cannot be read while the program waits.
 */
export function readBytes(address: string): Uint8Array {
  if (address.startsWith('data:')) return decodeDataAddress(address);
  if (/^(https?|blob):/.test(address)) {
    throw new Error(`${address}: a page can read only files and data addresses synchronously`);
  }
  return readFileSync(pathOf(address));
}

/** Decodes a data address (RFC 2397). */
export function decodeDataAddress(address: string): Uint8Array {
  const comma = address.indexOf(',');
  const content = decodeURIComponent(address.slice(comma + 1));
  return Buffer.from(content, address.slice(0, comma).endsWith(';base64') ? 'base64' : 'utf8');
}

function pathOf(address: string): string {
  return address.startsWith('file:') ? fileURLToPath(address) : address;
}
