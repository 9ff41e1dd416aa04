import {
  type EnvironmentTable,
  LOG_LEVEL_VARIABLE,
  WATCHDOG_VARIABLE,
} from '@tessera/wire/environment';

/** Variables of the coordinator process itself. */
export const SERVICE_VARIABLES = {
  TESSERA_HOST: { kind: 'text', default: '127.0.0.1', meaning: 'address to listen on' },
  TESSERA_PORT: {
    kind: 'integer',
    default: 8080,
    min: 0,
    max: 65_535,
    meaning: 'port of the HTTP interface and of the WebSocket for chiplets; 0 picks a free port',
  },
  TESSERA_LOG_LEVEL: LOG_LEVEL_VARIABLE,
  TESSERA_WATCHDOG_MS: WATCHDOG_VARIABLE,
  TESSERA_SHUTDOWN_MS: {
    kind: 'integer',
    default: 5000,
    min: 0,
    max: 600_000,
    meaning: 'time that a stopping service waits for frames in progress',
  },
  TESSERA_OTLP_ENDPOINT: {
    kind: 'url',
    default: '',
    schemes: ['http:', 'https:'],
    meaning:
      'URL that spans are posted to (OpenTelemetry, OTLP over HTTP), such as `http://127.0.0.1:4318/v1/traces`; empty disables tracing',
  },
} as const satisfies EnvironmentTable;
