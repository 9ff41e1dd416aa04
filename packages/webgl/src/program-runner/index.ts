/** `@tessera/webgl/program-runner`: runs WebGL programs of users on a context of this package. */
export {
  type ProgramBackEnd,
  type ProgramFrame,
  type ProgramOptions,
  RunningProgram,
} from './running-program.ts';
