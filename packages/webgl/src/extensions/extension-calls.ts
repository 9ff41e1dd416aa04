/** Calls that list and enable extensions (WebGL 1.0, section 5.14.14). */
import { CORE, type ContextObject } from '../context/call-table.ts';
import { getExtension, listSupportedExtensions } from './get-extension.ts';

/** WebGL calls that list and enable extensions. */
export const extensionCalls = {
  getSupportedExtensions(this: ContextObject): string[] {
    return listSupportedExtensions(this[CORE]);
  },
  getExtension(this: ContextObject, name: string): object | null {
    return getExtension(this[CORE], String(name));
  },
};
