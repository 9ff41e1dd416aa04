/** Undamaged forms, and the words of their heads. */
import { splitWords } from '../mutate/mutate-words.ts';

const TYPE = 'multipart/form-data; boundary=b\n';
const part = (name: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n` +
  `Content-Type: application/octet-stream\r\n\r\n${content}\r\n`;
const form = (...parts: readonly string[]) => `${TYPE}${parts.join('')}--b--\r\n`;

/** Content types with bodies. */
export const FORM_SEEDS: readonly string[] = [
  form(part('model.gltf', '{}'), part('model.bin', '1234')),
  form(part('folder\\model.gltf', '{}'), part('folder/a.png', ''), part('./b.png', 'x')),
  form(part('frame.msgpack', 'x')),
  form(part('a.trace', 'x'.repeat(70)), part('b.glb', 'glTF')),
  form('--b\r\nContent-Disposition: form-data; name="field"\r\n\r\n1\r\n'),
  form(part('', 'x')),
  form(part('large.glb', 'x'.repeat(5000))),
  'model/gltf-binary\nglTF',
  'model/gltf-binary; charset=utf-8\n',
  'image/png\nx',
];

const EXTRA = [
  ...[
    '\r\n',
    '\r\n\r\n',
    '--b',
    '--b--',
    'boundary=c',
    'boundary="b"',
    'charset=utf-16',
    "filename*=UTF-8''a.glb",
  ],
  ...[
    '__proto__',
    'constructor',
    'Content-Transfer-Encoding: base64',
    '.glb',
    '.json',
    '../../etc',
    '\0',
    '%00',
  ],
];

/** Words that replace others. */
export const FORM_WORDS: readonly string[] = [
  ...new Set([...EXTRA, ...FORM_SEEDS.flatMap((text) => splitWords(text.slice(0, 400)))]),
];
