import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { disposeWith, waitFor } from './resources.ts'

/** The path of a script of `.ci/`. */
export const ciScript = (name: string): string => fileURLToPath(new URL(`../../../.ci/${name}`, import.meta.url))

const max_output_bytes = 2 ** 26

/** The path of a file beside a module. */
export const resolveBeside = (module_url: string, name: string): string => fileURLToPath(new URL(name, module_url))

/** Runs a program, by default in the present folder; returns the lines that it prints. Throws if it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env = process.env,
  cwd?: string,
): Promise<string[]> {
  const { stdout } = await promisify(execFile)(program, [...args], { env, cwd, maxBuffer: max_output_bytes })
  return stdout.split('\n').filter((line) => line !== '')
}

/** Runs a script of `.ci/`; returns the last line that it prints, which is the URL of what it started. */
export const runCiScript = async (name: string, ...args: readonly string[]): Promise<string> =>
  (await runProgram(ciScript(name), args)).at(-1) ?? ''

/** Starts a service by a script of `.ci/`, which stops it at the end. */
export async function startCiService(
  name: string,
  ...args: readonly string[]
): Promise<AsyncDisposable & { readonly url: string }> {
  return disposeWith({ url: await runCiScript(name, ...args) }, ({ url }) => runCiScript(name, 'stop', url))
}

interface ServiceProgram {
  readonly program: string
  readonly args: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
  /** Answers when it is ready. */
  readonly url: string
  readonly isReady?: (response: Response) => boolean
}

export type ServiceProcess = AsyncDisposable & { readonly url: string; stop(): Promise<void> }

/** Starts a server of others with its child processes, and waits until it is ready. */
export async function startService({
  program,
  args,
  environment = {},
  url,
  isReady = ({ ok }) => ok,
}: ServiceProgram): Promise<ServiceProcess> {
  const child = spawn(program, [...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
    // Its workers may be child processes: a process group ends all of them.
    detached: true,
  })
  const exited = once(child, 'exit')
  const end = (): void => endGroup(child)
  process.once('exit', end)
  const stop = async (): Promise<void> => {
    end()
    await exited
    process.off('exit', end)
  }
  const find = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode} before it was ready`)
    const response = await fetch(url).catch(() => null)
    return response !== null && isReady(response)
  }
  try {
    if (!(await waitFor(find, { timeout_ms: 60_000 }))) throw new Error(`${program} was not ready in time`)
  } catch (error) {
    await stop()
    throw error
  }
  return disposeWith({ url, stop }, stop)
}

function endGroup({ exitCode, signalCode, pid }: ChildProcess): void {
  if (exitCode === null && signalCode === null) process.kill(-pid!, 'SIGTERM')
}

/** A script of Python with the libraries that it compares with. */
export interface PythonJudge {
  /** Installs the libraries into a folder if they are missing there. */
  readonly installer: URL
  readonly script: URL
}

/** Runs a script in the virtual environment of a folder, which is made first. Returns the JSON lines that it prints. */
export async function runPythonJudge(
  { installer, script }: PythonJudge,
  folder: string,
  request: unknown,
): Promise<unknown[]> {
  const install = spawn('bash', [fileURLToPath(installer), folder], { stdio: 'inherit' })
  const [installed] = (await once(install, 'close')) as [number | null]
  if (installed !== 0) throw new Error(`${installer.pathname} failed`)
  const child = spawn(join(folder, 'bin', 'python'), [fileURLToPath(script)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close') as Promise<[number | null]>
  child.stdin.end(JSON.stringify(request))
  const answers: unknown[] = []
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line))
  const [code] = await closed
  if (code !== 0) throw new Error(`${script.pathname} ended with ${code}`)
  return answers
}
