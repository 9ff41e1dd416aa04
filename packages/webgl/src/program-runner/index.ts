/** `@tessera/webgl/program-runner`: runs WebGL programs of users on a context of this package. */
export { ProgramError, toProgramError } from './program-error.ts';
export {
  type ProgramBackEnd,
  type ProgramFrame,
  type ProgramOptions,
  RunningProgram,
} from './running-program.ts';
