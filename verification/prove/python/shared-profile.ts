import { join } from 'node:path'
import { resolveBeside, runProgram } from '../harness/programs.ts'
import { administrator } from '../harness/server-process.ts'

const root = resolveBeside(import.meta.url, '../../..')

/**
 * The package signs in, and the command line and the package renew the session in turns, each with the refresh token that the other has
 * stored: a token that was used twice would end it. Returns what was violated.
 */
export async function proveSharedProfile(python: string, url: string, folder: string): Promise<string[]> {
  const { SWATH_KEY: _key, SWATH_USERNAME: _username, SWATH_PASSWORD: _password, ...rest } = process.env
  const own = { SWATH_CONFIG_DIR: join(folder, 'config'), SWATH_NO_KEYCHAIN: '1', PROOF_URL: url }
  const env = { ...rest, ...own, PROOF_USERNAME: administrator.username, PROOF_PASSWORD: administrator.password }
  const script = resolveBeside(import.meta.url, './profile_session.py')
  const commandLine = ['tools/launch/run.mjs', 'packages/cli/src/main.ts', 'whoami', '--json']
  const steps = [
    [python, script, 'login'],
    ['node', ...commandLine],
    [python, script, 'use'],
    ['node', ...commandLine],
    [python, script, 'use'],
  ]
  const violations: string[] = []
  for (const [number, [program = '', ...words]] of steps.entries()) {
    const lines = await runProgram(program, words, env, root).catch((error: Error) => [String(error)])
    if (!lines.join('\n').includes(administrator.username)) violations.push(`step ${number + 1} of the shared profile: ${lines.join(' ')}`) // prettier-ignore
  }
  return violations
}
