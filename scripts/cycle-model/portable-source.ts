/**
 * Rewrites a file of the cycle model, which is TypeScript first, for AssemblyScript. Every line
 * keeps its number, so that the compiler's errors name the right lines.
 */
export function portableSource(text: string): string {
  return (
    text
      // 1. Number types are built in. Type imports become ordinary imports.
      .replace(/^import type \{[^}]*\} from '[^']*\/number-types\.ts';$/gm, '')
      .replace(/^import type /gm, 'import ')
      .replace(/^import \{[^}]*\}/gm, (names) => names.replace(/\btype /g, ''))
      // 2. AssemblyScript does not need assertions that elements exist.
      .replace(/\]!/g, ']')
      // 3. AssemblyScript has no read-only arrays.
      .replace(/\breadonly (?=\w+\[\])/g, '')
      // 4. An array of fixed length is reached with one load less than a view of a buffer.
      .replace(/\bInt32Array\b/g, 'StaticArray<i32>')
      .replace(/\bUint16Array\b/g, 'StaticArray<u16>')
      .replace(/\bUint8Array\b/g, 'StaticArray<u8>')
      .replace(/\bFloat64Array\b/g, 'StaticArray<f64>')
      // 5. Options of constructors become classes, which object literals create.
      .replace(
        /^(export )?interface (?=\w+Options \{)/gm,
        (_, exported = '') => `${exported}class `,
      )
      // 6. Tables of integers become namespaces.
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
