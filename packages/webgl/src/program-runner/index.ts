/** `@tessera/webgl/program-runner`: runs WebGL programs of users on a context of this package. */
export type { ProgramBackEnd } from './page-contexts.ts';
export { ProgramError, toProgramError } from './program-error.ts';
export {
  type ProgramFrame,
  type ProgramOptions,
  RunningProgram,
} from './running-program.ts';
