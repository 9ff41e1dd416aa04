/**
 * Access to this service: tokens of clients, the chiplet secret, the certificate, trusted proxies.
 * A service that other machines can reach requires tokens and a secret, unless a switch declares
 * the network trusted.
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
import { type Client, clientOfTenant, clientOfToken } from './clients.ts';
import type { Config } from './config.ts';
import { type ProxyTrust, readProxyTrust } from './proxy-trust.ts';
import { readTenantFile } from './tenant-file.ts';

/** Access rules of the service. */
export interface Access {
  /** Tokens, each of which admits a client; empty to admit all clients. */
  readonly tokens: readonly string[];
  /** Holders of the tokens, with their weights and quotas. */
  readonly clients: readonly Client[];
  /** Secret of the chiplets; null to accept any chiplet. */
  readonly chipletSecret: string | null;
  readonly tls: TlsFiles | null;
  /** Proxies whose X-Forwarded headers are trusted. */
  readonly proxyTrust: ProxyTrust;
}

/**
 * Reads tokens, secret and certificate. Creates the secret file if it is configured and missing.
 *
 * @throws {EnvironmentError} If one is invalid, or is missing while other machines can reach the
 *   port.
 */
export function readAccess(config: Config): Access {
  const secretFile = config.TESSERA_CHIPLET_SECRET_FILE;
  if (config.TESSERA_CHIPLET_SECRET === '' && secretFile !== '') {
    ensureSecretFile('TESSERA_CHIPLET_SECRET_FILE', secretFile);
  }
  const clients = readClients(config);
  const access: Access = {
    tokens: clients.flatMap(({ tokens }) => tokens),
    clients,
    chipletSecret: readSecret('TESSERA_CHIPLET_SECRET', config.TESSERA_CHIPLET_SECRET, secretFile),
    tls: readTlsFiles(config.TESSERA_TLS_CERT, config.TESSERA_TLS_KEY),
    proxyTrust: readProxyTrust(config.TESSERA_TRUST_PROXY),
  };
  refuseOpenPort(config, access);
  return access;
}

/** Returns the tenants of the file, or else one client for each token. A cell has no clients. */
function readClients(config: Config): Client[] {
  const { TESSERA_ROLE: role, TESSERA_TENANTS_FILE: path } = config;
  if (role === 'cell' || path === '') return readTokens(config).map(clientOfToken);
  return readTenantFile(path).map(clientOfTenant);
}

function readTokens(config: Config): string[] {
  const { TESSERA_HTTP_TOKENS: list, TESSERA_HTTP_TOKENS_FILE: file } = config;
  const text = list !== '' || file === '' ? list : readTextFile('TESSERA_HTTP_TOKENS_FILE', file);
  const tokens = text
    .split(/[\s,]+/)
    .filter((token) => token !== '')
    .map((token) => checkSecret('TESSERA_HTTP_TOKENS', token));
  if (tokens.length > 0 || (list === '' && file === '')) return tokens;
  throw new EnvironmentError('TESSERA_HTTP_TOKENS: contains no token');
}

function refuseOpenPort(config: Config, { tokens, chipletSecret }: Access): void {
  const host = config.TESSERA_HOST;
  if (isLoopbackHost(host)) return;
  const isGateway = config.TESSERA_ROLE === 'gateway';
  const problems: string[] = [];
  const require = (variable: string, without: string) =>
    problems.push(
      `${variable}: required because other machines can reach TESSERA_HOST=${host}; ${without}=true permits it without`,
    );
  if (tokens.length === 0 && !config.TESSERA_INSECURE_HTTP) {
    require('TESSERA_HTTP_TOKENS', 'TESSERA_INSECURE_HTTP');
  }
  if (chipletSecret === null && !isGateway && !config.TESSERA_INSECURE_CHIPLETS) {
    require('TESSERA_CHIPLET_SECRET', 'TESSERA_INSECURE_CHIPLETS');
  }
  if (problems.length > 0) throw new EnvironmentError(problems.join('\n'));
}
