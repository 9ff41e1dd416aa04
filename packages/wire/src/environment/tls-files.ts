/** Certificates of a service's own port, and certificates that it trusts. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { EnvironmentError } from './environment.ts';
import { readTextFile } from './shared-secret.ts';

/** Certificate and private key of a TLS port, in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads certificate and key; returns `null` if neither is named.
 *
 * @throws {EnvironmentError} If only one is named, or a file cannot be read.
 */
export function readTlsFiles(certPath: string, keyPath: string): TlsFiles | null {
  if (certPath === '' && keyPath === '') return null;
  if (certPath === '' || keyPath === '') {
    throw new EnvironmentError('TESSERA_TLS_CERT, TESSERA_TLS_KEY: set both or neither');
  }
  return {
    cert: readTextFile('TESSERA_TLS_CERT', certPath),
    key: readTextFile('TESSERA_TLS_KEY', keyPath),
  };
}

/**
 * Adds the certificates in a file to those that this process trusts.
 *
 * @param path Path of the file; an empty path adds nothing.
 * @throws {EnvironmentError} If the file cannot be read or contains no certificate.
 */
export function trustCertificates(path: string): void {
  if (path === '') return;
  const certificates = readTextFile('TESSERA_TLS_CA', path);
  try {
    setDefaultCACertificates([...getCACertificates('default'), certificates]);
  } catch (error) {
    throw new EnvironmentError(`TESSERA_TLS_CA: ${(error as Error).message}`, { cause: error });
  }
}
