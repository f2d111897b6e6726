import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@swath/client/client.ts'
import { resolveBeside, runProgram } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { startServer } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createFormBrowser } from './form-browser.ts'
import { createGrantCase, type GrantCase } from './grant-case.ts'
import { runGrantsWithOAuth4WebApi } from './oauth4webapi-grants.ts'
import { runGrantsWithOpenIdClient } from './openid-client-grants.ts'
import { runPlan } from './plan.ts'
import { runDeviceLogin, runOpenIdClient, type SignInCase } from './openid-client-session.ts'

/** RFC 8252: registered without a port, used with any. */
const nativeRedirectUri = 'http://127.0.0.1/callback'

const sessionCapability = 'sign-in, renewal and logout'
const grantsCapability = 'every grant, discovery and registration'

/** Folder in which the clients are installed, also for `.ci/run`. */
const defaultFolder = (): string => join(tmpdir(), 'swath-sign-in-clients')

/** What one client did with a server, or what all of them together show about it. */
export interface SignInWalk {
  readonly client: string
  readonly capability: string
  readonly violations: readonly string[]
}

/**
 * Signs in to a started server with the OpenID Connect clients of others, from discovery to logout, and each with a user whose
 * one-time password is replaced on the way. `data` is the folder of the clients, which are installed if missing.
 */
export async function proveSignIn({ data }: ProofOptions): Promise<ProofResult> {
  const walks = await walkSignIn(data ?? defaultFolder())
  return {
    tried: walks.map(({ client, capability }) => `${client}: ${capability}`).join('; '),
    violations: walks.flatMap(({ violations }) => violations),
  }
}

/** Walks with each client of the folder, which are installed if missing, on a server of its own. */
export async function walkSignIn(clients: string): Promise<SignInWalk[]> {
  await runProgram('bash', [resolveBeside(import.meta.url, './install-clients.sh'), clients])
  await using folder = await createFolder('sign-in')
  await using server = await startServer({ SWATH_DATA_DIR: folder.path, CONSOLE_REDIRECT_URIS: nativeRedirectUri })
  const { client: admin, url } = server
  const consoleCase = await createCase(admin, url, `${url}/auth/callback`)
  const nativeCase = await createCase(admin, url, nativeRedirectUri.replace('/callback', ':51004/callback'))
  const python = join(clients, 'python/bin/python')
  const runPython = (file: string, input: object): Promise<string[]> =>
    runProgram(python, [resolveBeside(import.meta.url, file), JSON.stringify(input)])
  const walks: SignInWalk[] = []
  const add = (client: string, capability: string, violations: readonly string[]): void =>
    void walks.push({ client, capability, violations })
  add('openid-client', sessionCapability, await runOpenIdClient(clients, createFormBrowser(), consoleCase))
  add('openid-client', 'device sign-in', await runDeviceLogin(clients, createFormBrowser(), consoleCase))
  add('Authlib', sessionCapability, await runPython('./authlib_session.py', nativeCase))
  // Each of the users has a password of their own by now.
  const consoleGrants = (): Promise<GrantCase> => createGrantCase(admin, url, consoleCase)
  const walkNode = async (client: string, run: typeof runGrantsWithOpenIdClient): Promise<void> =>
    add(client, grantsCapability, await run(clients, createFormBrowser(), await consoleGrants()))
  await walkNode('openid-client', runGrantsWithOpenIdClient)
  await walkNode('oauth4webapi', runGrantsWithOAuth4WebApi)
  add(
    'Authlib',
    grantsCapability,
    await runPython('./authlib_grants.py', await createGrantCase(admin, url, nativeCase)),
  )
  const plan = await runPlan(createFormBrowser(), await consoleGrants())
  add('a browser', `${plan.count} requirements of a Basic OpenID Provider and of RFC 9700`, plan.violations)
  return walks
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
