/**
 * `element.style`: the inline style of an element (CSSOM, section 6.6). Properties have their names
 * as in style sheets and in camel case, and are empty if they are not declared. Values are kept as
 * written.
 */

const DECLARATION = /([\w-]+)\s*:\s*((?:[^;("']|\([^)]*\)|"[^"]*"|'[^']*')+)/g;
/** Names of properties that only other browsers have, which libraries test for. */
const OF_VENDOR = /^-?(webkit|moz|ms|o(?=[A-Z-]))/i;

/** Methods of an inline style. */
interface StyleMethods {
  cssText: string;
  /** Sets a property, or removes it if the value is empty. */
  setProperty(name: string, value: unknown): void;
  getPropertyValue(name: string): string;
  /** Returns the value that the property had. */
  removeProperty(name: string): string;
}

/** Inline style of one element. */
export type InlineStyle = StyleMethods & { [property: string]: unknown };

/** Creates the inline style of an element, without declarations. */
export function createInlineStyle(): InlineStyle {
  const declarations = new Declarations();
  return new Proxy(declarations, {
    get: (target, name) => {
      if (typeof name === 'symbol' || name in target) return Reflect.get(target, name);
      const value = target.getPropertyValue(nameOf(name));
      return value === '' && OF_VENDOR.test(name) ? undefined : value;
    },
    set: (target, name, value) => {
      if (typeof name === 'symbol' || name in target) return Reflect.set(target, name, value);
      target.setProperty(nameOf(name), value);
      return true;
    },
  }) as unknown as InlineStyle;
}

/** Declarations by the names that they have in style sheets. */
class Declarations implements StyleMethods {
  readonly #values = new Map<string, string>();

  readonly setProperty = (name: string, value: unknown): void => {
    const text = String(value ?? '').trim();
    if (text === '') this.removeProperty(name);
    else this.#values.set(lower(name), text);
  };

  readonly getPropertyValue = (name: string): string => this.#values.get(lower(name)) ?? '';

  readonly removeProperty = (name: string): string => {
    const value = this.getPropertyValue(name);
    this.#values.delete(lower(name));
    return value;
  };

  get cssText(): string {
    return [...this.#values].map(([name, value]) => `${name}: ${value};`).join(' ');
  }

  set cssText(text: string) {
    this.#values.clear();
    for (const [, name, value] of String(text).matchAll(DECLARATION)) {
      this.setProperty(name!, value!.replace(/\s*!\s*important\s*$/i, ''));
    }
  }
}

/** Names are not case-sensitive, except those of custom properties. */
function lower(name: string): string {
  return name.startsWith('--') ? name : name.toLowerCase();
}

/** Returns `margin-left` for `marginLeft`. */
function nameOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
