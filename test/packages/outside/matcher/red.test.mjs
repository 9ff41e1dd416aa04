import { createContext } from '@tessera-gpu/webgl';
import '@tessera-gpu/webgl/vitest';
import { expect, it } from 'vitest';

it('draws red', async () => {
  const gl = createContext(16, 16);
  gl.clearColor(Number(process.env.RED), 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  await expect(gl.frame()).toMatchImage('images/red.png', { maxOver8: '1%' });
});
