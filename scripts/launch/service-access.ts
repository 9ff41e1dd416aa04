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
    TESSERA_TENANTS_FILE: tenants = '',
    TESSERA_HTTP_TOKENS: list = '',
    TESSERA_HTTP_TOKENS_FILE: file = '',
    TESSERA_TLS_CERT: cert = '',
    TESSERA_TLS_CA: ca = '',
  } = variables;
  const text = list === '' && file !== '' ? readFileSync(file, 'utf8') : list;
  const token = tenants === '' ? firstWord(text) : firstToken(tenants);
  if (ca !== '') {
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(ca, 'utf8')]);
  }
  return {
    scheme: cert === '' ? 'http' : 'https',
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  };
}

function firstWord(text: string): string | undefined {
  return text.split(/[\s,]+/).find((word) => word !== '');
}

/**
 * Returns the first token of the first tenant; none if the file is not one that a service reads.
 */
function firstToken(path: string): string | undefined {
  try {
    const [first] = JSON.parse(readFileSync(path, 'utf8')) as { tokens: string[] }[];
    return first?.tokens[0];
  } catch {
    return undefined; // The service says what is wrong with its file.
  }
}
