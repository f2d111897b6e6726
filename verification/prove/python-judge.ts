import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A script of Python with the libraries that it compares with. */
export interface PythonJudge {
  /** The name of the installed libraries, for messages. */
  readonly name: string
  /** Installs the libraries into a folder if they are missing there. */
  readonly installer: URL
  readonly script: URL
}

/** Runs a script in the virtual environment of a folder, which is made first. Returns the JSON lines that it prints. */
export async function runPythonJudge(
  { name, installer, script }: PythonJudge,
  folder: string,
  request: unknown,
): Promise<unknown[]> {
  const install = spawn('bash', [fileURLToPath(installer), folder], { stdio: 'inherit' })
  const [installed] = (await once(install, 'close')) as [number | null]
  if (installed !== 0) throw new Error(`${name} cannot be installed`)
  const child = spawn(join(folder, 'bin', 'python'), [fileURLToPath(script)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close') as Promise<[number | null]>
  child.stdin.end(JSON.stringify(request))
  const answers: unknown[] = []
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line))
  const [code] = await closed
  if (code !== 0) throw new Error(`${name} ended with ${code}`)
  return answers
}
