/** Recorded captures that may lie beside the repository; tests over them are skipped where there are none. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../../../../../../shared/captures');

/** What the captures' own inventory says, as far as tests look at it. */
export interface CaptureInventory {
  readonly total_calls: number;
  readonly functions: Readonly<Record<string, number>>;
  readonly shaders: readonly { readonly id: string; readonly stage: string }[];
  readonly draw_calls: number;
  readonly draw_calls_offscreen: number;
  readonly vertices: number;
  readonly modes: Readonly<Record<string, number>>;
  readonly programs: number;
  readonly vertex_formats: Readonly<Record<string, number>>;
}

/** Names of the captures, such as `build/es2`; empty where there are none. */
export function listCaptures(): string[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('trace.trace'))
    .map((name) => name.slice(0, -'/trace.trace'.length))
    .sort();
}

export function readCapture(name: string): { file: Uint8Array; inventory: CaptureInventory } {
  return {
    file: readFileSync(join(FOLDER, name, 'trace.trace')),
    inventory: JSON.parse(readFileSync(join(FOLDER, name, 'inventory.json'), 'utf8')),
  };
}
