/**
 * Access of scripts to a service that was started with given environment variables: with or without
 * TLS, and its token.
 */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Access to a service. */
export interface ServiceAccess {
  readonly scheme: 'http' | 'https';
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the access. Makes this process trust the certificate of `TESSERA_TLS_CA`. */
export function readServiceAccess(
  variables: Readonly<Record<string, string | undefined>>,
): ServiceAccess {
  const {
    TESSERA_HTTP_TOKENS: list = '',
    TESSERA_HTTP_TOKENS_FILE: file = '',
    TESSERA_TLS_CERT: cert = '',
    TESSERA_TLS_CA: ca = '',
  } = variables;
  const text = list === '' && file !== '' ? readFileSync(file, 'utf8') : list;
  const token = text.split(/[\s,]+/).find((word) => word !== '');
  if (ca !== '') {
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(ca, 'utf8')]);
  }
  return {
    scheme: cert === '' ? 'http' : 'https',
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  };
}
