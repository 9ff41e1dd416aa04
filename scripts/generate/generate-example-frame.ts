/**
 * Writes the example frame of three.js (scripts/launch/examples), from the program of the package
 * webgl that draws it: its first frame as a native frame.
 */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createContext } from '@tessera/webgl';
import { installWindow } from '@tessera/webgl/dom';
import { encodeNativeFrame } from '@tessera/wire/native-frame';
import { CORE } from '../../packages/webgl/src/context/call-table.ts';
import { dropReplacedContents } from '../../packages/webgl/src/frames/drop-replaced-contents.ts';
import { THREE_FRAME_FILE } from '../launch/examples/examples.ts';

const SIZE = { width: 960, height: 540 };

/** Returns the frame as MessagePack. */
export async function recordExampleFrame(): Promise<Uint8Array> {
  const removeWindow = installWindow();
  try {
    const canvas = Object.assign(document.createElement('canvas'), SIZE);
    // @ts-expect-error: the programs of web pages have no types.
    const program = await import('../../packages/webgl/examples/three-phong.mjs');
    const { main, contextAttributes } = program;
    const options = { createWebGL2Context: true, ...contextAttributes } as const;
    const gl = createContext(SIZE.width, SIZE.height, options);
    const draw = main({ canvas, gl }) as (frameIndex: number) => void;
    draw(0);
    const { frames } = (gl as unknown as CoreHolder)[CORE].gl;
    return encodeNativeFrame(dropReplacedContents(frames.take()));
  } finally {
    removeWindow();
  }
}

/** Context with its state, which its public type hides. */
interface CoreHolder {
  readonly [CORE]: {
    readonly gl: { readonly frames: { take(): Parameters<typeof dropReplacedContents>[0] } };
  };
}

if (import.meta.main) {
  writeFileSync(THREE_FRAME_FILE, gzipSync(await recordExampleFrame(), { level: 9 }));
}
