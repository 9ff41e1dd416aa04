/**
 * Generates the reference images: each scene is written as a capture and replayed by apitrace on
 * Mesa's two software renderers. Requires Debian's packages apitrace and xvfb.
 *
 *     node test/conformance/opengl/make-references.ts [scene …]
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCENES } from './scenes.ts';
import { SCENE_FRAME } from './writer/scene-writer.ts';

const RENDERERS = ['softpipe', 'llvmpipe'];
const FOLDER = join(import.meta.dirname, 'references');
const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
for (const { name, capture } of SCENES) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const work = mkdtempSync(join(tmpdir(), 'opengl-reference-'));
  const path = join(work, 'scene.trace');
  writeFileSync(path, capture());
  for (const renderer of RENDERERS)
    copyFileSync(replay(path, work, renderer), pathOf(name, renderer));
  rmSync(work, { recursive: true });
  console.log(name);
}

function pathOf(name: string, renderer: string): string {
  return join(FOLDER, `${name}-${renderer}.png`);
}

/** Returns the path of the image of the scene's frame. */
function replay(path: string, work: string, renderer: string): string {
  const output = execFileSync(
    'xvfb-run',
    ['-a', 'apitrace', 'replay', '-s', join(work, `${renderer}-`), path],
    {
      env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: '1', GALLIUM_DRIVER: renderer },
      encoding: 'utf8',
      timeout: 60_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const images = readdirSync(work).filter(
    (file) => file.startsWith(renderer) && file.endsWith('.png'),
  );
  const image = images.sort()[SCENE_FRAME];
  if (image === undefined) throw new Error(`${path}: ${images.length} images\n${output}`);
  return join(work, image);
}
