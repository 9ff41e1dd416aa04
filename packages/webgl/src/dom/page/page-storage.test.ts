import { expect, it } from 'vitest';
import { createWindow } from './window.ts';

it('stores texts by name, also as properties, for one page', () => {
  const open = () => createWindow({ createContext: () => null }).localStorage as Storage;
  const storage = open();
  expect([storage.length, storage.getItem('volume'), storage.key(0)]).toEqual([0, null, null]);
  storage.setItem('volume', 7 as never);
  storage.theme = 'dark';
  expect([storage.volume, storage.getItem('theme'), storage.key(1)]).toEqual([
    '7',
    'dark',
    'theme',
  ]);
  expect(Object.keys(storage)).toEqual(['volume', 'theme']);
  expect(open().length).toBe(0);
  delete storage.volume;
  storage.removeItem('theme');
  expect('volume' in storage).toBe(false);
  storage.setItem('length', 'a');
  storage.clear();
  expect(storage.length).toBe(0);
});
