/** Writes the bill of materials to standard output: `npm run -s sbom > tessera.cdx.json`. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeBillOfMaterials, type ProjectManifest } from './bill-of-materials.ts';
import { readLockedPackages } from './locked-packages.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const project = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as ProjectManifest;
console.log(JSON.stringify(makeBillOfMaterials(project, readLockedPackages(ROOT)), null, 2));
