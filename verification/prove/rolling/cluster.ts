import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import {
  startServerProcess,
  stopServerProcess,
  waitForOutput,
  type ServerProcess,
} from '../../../packages/server/test/server-processes.ts'
import { startStore } from '../faults/services.ts'
import { resolveBeside, runProgram, startCiService, startService } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { defaultSettings } from '../harness/server-process.ts'
import { readFile, writeFile } from 'node:fs/promises'

/** HAProxy checks the processes this often here, instead of every two seconds. */
const check_interval_ms = 500
/** Two checks of the balancer and some more. */
const stop_delay_ms = check_interval_ms * 4

/** One process of the cluster, which can be restarted at its place. */
export interface ClusterProcess {
  readonly name: string
  start(): Promise<void>
  /** SIGTERM, and a wait for the orderly end; throws if it is not orderly. */
  stop(): Promise<void>
  /** SIGKILL, without a wait for its end. */
  kill(): void
}

export interface Cluster extends AsyncDisposable {
  /** The URL of the balancer. */
  readonly url: string
  /** The primary, as a superuser. */
  readonly database_url: string
  readonly apis: readonly ClusterProcess[]
  readonly workers: readonly ClusterProcess[]
}

/** Starts PostgreSQL with a replica, PgBouncer, an S3 server, HAProxy, two API processes and two workers. */
export async function startCluster(): Promise<Cluster> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await createFolder('rolling'))
  const postgres = await startDatabases(resources)
  const store = resources.use(await startStore())
  const [port, ...apiPorts] = [await freePort(), await freePort(), await freePort()]
  await startBalancer(resources, port!, apiPorts)
  const url = `http://127.0.0.1:${port}`
  const environment = {
    ...defaultSettings,
    ...store.settingsWithPort(store.port),
    ...postgres.settings,
    ...processSettings(url),
  }
  const apis = apiPorts.map((apiPort, index) =>
    createProcess(`API process ${index + 1}`, 'serve', {
      ...environment,
      SWATH_DATA_DIR: join(folder.path, `api-${index}`),
      PORT: String(apiPort),
    }),
  )
  const workers = [0, 1].map((index) =>
    createProcess(`worker ${index + 1}`, 'worker', {
      ...environment,
      SWATH_DATA_DIR: join(folder.path, `worker-${index}`),
    }),
  )
  const processes = [...apis, ...workers]
  resources.defer(() => processes.forEach((process) => process.kill()))
  for (const process of processes) await process.start()
  const started = resources.move()
  const end = () => started.disposeAsync()
  return { url, database_url: postgres.superuser_url, apis, workers, [Symbol.asyncDispose]: end }
}

const processSettings = (url: string): Record<string, string> => ({
  BASE_URL: url,
  TRUST_PROXY: '1',
  SWATH_SECRET: 'the master secret of the rolling proof',
  SWATH_PLAY_MONEY: 'on',
  SWATH_DEMO: 'on',
  STOP_DELAY_MS: String(stop_delay_ms),
  RASTER_THREADS: '1',
})

/** Two roles as documented: the service behind PgBouncer, the owner directly, and a replica for searches. */
async function startDatabases(
  resources: AsyncDisposableStack,
): Promise<{ readonly superuser_url: string; readonly settings: Record<string, string> }> {
  const { url: server } = resources.use(await startCiService('postgres.sh'))
  const { port } = new URL(server)
  await runProgram(resolveBeside(import.meta.url, '../../../deploy/postgres/create-roles.sh'), [], {
    ...process.env,
    PGHOST: '127.0.0.1',
    PGPORT: port,
    DATABASE_OWNER_PASSWORD: 'owner',
    DATABASE_SERVICE_PASSWORD: 'service',
  })
  const { url: replica } = resources.use(await startCiService('postgres.sh', 'replica', server))
  const superuser_url = `postgres://postgres@127.0.0.1:${port}/swath`
  const { url: pooled } = resources.use(await startCiService('pgbouncer.sh', superuser_url))
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

const documentedConfig = new URL('../../../deploy/balancer/haproxy.cfg', import.meta.url)

/**
 * HAProxy with the configuration of `deploy/balancer/`, before API processes on these ports: with other addresses, without
 * TLS, and with checks at shorter intervals.
 */
async function startBalancer(
  resources: AsyncDisposableStack,
  port: number,
  apiPorts: readonly number[],
): Promise<void> {
  const folder = resources.use(await createFolder('balancer'))
  const file = join(folder.path, 'haproxy.cfg')
  await writeFile(file, adaptConfig(await readFile(documentedConfig, 'utf8'), port, apiPorts))
  const service = await startService({
    program: 'haproxy',
    args: ['-db', '-f', file],
    environment: { PATH: `${process.env['PATH']}:/usr/sbin` },
    url: `http://127.0.0.1:${port}/healthz`,
    // HAProxy answers with 503 while it knows no process that is ready.
    isReady: () => true,
  })
  resources.use(service)
}

function adaptConfig(text: string, port: number, apiPorts: readonly number[]): string {
  let nextServer = 0
  const lines = text.split('\n').flatMap((line) => {
    if (/^ +bind :443 /.test(line)) return [`    bind 127.0.0.1:${port}`]
    if (/^ +(bind :80|http-request redirect|http-request set-header)/.test(line)) return []
    if (/^ +server api-/.test(line)) {
      const apiPort = apiPorts[nextServer++]
      return apiPort === undefined ? [] : [`    server api-${nextServer} 127.0.0.1:${apiPort}`]
    }
    // The limit of open files of a machine for tests may be lower.
    return [line.replace('inter 2s', `inter ${check_interval_ms}ms`).replace('maxconn 20000', 'maxconn 500')]
  })
  if (nextServer < apiPorts.length) throw new Error('the documented configuration has too few servers')
  return lines.join('\n')
}
