/** Lines of a page, for its errors. */
import { showPath } from './program-error.ts';

/** Returns the number of the line at an offset of a text, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Returns a place as errors show it, such as `page.html:12`. */
export function showLine(path: string, line: number): string {
  return `${showPath(path)}:${line}`;
}
