import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Client } from '@swath/client/client.ts'
import { resolveBeside } from '../harness/programs.ts'
import type { SuiteResult } from './suite-platform.ts'

/** The first program of the README, as a user compiles it. */
export const readmeSource = 'readme.mts'
const readmeProgram = 'readme.mjs'

/** Writes the program of the README into a project, in TypeScript and in JavaScript. */
export async function writeReadmeProgram(project: string): Promise<void> {
  const readme = await readFile(resolveBeside(import.meta.url, '../../../packages/client/README.md'), 'utf8')
  const [, program] = /```ts\n([\s\S]+?)```/.exec(readme) ?? []
  if (program === undefined) throw new Error('The README of the client has no program.')
  const environment = 'declare const process: { readonly env: Record<string, string | undefined> }'
  await writeFile(join(project, readmeSource), `${environment}\n${program}`)
  await writeFile(join(project, readmeProgram), stripTypeScriptTypes(program))
}

/** Runs the program in a runtime with a personal token: a scene is ordered, delivered and downloaded. */
export async function runReadme(
  project: string,
  [runtime = '', ...words]: readonly string[],
  client: Client,
): Promise<SuiteResult> {
  const scopes = ['*:read', '*:write', '*:process']
  const { token } = await client.call('users.tokens.create', { name: 'README', scopes, expires_in_days: 1 })
  const env = { ...process.env, SWATH_ADDRESS: client.baseUrl, SWATH_KEY: token }
  const cwd = await mkdtemp(join(project, 'files-'))
  const printed = await promisify(execFile)(runtime, [...words, join(project, readmeProgram)], { cwd, env }).then(
    ({ stdout }) => stdout,
    String,
  )
  const files = (await readdir(cwd)).filter((name) => name.endsWith('.tif'))
  const isDelivered = /: FULFILLED, \d+ credits\n/.test(printed) && files.length === 1
  return { tried: 1, violations: isDelivered ? [] : [`${runtime}: the program of the README printed ${printed}`] }
}
