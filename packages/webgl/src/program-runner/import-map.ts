/** Import maps (HTML standard, section 8.1.6.2): which module a specifier of a page names. */

type Addresses = Readonly<Record<string, string>>;

/** Import map of a page. All addresses are absolute. */
export class ImportMap {
  /** Addresses by specifier, or by prefix of specifiers if both end with a slash. */
  #imports: Addresses = {};
  /** Addresses for modules below an address, by that address. */
  #scopes: Readonly<Record<string, Addresses>> = {};

  /**
   * Adds an import map. Entries that exist keep their addresses.
   *
   * @param text JSON of the map.
   * @param base Address from which relative addresses start.
   * @throws {SyntaxError} If the text is not JSON.
   * @throws {TypeError} If a part of the map has another type, or an address is not an address.
   */
  add(text: string, base: URL): void {
    const map: unknown = JSON.parse(text);
    const { imports = {}, scopes = {} } = requireObject(map, 'the import map');
    this.#imports = { ...readAddresses(imports, base, 'imports'), ...this.#imports };
    const added = Object.entries(requireObject(scopes, 'scopes')).map(
      ([scope, given]) =>
        [new URL(scope, base).href, readAddresses(given, base, `scopes["${scope}"]`)] as const,
    );
    this.#scopes = { ...Object.fromEntries(added), ...this.#scopes };
  }

  /**
   * Returns the address of a module, or `null` if the specifier is no address and the map does not
   * have it.
   *
   * @param parent Address of the module that imports it.
   */
  resolve(specifier: string, parent: string): URL | null {
    const address = parseAddress(specifier, parent);
    const key = address?.href ?? specifier;
    const scopes = Object.keys(this.#scopes)
      .filter((scope) => scope === parent || (scope.endsWith('/') && parent.startsWith(scope)))
      .sort((a, b) => b.length - a.length);
    for (const addresses of [...scopes.map((scope) => this.#scopes[scope]!), this.#imports]) {
      const found = findAddress(addresses, key);
      if (found !== null) return found;
    }
    return address;
  }
}

/** Returns the address of the specifier itself, or of its longest prefix. */
function findAddress(addresses: Addresses, specifier: string): URL | null {
  if (Object.hasOwn(addresses, specifier)) return new URL(addresses[specifier]!);
  const [prefix] = Object.keys(addresses)
    .filter((key) => key.endsWith('/') && specifier.startsWith(key))
    .sort((a, b) => b.length - a.length);
  if (prefix === undefined) return null;
  return new URL(specifier.slice(prefix.length), addresses[prefix]);
}

/** Returns the address that a specifier is, or `null` for a bare specifier such as `three`. */
function parseAddress(specifier: string, base: string | URL): URL | null {
  if (/^\.{0,2}\//.test(specifier)) return new URL(specifier, base);
  return URL.canParse(specifier) ? new URL(specifier) : null;
}

function readAddresses(value: unknown, base: URL, name: string): Addresses {
  const entries = Object.entries(requireObject(value, name)).map(([key, address]) => {
    const parsed = typeof address === 'string' ? parseAddress(address, base) : null;
    if (parsed === null) {
      const given = JSON.stringify(address);
      throw new TypeError(
        `${name}["${key}"]: ${given} is no address; one starts with /, ./ or ../`,
      );
    }
    if (key.endsWith('/') && !parsed.href.endsWith('/')) {
      throw new TypeError(`${name}["${key}"]: the address must end with a slash, as the key does`);
    }
    return [parseAddress(key, base)?.href ?? key, parsed.href] as const;
  });
  return Object.fromEntries(entries);
}

function requireObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new TypeError(`${name} must be an object`);
}
