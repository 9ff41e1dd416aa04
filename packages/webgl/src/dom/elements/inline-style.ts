/**
 * `element.style`: the inline style of an element (CSSOM, section 6.6). Its declarations are
 * properties of the object, with names in camel case. Values are kept as written.
 */

const DECLARATION = /([\w-]+)\s*:\s*((?:[^;("']|\([^)]*\)|"[^"]*"|'[^']*')+)/g;

/** Inline style of one element. */
export class InlineStyle {
  [property: string]: unknown;

  /** Sets a property, or removes it if the value is empty. */
  setProperty(name: string, value: unknown): void {
    const text = String(value ?? '').trim();
    if (text === '') this.removeProperty(name);
    else this[propertyOf(name)] = text;
  }

  getPropertyValue(name: string): string {
    const property = propertyOf(name);
    return Object.hasOwn(this, property) ? String(this[property]) : '';
  }

  /** Returns the value that the property had. */
  removeProperty(name: string): string {
    const value = this.getPropertyValue(name);
    delete this[propertyOf(name)];
    return value;
  }

  get cssText(): string {
    return Object.entries(this)
      .map(([property, value]) => `${nameOf(property)}: ${String(value)};`)
      .join(' ');
  }

  set cssText(text: string) {
    for (const property of Object.keys(this)) delete this[property];
    for (const [, name, value] of String(text).matchAll(DECLARATION)) {
      this.setProperty(name!, value!.replace(/\s*!\s*important\s*$/i, ''));
    }
  }
}

/** Returns `marginLeft` for `margin-left`. Custom properties such as `--width` keep their names. */
function propertyOf(name: string): string {
  if (name.startsWith('--')) return name;
  return name.toLowerCase().replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function nameOf(property: string): string {
  if (property.startsWith('--')) return property;
  return property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
