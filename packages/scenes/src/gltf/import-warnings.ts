/** Features of a model that the image lacks, without duplicates. */
export class ImportWarnings {
  readonly #messages = new Set<string>();

  add(message: string): void {
    this.#messages.add(message);
  }

  list(): string[] {
    return [...this.#messages];
  }
}
