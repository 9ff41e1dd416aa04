/**
 * Replays named strings that shaders include (ARB_shading_language_include). The inclusion is
 * textual, so a shader is compiled with the strings in place of the directives.
 */

import type { CapturedCall } from '../format/capture-reader.ts';
import { failCall, numberOf, numbersOf, stringOf, toNumber } from './call-arguments.ts';
import type { CallReplay, RecordedContext } from './recorded-names.ts';

const INCLUDE = /^([ \t]*#[ \t]*include[ \t]+)(?:"([^"\n]*)"|<([^>\n]*)>)[ \t]*(?:\/\/.*)?$/gm;
const EXTENSION = /^[ \t]*#[ \t]*extension[ \t]+GL_ARB_shading_language_include\b.*$/gm;
/** Maximum nesting of inclusions. */
const MAX_NESTING = 16;
/** Upper bound on the expanded source, because nested inclusions multiply. */
const MAX_SOURCE_LENGTH = 1 << 22;

/** Named strings and the sources that include some, by recorded name. */
export class IncludedStrings {
  readonly strings = new Map<string, string>();
  readonly sources = new Map<number, string>();

  /**
   * Returns a source with the strings that it includes.
   *
   * @param searchPaths Folders of paths that do not start with a slash.
   */
  expand(
    source: string,
    searchPaths: readonly string[],
    folder: string | null = null,
    nesting = 0,
  ): string {
    const plain = source.replaceAll(EXTENSION, '');
    return plain.replaceAll(INCLUDE, (directive, _start, quoted?: string, angled?: string) => {
      const path = quoted ?? angled ?? '';
      // Only quotes search the folder of the including string first.
      const isBeside = quoted !== undefined && folder !== null;
      const folders = isBeside ? [folder, ...searchPaths] : searchPaths;
      const candidates = path.startsWith('/') ? [''] : folders.map((each) => `${each}/`);
      const found = candidates.map((each) => normalize(`${each}${path}`));
      const name = found.find((each) => this.strings.has(each));
      // What is left does not compile, unless a conditional excludes it.
      if (name === undefined || nesting >= MAX_NESTING) return directive;
      const inside = name.slice(0, name.lastIndexOf('/'));
      const text = this.expand(this.strings.get(name)!, searchPaths, inside, nesting + 1);
      return text.length > MAX_SOURCE_LENGTH ? directive : text;
    });
  }
}

/** Removes `.`, `..` and repeated or final slashes from a path. */
export function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Returns a string argument, cut at its length unless that is negative. */
function cutString(call: CapturedCall, name: string, length: string): string {
  const count = numberOf(call, length);
  const text = stringOf(call, name);
  return count < 0 ? text : text.slice(0, count);
}

/** Replaces the source of a shader that includes strings before it is compiled. */
export function includeStrings(
  { gl, shared }: RecordedContext,
  call: CapturedCall,
  searchPaths: readonly string[],
): void {
  const recorded = numberOf(call, 'shader');
  const source = shared.includes.sources.get(recorded);
  if (source === undefined) return;
  gl.shaders.setSource(shared.programs.get(recorded), shared.includes.expand(source, searchPaths));
}

/** Replay functions of named strings, by function name. */
export const INCLUDE_CALLS: Readonly<Record<string, CallReplay>> = {
  glNamedStringARB: ({ shared }, call) =>
    shared.includes.strings.set(
      normalize(cutString(call, 'name', 'namelen')),
      cutString(call, 'string', 'stringlen'),
    ),
  glDeleteNamedStringARB: ({ shared }, call) => {
    shared.includes.strings.delete(normalize(cutString(call, 'name', 'namelen')));
  },
  glCompileShaderIncludeARB: (context, call) => {
    const { path } = call.args;
    const paths = Array.isArray(path) ? path : [path];
    const count = numberOf(call, 'count');
    const lengths = toNumber(call.args.length) === 0 ? [] : numbersOf(call, 'length');
    const searchPaths = paths.slice(0, count).map((each: unknown, i) => {
      if (typeof each !== 'string') return failCall(call, 'a path is not a string');
      const length = lengths[i] ?? -1;
      return length < 0 ? each : each.slice(0, length);
    });
    includeStrings(context, call, searchPaths);
    context.gl.shaders.compile(context.shared.programs.get(numberOf(call, 'shader')));
  },
};
