/**
 * Finds the bytes that a URI of the model names: in the URI itself (data:) or among the files
 * supplied with the model. Nothing is read from disk or network.
 */
import { RenderError } from '@tessera/frame';

/** Files supplied with the .gltf, by the names that its URIs use. */
export type GltfFiles = ReadonlyMap<string, Uint8Array>;

const DATA_URI = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)?(;[a-z0-9-]+=[^;,]*)*(;base64)?,/i;

/**
 * Returns the bytes that a URI names.
 *
 * @param path Path of the URI in the JSON, for messages.
 * @throws {RenderError} MODEL_INVALID if the URI names no supplied bytes.
 */
export function resolveUri(path: string, uri: string, files: GltfFiles): Uint8Array {
  if (uri.startsWith('data:')) return decodeDataUri(path, uri);
  const found = files.get(uri) ?? files.get(decodeName(uri));
  if (found !== undefined) return found;
  const given = files.size === 0 ? 'no files were given' : `given: ${listNames(files)}`;
  throw new RenderError(
    'MODEL_INVALID',
    `${path}: "${uri.slice(0, 80)}" is neither a data: URI nor among the given files (${given})`,
  );
}

function decodeDataUri(path: string, uri: string): Uint8Array {
  const head = DATA_URI.exec(uri.slice(0, 256))?.[0];
  if (head === undefined) {
    throw new RenderError('MODEL_INVALID', `${path}: the data: URI has no content`);
  }
  if (!head.toLowerCase().endsWith(';base64,')) return decodePercents(uri.slice(head.length));
  try {
    return Uint8Array.fromBase64(uri.slice(head.length));
  } catch (cause) {
    throw new RenderError('MODEL_INVALID', `${path}: the data: URI is not base64`, { cause });
  }
}

/** Returns the bytes of a text in which `%` and two digits stand for a byte (RFC 2397). */
function decodePercents(text: string): Uint8Array {
  const plain = text.replaceAll(/%([0-9a-f]{2})/gi, (_whole, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function decodeName(uri: string): string {
  let name = uri;
  try {
    name = decodeURIComponent(uri);
  } catch {
    // A stray % is part of the name.
  }
  return name.startsWith('./') ? name.slice(2) : name;
}

function listNames(files: GltfFiles): string {
  const names = [...files.keys()].slice(0, 8).join(', ');
  return files.size > 8 ? `${names}, …` : names;
}
