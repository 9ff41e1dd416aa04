/** Global names of a page or worker. */

/** Defines properties. Returns a function that restores the previous ones. */
export function defineNames(target: object, names: object): () => void {
  const before = new Map<string, PropertyDescriptor | undefined>();
  for (const [name, value] of Object.entries(names)) {
    before.set(name, Object.getOwnPropertyDescriptor(target, name));
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, descriptor);
    }
  };
}

/** Creates `navigator`. */
export function makeNavigator(): object {
  return {
    userAgent: 'Tessera',
    platform: 'Tessera',
    appVersion: 'Tessera',
    language: 'en',
    languages: ['en'],
    hardwareConcurrency: 1,
    maxTouchPoints: 0,
    onLine: true,
  };
}
