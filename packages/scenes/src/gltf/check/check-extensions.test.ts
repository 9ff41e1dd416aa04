import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { METADATA_EXTENSIONS, SUPPORTED_EXTENSIONS } from './check-extensions.ts';

const PAGE = resolve(import.meta.dirname, '../../../../../docs/gltf-models.md');

describe('docs/gltf-models.md', () => {
  it('lists the extensions that the importer accepts', () => {
    const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `((?:EXT|KHR)_\w+)` \|/gm);
    expect([...rows].map(([, name]) => name)).toEqual(
      [...SUPPORTED_EXTENSIONS, ...METADATA_EXTENSIONS].sort(),
    );
  });
});
