/**
 * The part of the AssemblyScript compiler's interface that the build uses. tsconfig.json maps
 * `assemblyscript/asc` here, because the compiler's own declarations make `i32` and `f64` ambient
 * in every file of the repository.
 */

/** Text that the compiler writes, kept in memory. */
interface MemoryStream {
  toString(): string;
}

/** File access of the compiler. */
interface CompilerHost {
  readonly stdout: MemoryStream;
  readonly stderr: MemoryStream;
  /** Returns the text of a file, or null if no file has that name. */
  readFile(name: string): string | null;
  /** Receives a compiled file. A binary module is passed as bytes. */
  writeFile(name: string, contents: string | Uint8Array): void;
  listFiles(folder: string): string[];
}

declare const asc: {
  createMemoryStream(): MemoryStream;
  /** Compiles as the command line `asc` does. */
  main(args: readonly string[], host: CompilerHost): Promise<{ readonly error: Error | null }>;
};
/** The AssemblyScript compiler. */
export default asc;

/** Sources of the compiler's library by name. */
export const libraryFiles: Record<string, string>;
