import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import {
  startServerProcess,
  stopServerProcess,
  waitForOutput,
  type ServerProcess,
} from '../../../packages/server/test/server-processes.ts'
import { startStore } from '../faults/services.ts'
import { highLimits } from '../server-process.ts'
import { check_interval_ms, startBalancer } from './balancer.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))

export const login = { username: 'admin@example.com', password: 'rolling proof password' }

/** Two checks of the balancer and some more. */
const stop_delay_ms = check_interval_ms * 4

/** Runs a script of `.ci/` and returns the last line that it prints. */
async function runScript(name: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(join(root, '.ci', name), [...args])
  return stdout.trim().split('\n').at(-1)!
}

/** One process of the cluster, which can be restarted at its place. */
export interface ClusterProcess {
  readonly name: string
  start(): Promise<void>
  /** SIGTERM, and a wait for the orderly end; throws if it is not orderly. */
  stop(): Promise<void>
  /** SIGKILL, without a wait for its end. */
  kill(): void
}

export interface Cluster {
  /** The URL of the balancer. */
  readonly url: string
  /** The primary, as a superuser. */
  readonly database_url: string
  readonly apis: readonly ClusterProcess[]
  readonly workers: readonly ClusterProcess[]
  stop(): Promise<void>
}

/** Starts PostgreSQL with a replica, PgBouncer, an S3 server, HAProxy, two API processes and two workers. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-rolling-'))
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const end of ends.toReversed())
      await end().catch((error: Error) => console.log(`not stopped: ${error.message}`))
  }
  try {
    const postgres = await startDatabases(ends)
    const store = await startStore()
    ends.push(() => store.stop())
    const [port, ...apiPorts] = [await freePort(), await freePort(), await freePort()]
    const balancer = await startBalancer(port!, apiPorts)
    ends.push(() => balancer.stop())
    const url = `http://127.0.0.1:${port}`
    const environment = {
      ...highLimits,
      ...store.settingsWithPort(store.port),
      ...postgres.settings,
      ...processSettings(url),
    }
    const apis = apiPorts.map((apiPort, index) =>
      createProcess(`API process ${index + 1}`, 'serve', {
        ...environment,
        SWATH_DATA_DIR: join(folder, `api-${index}`),
        PORT: String(apiPort),
      }),
    )
    const workers = [0, 1].map((index) =>
      createProcess(`worker ${index + 1}`, 'worker', {
        ...environment,
        SWATH_DATA_DIR: join(folder, `worker-${index}`),
      }),
    )
    ends.push(async () => [...apis, ...workers].forEach((process) => process.kill()))
    for (const process of [...apis, ...workers]) await process.start()
    return { url, database_url: postgres.superuser_url, apis, workers, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const processSettings = (url: string): Record<string, string> => ({
  BASE_URL: url,
  TRUST_PROXY: '1',
  SWATH_SECRET: 'the master secret of the rolling proof',
  SWATH_PLAY_MONEY: 'on',
  SWATH_DEMO: 'on',
  SWATH_ADMIN_EMAIL: login.username,
  SWATH_ADMIN_PASSWORD: login.password,
  STOP_DELAY_MS: String(stop_delay_ms),
  RASTER_THREADS: '1',
})

/** Two roles as documented: the service behind PgBouncer, the owner directly, and a replica for searches. */
async function startDatabases(
  ends: (() => Promise<unknown>)[],
): Promise<{ readonly superuser_url: string; readonly settings: Record<string, string> }> {
  const server = await runScript('postgres.sh')
  ends.push(() => runScript('postgres.sh', 'stop', server))
  const { port } = new URL(server)
  await run(join(root, 'deploy/postgres/create-roles.sh'), {
    env: {
      ...process.env,
      PGHOST: '127.0.0.1',
      PGPORT: port,
      DATABASE_OWNER_PASSWORD: 'owner',
      DATABASE_SERVICE_PASSWORD: 'service',
    },
  })
  const replica = await runScript('postgres.sh', 'replica', server)
  ends.push(() => runScript('postgres.sh', 'stop', replica))
  const superuser_url = `postgres://postgres@127.0.0.1:${port}/swath`
  const pooled = await runScript('pgbouncer.sh', superuser_url)
  ends.push(() => runScript('pgbouncer.sh', 'stop', pooled))
  const asRole = (address: string, role: string): string =>
    `postgres://${role}@127.0.0.1:${new URL(address).port}/swath`
  return {
    superuser_url,
    settings: {
      DATABASE_URL: asRole(pooled, 'swath_service'),
      DATABASE_MIGRATION_URL: asRole(server, 'swath_owner'),
      DATABASE_REPLICA_URL: asRole(replica, 'swath_service'),
    },
  }
}

function createProcess(
  name: string,
  command: 'serve' | 'worker',
  environment: Readonly<Record<string, string>>,
): ClusterProcess {
  let running: ServerProcess | null = null
  return {
    name,
    start: async () => {
      running = startServerProcess(environment, command)
      await waitForOutput(running, command === 'serve' ? /is ready at/ : /works on background tasks/)
      // The balancer sends requests after its next successful check.
      if (command === 'serve') await pause(check_interval_ms * 2)
    },
    stop: async () => {
      if (running) await stopServerProcess(running)
    },
    kill: () => void running?.child.kill('SIGKILL'),
  }
}
