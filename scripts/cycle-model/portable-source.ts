/**
 * What AssemblyScript does not read of the files of the cycle model, in words that it does: they are TypeScript first.
 * Line by line nothing moves, so that its errors name the right places.
 */
export function portableSource(text: string): string {
  return (
    text
      // 1. Number types are built in. Imports of other types are imports.
      .replace(/^import type \{[^}]*\} from '[^']*\/number-types\.ts';$/gm, '')
      .replace(/^import type /gm, 'import ')
      .replace(/^import \{[^}]*\}/gm, (names) => names.replace(/\btype /g, ''))
      // 2. Elements of arrays are there.
      .replace(/\]!/g, ']')
      // 3. Arrays are not read-only.
      .replace(/\breadonly (?=\w+\[\])/g, '')
      // 4. Tables of integers are namespaces.
      .replace(
        /^export const (\w+) = \{([^}]*)\} as const;$/gm,
        (_, name: string, body: string) => {
          const lines = body
            .replace(/\/\*\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
            .replace(
              /(\w+): ([^,\n]+?) ?(,|\n|$)/g,
              (_line, key: string, value: string, end: string) =>
                `export const ${key}: i32 = ${value};${end === '\n' ? '\n' : ''}`,
            );
          return `export namespace ${name} {${lines}}`;
        },
      )
  );
}
