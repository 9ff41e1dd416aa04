import { RenderError } from '@tessera/frame';
import { afterEach, describe, expect, it } from 'vitest';
import { SpecStore } from '../specs/spec-store.ts';
import { StudyStore } from '../studies/study-store.ts';
import { openTestStore, removeTestStores } from '../testing/temporary-data-folder.ts';
import { readStored } from './stored-row.ts';

afterEach(removeTestStores);

/** Expects an error that names the row and the remedy. */
function expectDamage(read: () => unknown, place: string): void {
  expect(read).toThrow(
    expect.objectContaining({
      name: 'DatabaseError',
      message: expect.stringMatching(new RegExp(`${place}.*damaged.*backup`)),
    }),
  );
}

describe('a damaged row', () => {
  it('of a frame is reported as damage of the journal', () => {
    const { database, store } = openTestStore();
    database.run(
      `INSERT INTO frames (id, submitted_ms, finished_ms, status, model, policy, options, source, warnings,
         bins_done, bin_count, report_bytes, tags) VALUES ('f', 0, 0, 'done', '', '', '{}', '{}', '[]', 0, 0, 0, 'no JSON')`,
    );
    expectDamage(() => store.get('f'), 'frames, f');
    database.run(`UPDATE frames SET tags = '[]', result = '{'`);
    expectDamage(() => store.outcome('f'), 'frames, f');
    database.run(`UPDATE frames SET submitted_ms = 9223372036854775807`);
    expectDamage(() => store.get('f'), 'tessera.db|journal');
  });

  it('of a study, its rows and a specification too', () => {
    const opened = openTestStore();
    const { database } = opened;
    const studies = new StudyStore(opened);
    database.run(
      `INSERT INTO studies (id, submitted_ms, status, request) VALUES ('s', 0, 'running', '{')`,
    );
    database.run(`INSERT INTO study_measurements VALUES ('s', 9223372036854775807, 1, '[')`);
    database.run(`INSERT INTO specs VALUES ('mine', '{')`);
    for (const read of [
      () => studies.get('s'),
      () => studies.subjects('s'),
      () => studies.unfinished(),
      () => studies.positions('s'),
      () => new SpecStore(database).list(),
    ]) {
      expectDamage(read, '');
    }
  });

  it('does not hide errors of requests', () => {
    const refusal = new RenderError('NOT_FOUND', 'no such frame');
    const refuse = () => {
      throw refusal;
    };
    expect(() => readStored('frames, f', refuse)).toThrow(refusal);
  });
});
