/** The compiled cycle model as a file of TypeScript: the simulated chip reads no files. */

export const CODE_FILE = 'packages/chip/src/compiled/cycle-model-code.ts';

const LINE_CHARACTERS = 96;

export function codeFile(binary: Uint8Array): string {
  const base64 = Buffer.from(binary).toString('base64');
  const lines = base64.match(new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g')) ?? [];
  return `/** Made by \`npm run cycle-model:build\` from chip.ts and what it imports; do not edit. Long because it is code. */

/** The cycle model as a module of WebAssembly. */
export function cycleModelCode(): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(CODE);
}

const CODE = \`
${lines.join('\n')}
\`;
`;
}
