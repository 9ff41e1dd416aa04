import { afterEach, describe, expect, it } from 'vitest';
import { openTestStore, removeTestStores } from '../testing/temporary-data-folder.ts';
import { StudyStore } from './study-store.ts';

afterEach(removeTestStores);

describe('StudyStore', () => {
  it('reads studies of version 0.1 with the axes and names of this version', () => {
    const opened = openTestStore();
    const studies = new StudyStore(opened);
    const request = {
      title: 'old',
      frames: ['a', 'b'],
      chiplets: [1, 2],
      policies: ['static'],
      specs: ['loongson'],
      bins: [8, 16],
      visibility: ['minimal'],
    };
    opened.database.run(
      `INSERT INTO studies (id, submitted_ms, status, request) VALUES ('old', 0, 'done', ?)`,
      JSON.stringify({ request, subjects: [] }),
    );
    const row = { frame: 'a', model: 'box', cycles: 5, speedup: 1.5 };
    opened.database.run(
      `INSERT INTO study_measurements VALUES ('old', 0, 1, ?)`,
      JSON.stringify([row]),
    );
    const study = studies.get('old')!;
    expect(study.pointCount).toBe(4);
    expect(study.request).toMatchObject({
      linkTopologies: ['bus'],
      linkBytesPerCycle: [256],
      linkLatencyCycles: [32],
      bases: [{ name: 'loongson' }],
      counters: [],
    });
    const upgraded = { frame: 'a', scene: 'box', cycles: 5, speedUp: 1.5, coupling: 'none' };
    expect([...studies.rowsByPoint('old')]).toEqual([[upgraded]]);
    expect([...studies.rowsJson('old')].map((json) => JSON.parse(json))).toEqual([[upgraded]]);
  });
});
