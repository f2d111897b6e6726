import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import { tokenSource } from '@swath/client/tokens.ts'
import { buildHouse, type Background, type House } from '../src/house.ts'
import type { Clock, OrganizationClocks } from '../src/platform/clock.ts'
import { readConfig, type Config } from '../src/platform/config.ts'
import { openLog } from '../src/platform/log.ts'
import type { ImageryHost } from '../src/platform/outside/imagery-host.ts'
import { openBalancer } from './balancer.ts'
import { cheapCrypto } from './cheap-crypto.ts'
import { createFilledDatabase, openTestDatabase, testServer } from './database.ts'
import { watchUndeclaredProblems, type UndeclaredProblems } from './undeclared-problems.ts'
import { freePort } from './free-port.mjs'
import { endProcess, startProcess, untilSaid, type ServerProcess } from './server-processes.ts'

/** A running app, in this process or in several others, with access to its database and queue. */
export interface TestHouse extends Pick<House, 'app' | 'database' | 'queue' | 'clock'> {
  readonly url: string
  /** The administrator of the first organization. */
  readonly admin: Client
  /** Creates a client for another user. */
  signedIn(username: string, password: string): Client
  close(): Promise<void>
}

/** A time so many hours ahead of the clock of the app. */
export const inHours = ({ clock }: Pick<House, 'clock'>, hours: number): string =>
  new Date(clock.now().getTime() + hours * 3_600_000).toISOString()

export interface TestHouseOptions {
  readonly hosts?: readonly ImageryHost[]
  readonly clock?: Clock & OrganizationClocks
  readonly background?: Background
  readonly environment?: Readonly<Record<string, string>>
}

export const administrator = { username: 'admin@example.com', password: 'correct horse battery' }

/** Failed tasks are retried at once, as often as their definition allows. */
export const hurried: Background = {
  poll_s: 0.1,
  retry: (declared) => ({ ...declared, delay_s: 0, backoff: false }),
}

/** How many processes serve the app of `startTestApp`; 0: only this one. `npm run test:postgres -- two-processes` sets it. */
const serving = Number(process.env['TEST_SERVING_PROCESSES'] ?? 0)

/** Starts the app on a free port, with its own database and folder; one for each test file. */
export async function bootHouse(options: TestHouseOptions = {}): Promise<TestHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-house-'))
  const environment = {
    SWATH_DATA_DIR: folder,
    SWATH_ADMIN_EMAIL: administrator.username,
    SWATH_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'fatal',
    // Many journeys share an organization, and their rate limits are not under test.
    RATE_LIMIT_CALLS: '0',
    RATE_LIMIT_ORDERS: '0',
    RATE_LIMIT_SPENDING: '0',
    ...options.environment,
  }
  const undeclared = watchUndeclaredProblems()
  const boot = serving > 0 ? bootProcesses(environment, serving, options) : bootHere(environment, options, undeclared)
  const { url, house, stop } = await boot
  const signedIn = (username: string, password: string): Client =>
    createClient({ base: url, token: tokenSource(url, { username, password }) })
  return {
    ...house,
    url,
    signedIn,
    admin: signedIn(administrator.username, administrator.password),
    close: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true })
      undeclared.requireNone()
    },
  }
}

const most_checks = 200

/** Checks at once with one process; with several, retries until the change has reached all of them. */
export async function untilHeard(check: () => Promise<void>): Promise<void> {
  for (let left = serving > 0 ? most_checks : 0; left > 0; left--) {
    const holds = await check().then(
      () => true,
      () => false,
    )
    if (holds) return
    await pause(20)
  }
  await check()
}

type Environment = Readonly<Record<string, string>>

interface Booted {
  readonly house: House
  readonly url: string
  readonly stop: () => Promise<void>
}

async function bootHere(
  environment: Environment,
  options: TestHouseOptions,
  undeclared: UndeclaredProblems,
): Promise<Booted> {
  const { house, url } = await openHouse(readConfig({ PORT: '0', ...environment }), options, undeclared)
  return { house, url, stop: () => house.stop() }
}

/**
 * Starts several API processes and one worker behind a round-robin load balancer. This process opens the same database and
 * queue, but serves no requests and runs no tasks.
 */
async function bootProcesses(environment: Environment, count: number, options: TestHouseOptions): Promise<Booted> {
  const { environment: _, ...here } = options
  if (Object.keys(here).length > 0)
    throw new Error(`options cannot be passed to other processes: ${Object.keys(here).join(', ')}`)
  const server = testServer()
  if (server === null) throw new Error('several processes need a PostgreSQL server; set DATABASE_URL')
  const { url: database, drop } = await createFilledDatabase(server)
  const addresses: string[] = []
  const balancer = await openBalancer(() => addresses)
  const shared = {
    ...environment,
    DATABASE_URL: database,
    BASE_URL: balancer.url,
    SWATH_PLAY_MONEY: 'on',
    SWATH_DEMO: 'on',
  }
  const house = await buildHouse({ config: readConfig(shared), ...cheapCrypto() })
  const started: ServerProcess[] = []
  const stop = async (): Promise<void> => {
    await balancer.close()
    await Promise.all(started.map(endProcess))
    await house.stop()
    await drop()
  }
  try {
    const start = async (port: number, command: string): Promise<void> => {
      const one = startProcess({ ...shared, PORT: String(port) }, command)
      started.push(one)
      await untilSaid(one, /is ready at|listens on no port/)
    }
    const ports = await Promise.all(Array.from({ length: count }, freePort))
    await Promise.all([...ports.map((port) => start(port, 'serve')), start(0, 'worker')])
    addresses.push(...ports.map((port) => `http://127.0.0.1:${port}`))
    return { house, url: balancer.url, stop }
  } catch (error) {
    for (const { child } of started) child.kill('SIGKILL')
    await balancer.close()
    await house.stop()
    await drop()
    throw error
  }
}

/** If the app cannot be created, its database is closed: an open one would keep the test process running. */
async function openHouse(
  config: Config,
  options: TestHouseOptions,
  { onUndeclaredProblem }: UndeclaredProblems,
): Promise<{ house: House; url: string }> {
  const database = await openTestDatabase()
  try {
    const { hosts, clock, background } = options
    const house = await buildHouse({
      config,
      database,
      log: openLog({ level: config.log_level }),
      ...cheapCrypto(),
      onUndeclaredProblem,
      ...(hosts ? { hosts } : {}),
      ...(clock ? { clock } : {}),
      ...(background ? { background } : {}),
    })
    return { house, url: await house.start() }
  } catch (error) {
    await database.close()
    throw error
  }
}
