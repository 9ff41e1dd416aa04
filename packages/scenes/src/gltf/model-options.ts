/** Options of a model's image as texts, of a query or of a command. */
import { RenderError, SAMPLE_COUNTS } from '@tessera/frame';
import { ENVIRONMENTS } from '../lighting/built-in-environments.ts';
import { TONE_MAPPINGS, type ToneMapping } from './features/tone-mappings.ts';
import type { Background } from './model-look.ts';
import { FULL_ORBIT, type Orbit } from './view.ts';

export { ENVIRONMENTS, isEnvironmentName } from '../lighting/built-in-environments.ts';

/** Ways to shade models. */
export const QUALITIES = ['simple', 'full'] as const;
/** Name of a way of {@link QUALITIES}. */
export type Quality = (typeof QUALITIES)[number];

/** Names of the options, with what each means. */
export const MODEL_OPTIONS = {
  quality:
    'full (default): materials of Khronos, image-based light, antialiasing. simple: one pass under a fixed light',
  environment: `Light of the surroundings in full quality: ${ENVIRONMENTS.join(', ')}, or a panorama in Radiance HDR or OpenEXR`,
  background: 'environment, transparent, or a color as #rrggbb; full quality only',
  exposure: 'Factor of all light, above 0; full quality only',
  tone: `Tone mapping in full quality: ${TONE_MAPPINGS.join(', ')}`,
  shadows: 'on or off: shadows of the lights of the model; full quality only',
  ground: 'none, or shadow: a soft shadow on the ground under the model; full quality only',
  ambient:
    'What occludes the light of the environment: texture, or screen, which is also what the image shows; full quality only',
  samples: 'Samples per pixel in full quality: 1, 4 or 8',
  variant: 'Name of a variant of the materials (KHR_materials_variants); by default none',
  orbit:
    'Camera around the model: azimuth,elevation in degrees, and optionally the distance as factor',
  target: 'Point that the camera looks at: x,y,z',
} as const;
/** Name of an option of {@link MODEL_OPTIONS}. */
export type ModelOptionName = keyof typeof MODEL_OPTIONS;

/** Values of the options that have a fixed set of them. */
export const MODEL_OPTION_CHOICES = {
  quality: QUALITIES,
  tone: TONE_MAPPINGS,
  shadows: ['on', 'off'],
  ground: ['none', 'shadow'],
  ambient: ['texture', 'screen'],
  samples: SAMPLE_COUNTS.map(String),
} as const satisfies { readonly [Name in ModelOptionName]?: readonly string[] };

/** Names of all options. */
export const MODEL_OPTION_NAMES = Object.keys(MODEL_OPTIONS) as ModelOptionName[]; // its keys

/** Options as given; missing ones take their default. */
export type ModelOptionTexts = { readonly [Name in ModelOptionName]?: string | undefined };

/** Returns the options that were given among other values. */
export function pickModelOptions(values: ModelOptionTexts): ModelOptionTexts {
  const given = MODEL_OPTION_NAMES.filter((name) => values[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, values[name]]));
}

/** Options of a model's image. */
export interface ModelOptions {
  readonly quality: Quality;
  /** Name of an environment, or what the caller names a panorama by. */
  readonly environment: string;
  readonly background: Background;
  readonly exposure: number;
  readonly toneMapping: ToneMapping;
  readonly hasShadows: boolean;
  readonly hasGroundShadow: boolean;
  readonly hasScreenOcclusion: boolean;
  readonly samples: number;
  /** Name of a variant of the materials. */
  readonly variant: string | undefined;
  readonly orbit: Orbit | null;
  readonly target: readonly [number, number, number] | null;
}

const FULL_ONLY = [
  'environment',
  'background',
  'exposure',
  'tone',
  'shadows',
  'ground',
  'ambient',
  'samples',
] as const;
/** Background of full quality, sRGB-encoded. */
const DEFAULT_BACKGROUND: Background = { kind: 'color', rgb: [0xed / 255, 0xed / 255, 0xf0 / 255] };

/**
 * Reads the options.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the option.
 */
export function parseModelOptions(texts: ModelOptionTexts): ModelOptions {
  const quality = choose('quality', texts.quality ?? 'full');
  for (const name of FULL_ONLY) {
    if (quality === 'simple' && texts[name] !== undefined) {
      fail(name, 'applies to quality=full only');
    }
  }
  const exposure = readNumber('exposure', texts.exposure ?? '1');
  if (exposure <= 0) fail('exposure', `${exposure} is not above 0`);
  return {
    quality,
    environment: texts.environment ?? ENVIRONMENTS[0],
    background: readBackground(texts.background),
    exposure,
    toneMapping: choose('tone', texts.tone ?? 'neutral'),
    hasShadows: choose('shadows', texts.shadows ?? 'on') === 'on',
    hasGroundShadow: choose('ground', texts.ground ?? 'none') === 'shadow',
    hasScreenOcclusion: choose('ambient', texts.ambient ?? 'texture') === 'screen',
    samples: Number(choose('samples', texts.samples ?? '4')),
    variant: texts.variant,
    orbit: readOrbit(texts.orbit),
    target: readTarget(texts.target),
  };
}

/**
 * Returns the options of one frame of a turntable; without a turn, those that were given.
 *
 * @param turnDegrees Angle by which the camera moves around the model in all frames together.
 * @throws {RenderError} REQUEST_INVALID, naming the option.
 */
export function turnCamera(
  texts: ModelOptionTexts,
  turnDegrees: number,
  index: number,
  count: number,
): ModelOptionTexts {
  if (turnDegrees === 0) return texts;
  const { azimuthDegrees, elevationDegrees, distanceFactor } = readOrbit(texts.orbit) ?? FULL_ORBIT;
  const turned = azimuthDegrees + (turnDegrees * index) / count;
  return { ...texts, orbit: `${turned},${elevationDegrees},${distanceFactor}` };
}

function readBackground(text: string | undefined): Background {
  if (text === undefined) return DEFAULT_BACKGROUND;
  if (text === 'environment' || text === 'transparent') return { kind: text };
  const [, ...digits] = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? [];
  if (digits.length === 0) {
    return fail('background', `"${text}" is not environment, transparent or a color as #rrggbb`);
  }
  const [r, g, b] = digits.map((pair) => Number.parseInt(pair, 16) / 255);
  return { kind: 'color', rgb: [r!, g!, b!] };
}

function readOrbit(text: string | undefined): Orbit | null {
  if (text === undefined) return null;
  const parts = text.split(',').map((part) => readNumber('orbit', part));
  if (parts.length < 2 || parts.length > 3) {
    return fail('orbit', `"${text}" is not azimuth,elevation or azimuth,elevation,distance`);
  }
  const [azimuthDegrees, elevationDegrees, distanceFactor = 1] = parts as [number, number, number?];
  if (Math.abs(elevationDegrees) > 89) fail('orbit', 'the elevation is not from -89 to 89');
  if (Math.abs(azimuthDegrees) > 3600) fail('orbit', 'the azimuth is not from -3600 to 3600');
  if (!(distanceFactor >= 0.01 && distanceFactor <= 100)) {
    fail('orbit', 'the distance is not from 0.01 to 100');
  }
  return { azimuthDegrees, elevationDegrees, distanceFactor };
}

function readTarget(text: string | undefined): [number, number, number] | null {
  if (text === undefined) return null;
  const parts = text.split(',').map((part) => readNumber('target', part));
  return parts.length === 3
    ? (parts as [number, number, number])
    : fail('target', `"${text}" is not x,y,z`);
}

function readNumber(name: ModelOptionName, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : fail(name, `"${text}" is not a number`);
}

type Choices = typeof MODEL_OPTION_CHOICES;

function choose<Name extends keyof Choices>(name: Name, text: string): Choices[Name][number] {
  const choices: readonly Choices[Name][number][] = MODEL_OPTION_CHOICES[name];
  const found = choices.find((choice) => choice === text);
  return found ?? fail(name, `"${text}" is not one of ${choices.join(', ')}`);
}

function fail(name: ModelOptionName, reason: string): never {
  throw new RenderError('REQUEST_INVALID', `${name}: ${reason}`);
}
