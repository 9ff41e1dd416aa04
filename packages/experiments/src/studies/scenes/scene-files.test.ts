import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listScenes, nameScenes } from './scene-files.ts';

const FILES = [
  'models/Box/glTF/Box.gltf',
  'models/Box/glTF-Binary/Box.glb',
  'models/Duck/glTF-Binary/Duck.glb',
  'captures/buffer/trace.trace',
  'captures/buffer/es2/trace.trace',
  'captures/buffer/200x150/trace.trace',
  'captures/bump/es2/trace.trace',
  'captures/terrain/trace.trace',
  'caps/edge.trace',
  'caps/jelly.trace',
  'caps/trace.trace',
];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-scenes-'));
  for (const file of FILES) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), '');
  }
});

afterAll(() => rm(folder, { recursive: true }));

async function namesOf(paths: readonly string[], generated: readonly string[] = []) {
  const named = await nameScenes(
    paths.map((path) => join(folder, path)),
    generated,
  );
  return [...named.generated, ...named.files.map(({ name }) => name)];
}

describe('names of scenes', () => {
  it('are those of models, and of the folders of captures with size and API', async () => {
    expect(await namesOf(['models/Duck', 'captures'])).toEqual([
      'Duck',
      'buffer 200x150',
      'buffer es2',
      'buffer',
      'bump es2',
      'terrain',
    ]);
  });

  it('distinguish captures of one folder', async () => {
    expect(await namesOf(['caps'])).toEqual(['edge', 'jelly', 'caps']);
  });

  it('contain the end of the path that distinguishes two files', async () => {
    expect(await namesOf(['models/Box'])).toEqual([
      'Box (glTF-Binary/Box.glb)',
      'Box (glTF/Box.gltf)',
    ]);
    expect(await namesOf(['captures/buffer/trace.trace'], ['buffer'])).toEqual([
      'buffer (generated)',
      'buffer (buffer/trace.trace)',
    ]);
  });

  it('are unique over everything that is listed, generated scenes included', async () => {
    const names = await namesOf(['models', 'captures', 'caps'], ['cube', 'terrain']);
    expect(names).toHaveLength(FILES.length + 2);
    expect(new Set(names).size).toBe(names.length);
    expect(names.slice(0, 2)).toEqual(['cube', 'terrain (generated)']);
  });

  it('are rejected for a file that is listed twice, and for a path with nothing', async () => {
    const box = join(folder, 'models/Box/glTF/Box.gltf');
    await expect(listScenes([box, join(folder, 'models')])).rejects.toThrow(
      /Box\.gltf: listed twice/,
    );
    await expect(listScenes([join(folder, 'none')])).rejects.toThrow(/none: cannot be read/);
  });
});
