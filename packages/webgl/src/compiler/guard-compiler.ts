/**
 * Containment of internal failures of the shader compiler. The program continues as after any
 * failed compilation, and the developer gets a report. The process does not end.
 */
import { RenderError } from '@tessera/frame';
import type { ProgramReflection } from '@tessera/gl';

/** Failure caused by a bug or a limit of Tessera, not by the program. */
export interface InternalFailure {
  /** Name of the call that failed. */
  readonly call: string;
  readonly error: Error;
}

/** Receives an internal failure. */
export type ReportFailure = (failure: InternalFailure) => void;

/** Emits a process warning that contains the stack of the error. */
export function warnOfFailure({ call, error }: InternalFailure): void {
  process.emitWarning(`${call}: internal failure of Tessera: ${error.message}`, {
    type: 'TesseraInternalFailure',
    detail: error.stack,
  });
}

/**
 * Wraps a compiler so that it never throws. An exception of `reflection` becomes a failed
 * compilation or link whose log names the cause. Everything except a `RenderError`, which describes
 * a fault of the source, is also reported.
 */
export function guardCompiler(
  reflection: Required<Omit<ProgramReflection, 'describeOutputs'>>,
  report: ReportFailure,
): Required<Omit<ProgramReflection, 'describeOutputs'>> {
  const explain = (call: string, thrown: unknown): string => {
    if (thrown instanceof RenderError) return thrown.message;
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    report({ call, error });
    return `ERROR: 0:0: '${call}' : ${describe(error)}`;
  };
  return {
    compile(stage, source) {
      try {
        return reflection.compile(stage, source);
      } catch (error) {
        return { isCompiled: false, log: explain('compileShader', error), source };
      }
    },
    reflect(...given) {
      try {
        return reflection.reflect(...given);
      } catch (error) {
        const log = explain('linkProgram', error);
        return { isLinked: false, log, attributes: [], uniforms: [], samplers: [] };
      }
    },
  };
}

function describe({ message }: Error): string {
  return `internal failure of Tessera's shader compiler, not a fault of the shader: ${message}`;
}
