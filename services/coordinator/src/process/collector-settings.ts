/**
 * How V8's collector counts the bytes of a frame. Bodies, messages, pictures lie outside of the heap in buffers that live for
 * a frame; the heap beside them is small and stays as it is. By default 64 MB of such buffers, dead or not, bring about a full
 * collection, every second or third frame, which marks the whole heap: more CPU time than the rest of the coordinator
 * takes, in steps of tens of milliseconds. So these bytes count as part of the heap's size, which may be a multiple of what
 * the last full collection left; collections of young objects, which are cheap, free the buffers meanwhile.
 */
import { setFlagsFromString } from 'node:v8';

const SETTINGS = [
  '--external-memory-accounted-in-global-limit',
  // Between two full collections, of what the last one left: bytes outside of the heap, and in it (in percent more).
  '--external-memory-max-growing-factor=4',
  '--heap-growing-percent=300',
] as const;

/** To be called when the process starts: what is collected later goes by it. */
export function applyCollectorSettings(): void {
  for (const setting of SETTINGS) setFlagsFromString(setting);
}
