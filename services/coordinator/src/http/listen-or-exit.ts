/** Start of an HTTP server at the configured address. */
import { exitAtStart } from '@tessera/wire/environment';
import type { Config } from '../config/config.ts';
import type { App } from './protocol/app.ts';

/** Makes a server listen. Exits with a message if the address cannot be used. */
export async function listenOrExit(
  app: App,
  { TESSERA_HOST: host, TESSERA_PORT: port }: Config,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'is in use; set TESSERA_PORT to another port' : message;
    exitAtStart('coordinator', `${host}:${port} ${reason}`);
  }
}
