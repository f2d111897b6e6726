import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { moduleLoaderFlags } from '../../packages/server/test/server-processes.ts'
import { freePort } from '../../packages/server/test/free-port.mjs'
import { consoleBuild, ensureBuilt } from '../../tools/launch/builds.mjs'
import { startServer } from '../prove/server-process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface ConsoleServer {
  readonly url: string
  /** The first user, with the one-time password that a first start prints. */
  readonly credentials: { readonly username: string; readonly password: string }
  /** Ends the server with SIGKILL; its data stay. */
  kill(): Promise<void>
  /** Starts it again at the same address, with the same data. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

/** Starts the product as after a fresh installation: embedded database, demo imagery, play money, the built console. */
export async function startConsoleServer(settings: Readonly<Record<string, string>> = {}): Promise<ConsoleServer> {
  ensureBuilt(root, consoleBuild, process.execPath, moduleLoaderFlags())
  const folder = await mkdtemp(join(tmpdir(), 'swath-console-'))
  const port = await freePort()
  const start = () =>
    startServer({
      SWATH_DATA_DIR: folder,
      PORT: String(port),
      // Browsers treat localhost as a secure context.
      BASE_URL: `http://localhost:${port}`,
      DATABASE_URL: '',
      ...settings,
    })
  let server = await start()
  const credentials = JSON.parse(await readFile(join(folder, 'first-credentials.json'), 'utf8')) as {
    username: string
    password: string
  }
  return {
    url: `http://localhost:${port}`,
    credentials,
    kill: () => server.kill(),
    startAgain: async () => {
      server = await start()
    },
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
