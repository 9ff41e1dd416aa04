/**
 * Who may use this service: tokens of clients, the secret of the chiplets, the certificate, trusted proxies. Beyond loopback both
 * tokens and secret are required, unless a switch says that the network keeps others away.
 */
import {
  checkSecret,
  ensureSecretFile,
  isLoopbackHost,
  readSecret,
  readTextFile,
  readTlsFiles,
  type TlsFiles,
} from '@tessera/wire';
import { EnvironmentError } from '@tessera/wire/environment';
import type { Config } from './config.ts';
import { type ProxyTrust, readProxyTrust } from './proxy-trust.ts';

export interface Access {
  /** Any of them lets a client in; empty: everybody is let in. */
  readonly tokens: readonly string[];
  /** `null`: everybody who reaches the port may be a chiplet. */
  readonly chipletSecret: string | null;
  readonly tls: TlsFiles | null;
  /** Whose word counts on who asks. */
  readonly proxyTrust: ProxyTrust;
}

/**
 * Reads tokens, secret and certificate; makes the file of the secret where it is named and missing.
 *
 * @throws {EnvironmentError} If one is no good, or is missing and others reach the port.
 */
export function readAccess(config: Config): Access {
  const secretFile = config.TESSERA_CHIPLET_SECRET_FILE;
  if (config.TESSERA_CHIPLET_SECRET === '' && secretFile !== '') {
    ensureSecretFile('TESSERA_CHIPLET_SECRET_FILE', secretFile);
  }
  const access: Access = {
    tokens: readTokens(config),
    chipletSecret: readSecret('TESSERA_CHIPLET_SECRET', config.TESSERA_CHIPLET_SECRET, secretFile),
    tls: readTlsFiles(config.TESSERA_TLS_CERT, config.TESSERA_TLS_KEY),
    proxyTrust: readProxyTrust(config.TESSERA_TRUST_PROXY),
  };
  refuseOpenPort(config, access);
  return access;
}

function readTokens(config: Config): string[] {
  const { TESSERA_HTTP_TOKENS: list, TESSERA_HTTP_TOKENS_FILE: file } = config;
  const text = list !== '' || file === '' ? list : readTextFile('TESSERA_HTTP_TOKENS_FILE', file);
  const tokens = text
    .split(/[\s,]+/)
    .filter((token) => token !== '')
    .map((token) => checkSecret('TESSERA_HTTP_TOKENS', token));
  if (tokens.length > 0 || (list === '' && file === '')) return tokens;
  throw new EnvironmentError('TESSERA_HTTP_TOKENS: set, but holds no token');
}

function refuseOpenPort(config: Config, { tokens, chipletSecret }: Access): void {
  const host = config.TESSERA_HOST;
  if (isLoopbackHost(host)) return;
  const problems: string[] = [];
  const require = (variable: string, without: string) =>
    problems.push(
      `${variable}: required, since others reach TESSERA_HOST=${host}; ${without}=true does without`,
    );
  if (tokens.length === 0 && !config.TESSERA_INSECURE_HTTP) {
    require('TESSERA_HTTP_TOKENS', 'TESSERA_INSECURE_HTTP');
  }
  if (chipletSecret === null && !config.TESSERA_INSECURE_CHIPLETS) {
    require('TESSERA_CHIPLET_SECRET', 'TESSERA_INSECURE_CHIPLETS');
  }
  if (problems.length > 0) throw new EnvironmentError(problems.join('\n'));
}
