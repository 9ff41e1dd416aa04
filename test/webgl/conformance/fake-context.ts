/** Context that does nothing, for tests of the runner. */
export function createContext(width: number, height: number, attributes: object): object {
  return {
    drawingBufferWidth: width,
    drawingBufferHeight: height,
    getContextAttributes: () => ({ ...attributes, antialias: false }),
    getExtension: (name: string) => (name === 'EXT_there' ? {} : null),
    resize: () => {},
  };
}
