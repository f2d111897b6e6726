import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moduleLoaderFlags } from '../../packages/server/test/server-processes.ts'
import { freePort } from '../../packages/server/test/free-port.mjs'
import { consoleBuild, ensureBuilt } from '../../tools/launch/builds.mjs'
import { createConfiguredDatabase, createFolder } from '../prove/harness/resources.ts'
import { administrator, postgresSettings, startServer } from '../prove/harness/server-process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface ConsoleServer extends AsyncDisposable {
  readonly url: string
  /** The first user, with the one-time password that a first start prints. */
  readonly credentials: { readonly username: string; readonly password: string }
  /** The e-mails that it has sent. */
  readonly outbox: string
  /** Ends the server with SIGKILL; its data stay. */
  kill(): Promise<void>
  /** Starts it again at the same address, with the same data. */
  startAgain(): Promise<void>
}

/**
 * Starts the product as after a fresh installation: demo imagery, play money, the built console, and an embedded database unless a
 * server or a cluster is configured for tests.
 */
export async function startConsoleServer(
  settings: Readonly<Record<string, string>> = {},
  // Browsers treat localhost as a secure context, and as a name that passkeys are bound to.
  host = 'localhost',
): Promise<ConsoleServer> {
  ensureBuilt(root, consoleBuild, process.execPath, moduleLoaderFlags())
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await createFolder('console'))
  const database = resources.use(await createConfiguredDatabase())
  const port = await freePort()
  const server = resources.use(
    await startServer({
      ...(await postgresSettings(database.url)),
      SWATH_DATA_DIR: folder.path,
      PORT: String(port),
      BASE_URL: `http://${host}:${port}`,
      ...(database.url === null ? { SWATH_ADMIN_EMAIL: '', SWATH_ADMIN_PASSWORD: '' } : {}),
      ...settings,
    }),
  )
  const credentials = database.url === null ? await readFirstCredentials(folder.path) : administrator
  const started = resources.move()
  return {
    url: `http://${host}:${port}`,
    credentials,
    outbox: join(folder.path, 'outbox'),
    kill: server.kill,
    startAgain: () => server.start(),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const readFirstCredentials = async (folder: string): Promise<ConsoleServer['credentials']> =>
  JSON.parse(await readFile(join(folder, 'first-credentials.json'), 'utf8')) as ConsoleServer['credentials']
