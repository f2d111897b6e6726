import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { moduleLoaderFlags } from '../../../packages/server/test/server-processes.ts'
import { serverEnvironment } from '../../../tools/launch/node.mjs'
import { highLimits, postgresSettings } from '../server-process.ts'
import type { StepKillMoment } from './named-steps.ts'
import type { StoryProcessLine, StoryProcessResults } from './story-process.ts'

const storyProgram = fileURLToPath(new URL('story-process.ts', import.meta.url))

export const login = { username: 'admin@example.com', password: 'story proof password' }

/** A server that dies at each armed step, and is started again on its data. */
export class StoryServer {
  readonly url: string
  /** Steps that have killed it since `forgetSteps`. */
  readonly passed = new Set<string>()
  /** Violations that processes found when they started on the data of a killed one. */
  readonly violations: string[] = []
  kills = 0
  private readonly environment: Readonly<Record<string, string>>
  private readonly program: string
  private child: ChildProcess | null = null
  private exited: Promise<void> = Promise.resolve()

  private constructor(environment: Readonly<Record<string, string>>, program: string) {
    this.environment = environment
    this.program = program
    this.url = `http://127.0.0.1:${environment['PORT']}`
  }

  /** Starts it with a new folder, and a new database of a PostgreSQL server unless `database_url` is null; by default the stories' program. */
  static async open(folder: string, database_url: string | null, program = storyProgram): Promise<StoryServer> {
    const settings = database_url === null ? { DATABASE_URL: '' } : await postgresSettings(database_url)
    const server = new StoryServer({ PORT: String(await freePort()), ...settings, SWATH_DATA_DIR: folder }, program)
    await server.start()
    return server
  }

  /** Starts a process; resolves when it is ready. Throws if it ends before. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [...moduleLoaderFlags(), this.program], {
      env: {
        ...process.env,
        ...serverEnvironment(process.env),
        ...highLimits,
        SWATH_ADMIN_EMAIL: login.username,
        SWATH_ADMIN_PASSWORD: login.password,
        LOG_LEVEL: 'fatal',
        ...this.environment,
        PASSED_STEPS: JSON.stringify([...this.passed]),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.child = child
    const lines = createInterface({ input: child.stdout })
    const ready = new Promise<void>((resolve, reject) => {
      lines.on('line', (text) => this.readLine(text, resolve))
      lines.once('close', () => reject(new Error('the server ended before it was ready')))
    })
    this.exited = new Promise((resolve) => lines.once('close', resolve))
    await ready
  }

  private readLine(text: string, resolve: () => void): void {
    if (!text.startsWith('{')) return
    const line = JSON.parse(text) as StoryProcessLine
    if ('killed' in line) {
      for (const step of line.killed) this.passed.add(step)
      this.kills++
      return
    }
    this.violations.push(...line.violations)
    resolve()
  }

  /** Of the process that runs. */
  get pid(): number {
    return this.child!.pid!
  }

  /** True if the process has exited or exits within some seconds, which is then why a call failed. */
  async hasDied(): Promise<boolean> {
    const timeout = new Promise<false>((resolve) => setTimeout(() => resolve(false), 10_000).unref())
    return Promise.race([this.exited.then(() => true), timeout])
  }

  /** Every step kills it once more. */
  async forgetSteps(): Promise<void> {
    this.passed.clear()
    await this.ask('forget')
  }

  /** Calls a proof route of the process. */
  async ask<Name extends keyof StoryProcessResults>(
    name: Name,
    query: Readonly<Record<string, string>> = {},
  ): Promise<StoryProcessResults[Name]> {
    const response = await fetch(`${this.url}/proof/${name}?${new URLSearchParams(query)}`, { method: 'POST' })
    if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
    return (await response.json()) as StoryProcessResults[Name]
  }

  /** The next step that has not killed it does; null: none does. */
  arm = (moment: StepKillMoment | null): Promise<true> => this.ask('arm', moment === null ? {} : { moment })

  /** Ends the process, as a step does. */
  async kill(): Promise<void> {
    this.child?.kill('SIGKILL')
    await this.exited
  }

  /** Ends the process gracefully. */
  async stop(): Promise<void> {
    this.child?.kill('SIGTERM')
    await this.exited
  }

  close = (): Promise<void> => this.kill()
}
