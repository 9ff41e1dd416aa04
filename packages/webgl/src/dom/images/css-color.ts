/**
 * CSS colors that canvases accept: `#rgb`, `#rrggbb`, both with alpha, `rgb()`, `rgba()`, `hsl()`,
 * `hsla()` and names (CSS Color 4, section 6.1).
 */

/** Red, green, blue and alpha, 0 to 255, with straight alpha. */
export type CssColor = readonly [number, number, number, number];

/** Names with their hexadecimal digits. */
const NAMES = `
aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc
bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a
burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue
6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod
b8860b darkgray a9a9a9 darkgreen 006400 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f
darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f
darkslateblue 483d8b darkslategray 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493
deepskyblue 00bfff dimgray 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0
forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520
gray 808080 green 008000 greenyellow adff2f honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo
4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00
lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow
fafad2 lightgray d3d3d3 lightgreen 90ee90 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa
lightskyblue 87cefa lightslategray 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00
limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue
0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee
mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970
mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6
olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa
palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru
cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000
rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen
2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray
708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8
tomato ff6347 transparent 00000000 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff
whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32`
  .trim()
  .split(/\s+/);

const HEX_BY_NAME: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap((name, i) => (i % 2 === 0 ? [[name, `#${NAMES[i + 1]}`] as const] : [])),
);

/** Parses a CSS color. Returns `null` for unknown colors, which a canvas ignores. */
export function parseCssColor(text: string): CssColor | null {
  const lower = text.trim().toLowerCase();
  // Each gray has two spellings.
  const hex = HEX_BY_NAME.get(lower.replace(/gr[ae]y/, 'gray')) ?? lower;
  if (hex.startsWith('#')) return parseHex(hex.slice(1));
  const call = /^(rgb|hsl)a?\(([^)]*)\)$/.exec(lower);
  if (call === null) return null;
  const parts = call[2]!.split(/[\s,/]+/).filter(Boolean);
  return call[1] === 'rgb' ? parseChannels(parts) : parseHsl(parts);
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

/** Parses hue in degrees or another unit, saturation, lightness and alpha. */
function parseHsl(parts: readonly string[]): CssColor | null {
  const hue = /^([-+]?[\d.]+(?:e[-+]?\d+)?)(deg|rad|turn|grad)?$/.exec(parts[0] ?? '');
  if (hue === null) return null;
  const perTurn = { deg: 360, rad: 2 * Math.PI, turn: 1, grad: 400 }[hue[2] ?? 'deg']!;
  const turn = Number(hue[1]) / perTurn;
  const [saturation, lightness] = [parts[1], parts[2]].map((part) =>
    Math.min(Math.max(Number.parseFloat(part ?? '') / 100, 0), 1),
  ) as [number, number];
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channels = [0, 8, 4].map((shift) => {
    const place = (((shift + turn * 12) % 12) + 12) % 12;
    return 255 * (lightness - chroma * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  });
  return parseChannels([...channels.map(String), ...parts.slice(3)]);
}

/** Returns a color as a canvas shows it to programs (HTML, serialization of a color). */
export function formatCssColor([red, green, blue, alpha]: CssColor): string {
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  if (alpha === 255) return `#${hex(red)}${hex(green)}${hex(blue)}`;
  // The shortest text that has the same alpha.
  const rounded = [2, 3].map((digits) => Number((alpha / 255).toFixed(digits)));
  const shown = rounded.find((each) => Math.round(each * 255) === alpha) ?? rounded[1];
  return `rgba(${red}, ${green}, ${blue}, ${shown})`;
}
