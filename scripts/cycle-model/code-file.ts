/** The compiled cycle model as a TypeScript file, because the simulated chip reads no files. */

/** Path of the file, relative to the repository. */
export const CODE_FILE = 'packages/chip/src/compiled/cycle-model-code.ts';

const LINE_CHARACTERS = 96;

/** Returns the text of the file for a compiled module. */
export function codeFile(binary: Uint8Array): string {
  const base64 = Buffer.from(binary).toString('base64');
  const lines = base64.match(new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g')) ?? [];
  return `/**
 * Generated from the cycle model by \`npm run cycle-model:build\`. Do not edit. Long because it is
 * compiled code.
 */

/** Returns the cycle model as a module of WebAssembly. */
export function cycleModelCode(): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(CODE);
}

const CODE = \`
${lines.join('\n')}
\`;
`;
}
