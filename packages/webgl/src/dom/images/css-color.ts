/**
 * CSS colors that canvases accept: `#rgb`, `#rrggbb`, both with alpha, `rgb()`, `rgba()` and basic
 * names.
 */

/** Red, green, blue and alpha, 0 to 255, with straight alpha. */
export type CssColor = readonly [number, number, number, number];

/** The 16 color names of HTML 4, and further names that WebGL programs use. */
const HEX_BY_NAME: Readonly<Record<string, string>> = {
  aqua: '#00ffff',
  black: '#000000',
  blue: '#0000ff',
  brown: '#a52a2a',
  crimson: '#dc143c',
  cyan: '#00ffff',
  fuchsia: '#ff00ff',
  gold: '#ffd700',
  gray: '#808080',
  green: '#008000',
  grey: '#808080',
  indigo: '#4b0082',
  lime: '#00ff00',
  magenta: '#ff00ff',
  maroon: '#800000',
  navy: '#000080',
  olive: '#808000',
  orange: '#ffa500',
  pink: '#ffc0cb',
  purple: '#800080',
  red: '#ff0000',
  silver: '#c0c0c0',
  skyblue: '#87ceeb',
  teal: '#008080',
  tomato: '#ff6347',
  transparent: '#00000000',
  white: '#ffffff',
  yellow: '#ffff00',
};

/** Parses a CSS color. Returns `null` for unknown colors, which a canvas ignores. */
export function parseCssColor(text: string): CssColor | null {
  const lower = text.trim().toLowerCase();
  const hex = HEX_BY_NAME[lower] ?? lower;
  if (hex.startsWith('#')) return parseHex(hex.slice(1));
  const call = /^rgba?\(([^)]*)\)$/.exec(lower);
  return call === null ? null : parseChannels(call[1]!.split(/[\s,/]+/).filter(Boolean));
}

function parseHex(digits: string): CssColor | null {
  if (!/^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return null;
  const isShort = digits.length < 6;
  const channel = (index: number): number => {
    const pair = isShort ? digits.charAt(index).repeat(2) : digits.slice(index * 2, index * 2 + 2);
    return pair === '' ? 255 : Number.parseInt(pair, 16);
  };
  return [channel(0), channel(1), channel(2), channel(3)];
}

function parseChannels(parts: readonly string[]): CssColor | null {
  if (parts.length !== 3 && parts.length !== 4) return null;
  const amount = (part: string, whole: number): number => {
    const value = part.endsWith('%') ? (Number(part.slice(0, -1)) / 100) * whole : Number(part);
    return Math.min(Math.max(value, 0), whole);
  };
  const alpha = amount(parts[3] ?? '1', 1);
  const channels = parts.slice(0, 3).map((part) => Math.round(amount(part, 255)));
  if (channels.some(Number.isNaN) || Number.isNaN(alpha)) return null;
  return [channels[0]!, channels[1]!, channels[2]!, Math.round(alpha * 255)];
}
