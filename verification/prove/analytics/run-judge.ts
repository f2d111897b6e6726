import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Where the judges are installed, also for `.ci/run`. */
export const judgeFolder = join(tmpdir(), 'swath-analytics-judge')

/** Runs a Python script with the judges, which are installed in the folder if they are missing. Returns its JSON lines. */
export async function runJudge(folder: string, script: URL, request: unknown): Promise<unknown[]> {
  const installer = fileURLToPath(new URL('install.sh', import.meta.url))
  const install = spawn('bash', [installer, folder], { stdio: 'inherit' })
  const [installed] = (await once(install, 'close')) as [number | null]
  if (installed !== 0) throw new Error('the judges of the analytics cannot be installed')
  const child = spawn(join(folder, 'bin', 'python'), [fileURLToPath(script)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = once(child, 'close') as Promise<[number | null]>
  child.stdin.end(JSON.stringify(request))
  const answers: unknown[] = []
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line))
  const [code] = await closed
  if (code !== 0) throw new Error(`the judge ended with ${code}`)
  return answers
}
