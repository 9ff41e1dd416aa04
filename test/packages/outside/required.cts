import webgl = require('@tessera-gpu/webgl');

import type { TesseraContext } from '@tessera-gpu/webgl' with { 'resolution-mode': 'import' };

export const context: TesseraContext = webgl.createContext(4, 4);
export const called: TesseraContext = webgl(4, 4);
