/** Free programs of Debian that are captured and compared with Mesa. */
import type { ProgramApi } from '../mesa/replay-on-mesa.ts';

/** Program with the input that brings it into play. */
export interface FreeProgram {
  readonly name: string;
  /** Package of Debian. */
  readonly package: string;
  readonly api: ProgramApi;
  readonly command: readonly string[];
  /** Arguments of xdotool after the second at which they are given, separated by commas. */
  readonly input: string;
}

const saver = (name: string, ...options: string[]): FreeProgram => ({
  name,
  package: 'xscreensaver-gl-extra',
  api: 'egl',
  command: [`/usr/libexec/xscreensaver/${name}`, '-geometry', '320x240', ...options],
  input: '',
});

const game = (
  name: string,
  options: readonly string[],
  input: string,
  debianPackage = name,
): FreeProgram => ({
  name,
  package: debianPackage,
  api: 'gl',
  command: [`/usr/games/${name}`, ...options],
  input,
});

/** Games in play, and screen savers. None was used while the replay was developed. */
export const PROGRAMS: readonly FreeProgram[] = [
  game('chromium-bsu', ['-w', '-v', '0'], '5 key Return, 8 mousemove 250 300'),
  game('billard-gl', [], '4 key Return, 6 key Return, 8 key Return'),
  game('trackballs', ['-w'], '5 key Return, 7 key Return, 9 keydown Up'),
  game('gl-117', [], '5 key Return, 8 key Return, 11 key Return'),
  game('gltron', [], '4 key Return, 6 key Return, 8 key space'),
  game('crack-attack', ['--solo', '-l'], '4 key space, 6 key Left'),
  game('briquolo', [], '4 key Return, 6 key Return, 8 key space'),
  game('etr', [], '4 key Return, 6 key Return, 8 key Return', 'extremetuxracer'),
  game('supertux2', [], '4 key Return, 6 key Return, 8 keydown Right', 'supertux'),
  game('teeworlds', [], '4 key Return'),
  saver('glplanet'),
  saver('endgame'),
  saver('flyingtoasters'),
  saver('gleidescope'),
  saver('antinspect'),
  saver('lament'),
  saver('molecule'),
  saver('skytentacles'),
  saver('antspotlight'),
  saver('atlantis'),
  saver('boing'),
  saver('bouncingcow'),
  saver('cube21'),
  saver('dangerball'),
  saver('hypertorus'),
  saver('juggler3d'),
  saver('kaleidocycle'),
  saver('moebiusgears'),
  saver('morph3d'),
  saver('pipes'),
  saver('pulsar'),
  saver('queens'),
  saver('sproingies'),
  saver('superquadrics'),
];
