import { everyScope } from '@swath/client/every-scope.ts'
import { createCitusSettings } from '../../../packages/server/test/citus/cluster.ts'
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { moduleLoaderFlags } from '../../../packages/server/test/server-processes.ts'
import { serverEnvironment } from '../../../tools/launch/node.mjs'
import { waitFor } from './resources.ts'

const serverMain = fileURLToPath(new URL('../../../packages/server/src/main.ts', import.meta.url))
const ready_timeout_ms = 180_000

/** The administrator of every server that proofs and benchmarks start. */
export const administrator = { username: 'admin@example.com', password: 'password of the proof', scope: everyScope }

/** Benchmarks and proofs exceed the default rate limits; high limits are counted like low ones. */
const highLimits = {
  RATE_LIMIT_CALLS: '1000000000',
  TWO_PERSON_CREDITS: '0',
  RATE_LIMIT_ORDERS: '1000000',
  RATE_LIMIT_SPENDING: '1000000',
  MAX_WAIT_MS: '600000',
}

/** Settings of a server with an embedded database on a free port. */
export const defaultSettings = {
  PORT: '0',
  DATABASE_URL: '',
  SWATH_ADMIN_EMAIL: administrator.username,
  SWATH_ADMIN_PASSWORD: administrator.password,
  ...highLimits,
}

/** Settings for PostgreSQL: its URL, and test money and demo imagery, which need to be enabled there; none if it is null. */
export async function postgresSettings(database_url: string | null): Promise<Record<string, string>> {
  if (!database_url) return {}
  const port = await freePort()
  return {
    DATABASE_URL: database_url,
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    SWATH_PLAY_MONEY: 'on',
    SWATH_DEMO: 'on',
    ...createCitusSettings(database_url),
  }
}

export type Environment = Readonly<Record<string, string>>

/** Starts a program with the default settings of servers and these; `flags` are Node flags. */
export const spawnProgram = (
  program: string,
  environment: Environment,
  stdio: StdioOptions,
  flags: readonly string[] = [],
): ChildProcess =>
  spawn(process.execPath, [...moduleLoaderFlags(), ...flags, program], {
    env: { ...process.env, ...serverEnvironment(process.env), LOG_LEVEL: 'error', ...defaultSettings, ...environment },
    stdio,
  })

/** The product, or another program that prints when it is ready, as a process that can be killed and started again. */
export class ServerProcess {
  url = ''
  /** The administrator of the last start. */
  client!: Client
  token!: () => Promise<string>
  readonly environment: Environment
  private readonly program: string
  private readonly flags: readonly string[]
  private child: ChildProcess | null = null
  private output: string | null = null
  private exited: Promise<number | null> = Promise.resolve(null)

  constructor(environment: Environment, program: string = serverMain, flags: readonly string[] = []) {
    this.environment = environment
    this.program = program
    this.flags = flags
  }

  get pid(): number {
    return this.child!.pid!
  }

  /** Resolves when it is ready. Throws if it ends before. */
  async start(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'swath-output-'))
    const path = join(folder, 'output')
    // A file, not a pipe: a benchmark must not spend its time on reading log lines.
    const file = openSync(path, 'w')
    const child = spawnProgram(this.program, this.environment, ['ignore', file, 'inherit'], this.flags)
    closeSync(file)
    // A failing caller must not leave the server running.
    const kill = (): boolean => child.kill('SIGKILL')
    process.once('exit', kill)
    this.child = child
    this.output = null
    this.exited = once(child, 'exit').then(async ([code]) => {
      process.off('exit', kill)
      this.output = await readFile(path, 'utf8')
      this.onOutput(this.output)
      await rm(folder, { recursive: true, force: true })
      return code as number | null
    })
    const printed = await waitFor(() => this.findUrl(path), { timeout_ms: ready_timeout_ms, poll_ms: 50 })
    if (printed === null) {
      await this.kill()
      throw new Error(`the server was not ready within ${ready_timeout_ms / 1000} s`)
    }
    // It prints the base URL, which several processes of one installation share.
    const { PORT: port = '0', BASE_URL: base_url } = this.environment
    const isShared = port !== '0' && base_url !== undefined && new URL(base_url).port !== port
    const url = isShared ? `http://127.0.0.1:${port}` : printed
    if (url === this.url) return
    this.url = url
    this.token = createTokenSource(url, administrator)
    this.client = createClient({ baseUrl: url, token: this.token })
  }

  /** The URL that the process prints when it listens. */
  private async findUrl(path: string): Promise<string | null> {
    const output = this.output ?? (await readFile(path, 'utf8').catch(() => ''))
    const [, url = null] = /is ready at (http:\/\/\S+)/.exec(output) ?? []
    if (url === null && this.output !== null)
      throw new Error(`the server ended with ${this.child!.exitCode} before it was ready`)
    return url
  }

  /** Called with all that a process has printed, when it has ended. */
  protected onOutput(_output: string): void {}

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child?.kill(signal)
    return this.exited
  }

  /** Sends SIGKILL and waits for the exit. */
  kill = async (): Promise<void> => void (await this.end('SIGKILL'))

  /** Sends SIGTERM and waits for the graceful shutdown. */
  stop = (): Promise<number | null> => this.end('SIGTERM')

  /** Kills it and starts it again. */
  async restart(): Promise<void> {
    await this.kill()
    await this.start()
  }

  /** True if the process has exited or exits within some seconds, which is then why a call failed. */
  async hasDied(): Promise<boolean> {
    const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), 10_000).unref())
    return Promise.race([this.exited.then(() => true), timeout])
  }

  [Symbol.asyncDispose] = this.kill
}

export async function startServer(
  environment: Environment,
  program?: string,
  flags?: readonly string[],
): Promise<ServerProcess> {
  const server = new ServerProcess(environment, program, flags)
  await server.start()
  return server
}

/** Grants the organization of a client more credits than it can spend. */
export async function grantCredits(client: Client): Promise<void> {
  const { organization } = await client.call<{ organization: { id: string } }>('users.me')
  const adjustment = { organization_id: organization.id, amount_credits: 1_000_000_000, reason: 'proof' }
  await client.call('admin.orgs.credit_adjust', adjustment)
}
