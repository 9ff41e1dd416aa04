import webgl = require('@tessera-gpu/webgl');

export const context: webgl.TesseraContext = webgl.createContext(4, 4);
