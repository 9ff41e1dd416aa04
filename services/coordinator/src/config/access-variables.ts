import {
  CHIPLET_SECRET_VARIABLE,
  type EnvironmentTable,
  INSECURE_CHIPLETS_VARIABLE,
  TLS_CERT_VARIABLE,
  TLS_KEY_VARIABLE,
} from '@tessera/wire/environment';

/** Variables that decide who may use the service, and how. */
export const ACCESS_VARIABLES = {
  TESSERA_HTTP_TOKENS: {
    kind: 'text',
    default: '',
    meaning: 'comma-separated client tokens; a request needs one of them',
  },
  TESSERA_HTTP_TOKENS_FILE: {
    kind: 'text',
    default: '',
    meaning: 'file with one token per line, used if TESSERA_HTTP_TOKENS is not set',
  },
  TESSERA_TENANTS_FILE: {
    kind: 'text',
    default: '',
    meaning:
      'JSON file with the names, tokens, weights and quotas of clients, used instead of TESSERA_HTTP_TOKENS by a service and by a gateway',
  },
  TESSERA_INSECURE_HTTP: {
    kind: 'boolean',
    default: false,
    meaning: 'allows other machines to send requests without a token',
  },
  TESSERA_CHIPLET_SECRET: CHIPLET_SECRET_VARIABLE,
  TESSERA_CHIPLET_SECRET_FILE: {
    kind: 'text',
    default: '',
    meaning:
      'file with the secret, used if TESSERA_CHIPLET_SECRET is not set; created with a random secret if it is missing',
  },
  TESSERA_INSECURE_CHIPLETS: INSECURE_CHIPLETS_VARIABLE,
  TESSERA_TLS_CERT: TLS_CERT_VARIABLE,
  TESSERA_TLS_KEY: TLS_KEY_VARIABLE,
  TESSERA_ALLOWED_HOSTS: {
    kind: 'text',
    default: '',
    meaning: 'comma-separated host names that requests may use besides IP addresses and localhost',
  },
  TESSERA_TRUST_PROXY: {
    kind: 'text',
    default: '',
    meaning:
      'proxies whose X-Forwarded headers are trusted: comma-separated addresses and networks, or the number of proxies that every request passes',
  },
} as const satisfies EnvironmentTable;
