/**
 * `npm run cycle-model:build`: generates the files of the cycle model that its tables determine,
 * compiles the model and writes the module as a file of TypeScript.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CODE_FILE, codeFile } from './code-file.ts';
import { compileCycleModel } from './compile-cycle-model.ts';
import { generateModelFiles } from './generated-files.ts';

const root = resolve(import.meta.dirname, '../..');
for (const [path, text] of generateModelFiles(root)) writeFileSync(resolve(root, path), text);
const binary = await compileCycleModel(root);
writeFileSync(resolve(root, CODE_FILE), codeFile(binary));
console.log(`${CODE_FILE}: ${binary.length} bytes of WebAssembly`);
