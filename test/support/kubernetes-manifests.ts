/** Manifests of docs/deploy/kubernetes, by file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './kubernetes-schema.ts';

/** Folder of the manifests. */
export const FOLDER = resolve(import.meta.dirname, '../../docs/deploy/kubernetes');

/** A document of a file. */
export interface Document {
  /** Path of the file, relative to {@link FOLDER}. */
  readonly file: string;
  /** Index of the document in its file, from 0. */
  readonly index: number;
  readonly manifest: Manifest;
}

/**
 * Returns the documents of a text.
 *
 * @throws {Error} If the text is no YAML.
 */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

/** Returns all documents, those of kustomization files included. */
export function readManifests(): Document[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yml'))
    .toSorted()
    .flatMap((file) =>
      parseManifests(readFileSync(join(FOLDER, file), 'utf8')).map((manifest, index) => ({
        file,
        index,
        manifest,
      })),
    );
}

/** Whether a document is read by Kustomize and not by Kubernetes. */
export function isKustomization({ file }: Document): boolean {
  return file.endsWith('kustomization.yml');
}

/** Whether a document is a patch of an overlay. */
export function isPatch(document: Document): boolean {
  return document.file.startsWith('overlays/') && !isKustomization(document);
}
