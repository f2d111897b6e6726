import { everyScope } from '@swath/client/every-scope.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { createApp, type BackgroundTaskOptions, type App } from '../src/app.ts'
import type { Clock, OrganizationClocks } from '../src/platform/clock.ts'
import { readConfig, type Config } from '../src/platform/config.ts'
import type { Metrics } from '../src/platform/metrics.ts'
import type { Tracing } from '../src/platform/tracing/tracing.ts'
import { createLogger } from '../src/platform/log.ts'
import type { ImageryHost } from '../src/platform/integrations/imagery-host.ts'
import { startLoadBalancer } from './load-balancer.ts'
import { createTestCrypto } from './test-crypto.ts'
import { createCitusSettings } from './citus/cluster.ts'
import { createDatabaseFromTemplate, openTestDatabase, testDatabaseUrl } from './database.ts'
import { watchUndeclaredProblems, type UndeclaredProblems } from './undeclared-problems.ts'
import { freePort } from './free-port.mjs'
import { stopServerProcess, startServerProcess, waitForOutput, type ServerProcess } from './server-processes.ts'
import { testThreads } from './test-process-services.ts'

/** A running app, in this process or in several others, with access to its database and queue. */
export interface TestApp extends Pick<App, 'fastify' | 'database' | 'queue' | 'clock'> {
  readonly url: string
  /** The administrator of the first organization. */
  readonly admin: Client
  /** Creates a client for another user. */
  createClientFor(username: string, password: string): Client
  close(): Promise<void>
}

/** A time so many hours ahead of the clock of the app. */
export const hoursFromNow = ({ clock }: Pick<App, 'clock'>, hours: number): string =>
  new Date(clock.now().getTime() + hours * 3_600_000).toISOString()

export interface TestAppOptions {
  readonly hosts?: readonly ImageryHost[]
  readonly clock?: Clock & OrganizationClocks
  readonly background?: BackgroundTaskOptions
  readonly environment?: Readonly<Record<string, string>>
  readonly metrics?: Metrics
  readonly tracing?: Tracing
}

export const administratorCredentials = {
  username: 'admin@example.com',
  password: 'correct horse battery',
  scope: everyScope,
}

/** Failed tasks are retried at once, as often as their definition allows. */
export const immediateRetries: BackgroundTaskOptions = {
  poll_s: 0.1,
  retry: (declared) => ({ ...declared, delay_s: 0, backoff: false }),
}

/** The number of processes that serve the app; 0: only this one. `npm run test:postgres -- two-processes` sets it. */
const servingProcessCount = Number(process.env['TEST_SERVING_PROCESSES'] ?? 0)

/** Starts the app on a free port, with its own database and folder; one for each test file. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-app-'))
  const environment = {
    SWATH_DATA_DIR: folder,
    SWATH_ADMIN_EMAIL: administratorCredentials.username,
    SWATH_ADMIN_PASSWORD: administratorCredentials.password,
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'fatal',
    // Many journeys share an organization, and their rate limits are not under test.
    RATE_LIMIT_CALLS: '0',
    RATE_LIMIT_ORDERS: '0',
    RATE_LIMIT_SPENDING: '0',
    ...options.environment,
  }
  const undeclared = watchUndeclaredProblems()
  const booting =
    servingProcessCount > 0
      ? bootProcesses(environment, servingProcessCount, options)
      : bootInThisProcess(environment, options, undeclared)
  const { url, app, stop } = await booting
  const createClientFor = (username: string, password: string): Client =>
    createClient({ baseUrl: url, token: createTokenSource(url, { username, password, scope: everyScope }) })
  return {
    ...app,
    url,
    createClientFor,
    admin: createClientFor(administratorCredentials.username, administratorCredentials.password),
    close: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
      undeclared.requireNone()
    },
  }
}

const max_checks = 200

/** Checks at once with one process; with several, retries until the change has reached all of them. */
export async function assertEventually(check: () => Promise<void>): Promise<void> {
  for (let remaining = servingProcessCount > 0 ? max_checks : 0; remaining > 0; remaining--) {
    const hasPassed = await check().then(
      () => true,
      () => false,
    )
    if (hasPassed) return
    await pause(20)
  }
  await check()
}

type Environment = Readonly<Record<string, string>>

interface BootedApp {
  readonly app: App
  readonly url: string
  readonly stop: () => Promise<void>
}

async function bootInThisProcess(
  environment: Environment,
  options: TestAppOptions,
  undeclared: UndeclaredProblems,
): Promise<BootedApp> {
  const { app, url } = await openApp(readConfig({ PORT: '0', ...environment }), options, undeclared)
  return { app, url, stop: () => app.stop() }
}

/**
 * Starts several API processes and one worker behind a round-robin load balancer. This process opens the same database and
 * queue, but serves no requests and runs no tasks.
 */
async function bootProcesses(environment: Environment, count: number, options: TestAppOptions): Promise<BootedApp> {
  const { environment: _, ...inProcessOptions } = options
  if (Object.keys(inProcessOptions).length > 0)
    throw new Error(`options cannot be passed to other processes: ${Object.keys(inProcessOptions).join(', ')}`)
  const server = testDatabaseUrl()
  if (server === null) throw new Error('several processes need a PostgreSQL server; set DATABASE_URL')
  const { url: database, drop } = await createDatabaseFromTemplate(server)
  const urls: string[] = []
  const balancer = await startLoadBalancer(() => urls)
  const processEnvironment = {
    ...environment,
    DATABASE_URL: database,
    BASE_URL: balancer.url,
    SWATH_PLAY_MONEY: 'on',
    SWATH_DEMO: 'on',
    ...createCitusSettings(database),
  }
  const app = await createApp({ config: readConfig(processEnvironment), ...createTestCrypto(), threads: testThreads })
  const started: ServerProcess[] = []
  const stop = async (): Promise<void> => {
    await balancer.close()
    await Promise.all(started.map(stopServerProcess))
    await app.stop()
    await drop()
  }
  try {
    const start = async (port: number, command: string): Promise<void> => {
      const serverProcess = startServerProcess({ ...processEnvironment, PORT: String(port) }, command)
      started.push(serverProcess)
      await waitForOutput(serverProcess, /is ready at|listens on no port/)
    }
    const ports = await Promise.all(Array.from({ length: count }, freePort))
    await Promise.all([...ports.map((port) => start(port, 'serve')), start(0, 'worker')])
    urls.push(...ports.map((port) => `http://127.0.0.1:${port}`))
    return { app, url: balancer.url, stop }
  } catch (error) {
    for (const { child } of started) child.kill('SIGKILL')
    await balancer.close()
    await app.stop()
    await drop()
    throw error
  }
}

/** If the app cannot be created, its database is closed: an open one would keep the test process running. */
async function openApp(
  config: Config,
  options: TestAppOptions,
  { onUndeclaredProblem }: UndeclaredProblems,
): Promise<{ app: App; url: string }> {
  const database = await openTestDatabase()
  try {
    const { hosts, clock, background, metrics, tracing } = options
    const app = await createApp({
      config,
      database,
      log: createLogger({ level: config.log_level }),
      ...createTestCrypto(),
      threads: testThreads,
      onUndeclaredProblem,
      ...(hosts ? { hosts } : {}),
      ...(clock ? { clock } : {}),
      ...(background ? { background } : {}),
      ...(metrics ? { metrics } : {}),
      ...(tracing ? { tracing } : {}),
    })
    return { app, url: await app.start() }
  } catch (error) {
    await database.close()
    throw error
  }
}
