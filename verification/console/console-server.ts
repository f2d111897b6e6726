import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moduleLoaderFlags } from '../../packages/server/test/server-processes.ts'
import { freePort } from '../../packages/server/test/free-port.mjs'
import { consoleBuild, ensureBuilt } from '../../tools/launch/builds.mjs'
import { createFolder } from '../prove/harness/resources.ts'
import { startServer } from '../prove/harness/server-process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface ConsoleServer extends AsyncDisposable {
  readonly url: string
  /** The first user, with the one-time password that a first start prints. */
  readonly credentials: { readonly username: string; readonly password: string }
  /** Ends the server with SIGKILL; its data stay. */
  kill(): Promise<void>
  /** Starts it again at the same address, with the same data. */
  startAgain(): Promise<void>
}

/** Starts the product as after a fresh installation: embedded database, demo imagery, play money, the built console. */
export async function startConsoleServer(settings: Readonly<Record<string, string>> = {}): Promise<ConsoleServer> {
  ensureBuilt(root, consoleBuild, process.execPath, moduleLoaderFlags())
  const folder = await createFolder('console')
  const port = await freePort()
  // Browsers treat localhost as a secure context.
  const url = `http://localhost:${port}`
  const server = await startServer({
    SWATH_DATA_DIR: folder.path,
    PORT: String(port),
    BASE_URL: url,
    SWATH_ADMIN_EMAIL: '',
    SWATH_ADMIN_PASSWORD: '',
    ...settings,
  })
  const file = join(folder.path, 'first-credentials.json')
  const credentials = JSON.parse(await readFile(file, 'utf8')) as ConsoleServer['credentials']
  return {
    url,
    credentials,
    kill: server.kill,
    startAgain: () => server.start(),
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      await folder[Symbol.asyncDispose]()
    },
  }
}
