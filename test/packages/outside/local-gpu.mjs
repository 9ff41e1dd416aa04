import { readFile, writeFile } from 'node:fs/promises';
import { encodePng, importGltf, LocalGpu } from '@tessera-gpu/core';

const [model, target] = process.argv.slice(2);
const gpu = new LocalGpu({ chipletCount: 4 });
const size = { widthPx: 160, heightPx: 120 };
const { frame } = await importGltf({ kind: 'glb', bytes: await readFile(model) }, size);
const { image, report } = await gpu.render(frame, { timing: 'cycle' });
await writeFile(target, await encodePng(image));
console.log(report.totals.cycles);
