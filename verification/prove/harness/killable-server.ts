import { freePort } from '../../../packages/server/test/free-port.mjs'
import type { StepKillMoment } from './kill-points.ts'
import { postgresSettings, ServerProcess } from './server-process.ts'

/** The server has killed itself. */
export class ServerDead extends Error {}

/** A request during which the server may die. */
export async function fetchFromKillable(
  url: string,
  init: RequestInit,
): Promise<{ readonly status: number; readonly replayed: boolean; readonly text: string }> {
  try {
    const response = await fetch(url, init)
    const replayed = response.headers.get('idempotency-replayed') === 'true'
    return { status: response.status, replayed, text: await response.text() }
  } catch (error) {
    throw new ServerDead('the server does not respond', { cause: error })
  }
}

/** A program with an application of a proof, which dies at armed steps and is started again on its data. */
export class KillableServer extends ServerProcess {
  /** Steps that have killed it; they pass. */
  readonly passed = new Set<string>()
  kills = 0

  protected override onOutput(output: string): void {
    for (const [, steps] of output.matchAll(/^\{"killed":(.*)\}$/gm)) {
      for (const step of JSON.parse(steps!) as string[]) this.passed.add(step)
      this.kills++
    }
  }

  /** Calls a proof route of the process; throws `ServerDead` if there is no response. */
  async ask<Result>(name: string, input: object = {}): Promise<Result> {
    const call = { method: 'POST', body: JSON.stringify(input) }
    const { status, text } = await fetchFromKillable(`${this.url}/proof/${name}`, call)
    if (status !== 200) throw new Error(`${name} ${JSON.stringify(input)}: ${status} ${text}`)
    return JSON.parse(text) as Result
  }

  /** The next step that has not killed it does; null: none does. */
  arm = (moment: StepKillMoment | null): Promise<void> => this.ask('arm', { moment, passed: [...this.passed] })
}

/** A killed server starts often and runs for seconds: optimizing compilation would not pay off. */
export const shortLivedFlags = ['--liftoff-only', '--wasm-lazy-validation', '--single-threaded-gc']

interface KillableSettings {
  readonly folder: string
  /** Null: the embedded database. */
  readonly database_url: string | null
  readonly program: string
}

/** Settings with a fixed port, so that clients survive a restart. */
export const killableSettings = async (folder: string, database_url: string | null) => ({
  PORT: String(await freePort()),
  ...(await postgresSettings(database_url)),
  HOST: '127.0.0.1',
  SWATH_DATA_DIR: folder,
  LOG_LEVEL: 'fatal',
})

export async function startKillableServer({
  folder,
  database_url,
  program,
}: KillableSettings): Promise<KillableServer> {
  const server = new KillableServer(await killableSettings(folder, database_url), program, shortLivedFlags)
  await server.start()
  return server
}
