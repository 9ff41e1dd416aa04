/** Certificates of a service's own port, and those that it trusts. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { EnvironmentError } from './environment.ts';
import { readTextFile } from './shared-secret.ts';

/** What a port that speaks TLS needs. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads certificate and key; `null` where neither is named.
 *
 * @throws {EnvironmentError} If only one is named, or one cannot be read.
 */
export function readTlsFiles(certPath: string, keyPath: string): TlsFiles | null {
  if (certPath === '' && keyPath === '') return null;
  if (certPath === '' || keyPath === '') {
    throw new EnvironmentError('TESSERA_TLS_CERT, TESSERA_TLS_KEY: one needs the other');
  }
  return {
    cert: readTextFile('TESSERA_TLS_CERT', certPath),
    key: readTextFile('TESSERA_TLS_KEY', keyPath),
  };
}

/**
 * Trusts the certificates of a file in this process from now on, beside those that Node trusts.
 *
 * @param path Nothing happens for an empty one.
 * @throws {EnvironmentError} If the file cannot be read or holds no certificate.
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
