import type { StudyRow } from '@tessera/study';
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
    expect([study.pointCount, study.pointsDone, study.measuredMs]).toEqual([4, 1, 1]);
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
    expect(studies.rowsOfPoints('old', 0, 1)).toEqual([{ position: 0, rows: [upgraded] }]);
  });

  it('counts each point once and lists all rows, whatever their number', () => {
    const opened = openTestStore();
    const studies = new StudyStore(opened);
    const request = { frames: ['a'], bases: [], specs: [null], bins: [1], visibility: ['full'] };
    opened.database.run(
      `INSERT INTO studies (id, submitted_ms, status, request) VALUES ('s', 0, 'running', ?)`,
      JSON.stringify({ request, subjects: [] }),
    );
    const rowsOf = (position: number) =>
      Array.from({ length: position % 7 }, (_, i) => ({ cycles: 100 * position + i }) as StudyRow);
    const positions = Array.from({ length: 500 }, (_, i) => i);
    for (const position of positions) studies.keepRows('s', position, 2, rowsOf(position));
    studies.keepRows('s', 3, 99, rowsOf(3));
    const { pointsDone, measuredMs } = studies.get('s')!;
    expect([pointsDone, measuredMs]).toEqual([500, 1000]);
    const lists = [...studies.rowsByPoint('s')];
    expect(lists.flat()).toEqual(positions.flatMap(rowsOf));
    expect(lists.length).toBeLessThan(10);
    expect(studies.rowsOfPoints('s', 4, 7).map(({ position }) => position)).toEqual([4, 5, 6]);
  });

  it('gives a reader an error instead of fewer rows if the study is deleted meanwhile', () => {
    const opened = openTestStore();
    const studies = new StudyStore(opened);
    const request = { frames: ['a'], bases: [], specs: [null], bins: [1], visibility: ['full'] };
    opened.database.run(
      `INSERT INTO studies (id, submitted_ms, status, request) VALUES ('s', 0, 'done', ?)`,
      JSON.stringify({ request, subjects: [] }),
    );
    for (const position of [0, 1, 2]) {
      studies.keepRows('s', position, 1, [{ cycles: position } as StudyRow]);
    }
    const lists = studies.rowsByPoint('s');
    expect(lists.next().value).toEqual([{ cycles: 0 }]);
    studies.delete('s');
    expect(() => [...lists]).toThrow('study s was deleted');
    expect(() => [...studies.rowsJson('s')]).toThrow('study s was deleted');
    expect(() => studies.rowsOfPoints('s', 0, 1)).toThrow('study s was deleted');
  });
});
