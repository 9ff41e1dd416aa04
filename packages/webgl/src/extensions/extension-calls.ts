/** What extensions a context has (WebGL 1.0, section 5.14.14). */
import { CORE, type ContextObject } from '../context/call-table.ts';

export const extensionCalls = {
  getSupportedExtensions(this: ContextObject): string[] {
    return this[CORE].extensions.supported();
  },
  getExtension(this: ContextObject, name: string): object | null {
    return this[CORE].extensions.get(String(name));
  },
};
