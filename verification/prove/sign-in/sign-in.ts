import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@swath/client/client.ts'
import { resolveBeside, runProgram } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { startServer } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createFormBrowser } from './form-browser.ts'
import { createGrantCase } from './grant-case.ts'
import { runGrantsWithOAuth4WebApi } from './oauth4webapi-grants.ts'
import { runGrantsWithOpenIdClient } from './openid-client-grants.ts'
import { runDeviceLogin, runOpenIdClient, type SignInCase } from './openid-client-session.ts'

/** RFC 8252: registered without a port, used with any. */
const nativeRedirectUri = 'http://127.0.0.1/callback'

/** Folder in which the clients are installed, also for `.ci/run`. */
const defaultFolder = (): string => join(tmpdir(), 'swath-sign-in-clients')

/**
 * Signs in to a started server with the OpenID Connect clients of others, from discovery to logout, and each with a user whose
 * one-time password is replaced on the way. `data` is the folder of the clients, which are installed if missing.
 */
export async function proveSignIn({ data }: ProofOptions): Promise<ProofResult> {
  const clients = data ?? defaultFolder()
  await runProgram('bash', [resolveBeside(import.meta.url, './install-clients.sh'), clients])
  await using folder = await createFolder('sign-in')
  await using server = await startServer({ SWATH_DATA_DIR: folder.path, CONSOLE_REDIRECT_URIS: nativeRedirectUri })
  const { client: admin, url } = server
  const consoleCase = await createCase(admin, url, `${url}/auth/callback`)
  const nativeCase = await createCase(admin, url, nativeRedirectUri.replace('/callback', ':51004/callback'))
  const python = join(clients, 'python/bin/python')
  const runPython = (file: string, input: object): Promise<string[]> =>
    runProgram(python, [resolveBeside(import.meta.url, file), JSON.stringify(input)])
  const violations = [
    ...(await runOpenIdClient(clients, createFormBrowser(), consoleCase)),
    ...(await runDeviceLogin(clients, createFormBrowser(), consoleCase)),
    ...(await runPython('./authlib_session.py', nativeCase)),
  ]
  // Each of the users has a password of their own by now.
  const grants = await createGrantCase(admin, url, consoleCase)
  violations.push(...(await runGrantsWithOpenIdClient(clients, createFormBrowser(), grants)))
  violations.push(
    ...(await runGrantsWithOAuth4WebApi(clients, createFormBrowser(), await createGrantCase(admin, url, consoleCase))),
  )
  violations.push(...(await runPython('./authlib_grants.py', await createGrantCase(admin, url, nativeCase))))
  return {
    tried:
      'sign-in, renewal and logout with openid-client and Authlib, and every grant, discovery and registration with openid-client, ' +
      'oauth4webapi and Authlib',
    violations,
  }
}

/** Adds a member with a one-time password. */
async function createCase(admin: Client, url: string, redirect_uri: string): Promise<SignInCase> {
  const email = `${new URL(redirect_uri).port}.member@example.org`
  const added = await admin.call<{ one_time_password: string }>('organizations.members.add', { email, role: 'member' })
  const { key } = await admin.call('api_keys.create', { name: `For ${email}`, permissions: ['can_read'] })
  return {
    issuer: `${url}/realms/public`,
    client_id: 'swath-console',
    redirect_uri,
    post_logout_redirect_uri: `${url}/`,
    api_key: key,
    email,
    password: added.one_time_password,
    new_password: 'a password of my own',
  }
}
