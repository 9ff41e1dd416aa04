/** Features of a model that the image lacks, without duplicates. */
export class ImportWarnings {
  readonly #messages = new Set<string>();

  add(message: string): void {
    this.#messages.add(message);
  }

  /** Returns the messages in the order in which they were first added. */
  list(): string[] {
    return [...this.#messages];
  }
}
