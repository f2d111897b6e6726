import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { startServer } from '../server-process.ts'
import { createFormBrowser } from './form-browser.ts'
import { runDeviceLogin, runOpenIdClient, type SignInCase } from './openid-client-session.ts'

const login = { username: 'admin@example.com', password: 'sign-in proof password' }
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
  await run('bash', resolveFile('./install-clients.sh'), clients)
  const folder = await mkdtemp(join(tmpdir(), 'swath-sign-in-'))
  const server = await startServer({
    SWATH_DATA_DIR: folder,
    PORT: '0',
    SWATH_ADMIN_EMAIL: login.username,
    SWATH_ADMIN_PASSWORD: login.password,
    CONSOLE_REDIRECT_URIS: nativeRedirectUri,
    DATABASE_URL: '',
  })
  try {
    const admin = createClient({ baseUrl: server.url, token: createTokenSource(server.url, login) })
    const browser = createFormBrowser()
    const consoleCase = await createCase(admin, server.url, `${server.url}/auth/callback`)
    const nativeCase = await createCase(admin, server.url, nativeRedirectUri.replace('/callback', ':51004/callback'))
    const fromNode = await runOpenIdClient(clients, browser, consoleCase)
    const fromDevice = await runDeviceLogin(clients, createFormBrowser(), consoleCase)
    const fromPython = await run(
      join(clients, 'python/bin/python'),
      resolveFile('./authlib_session.py'),
      JSON.stringify(nativeCase),
    )
    return {
      tried: 'sign-in, renewal and logout with openid-client and Authlib, and device login with openid-client',
      violations: [...fromNode, ...fromDevice, ...fromPython],
    }
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Adds a member with a one-time password. */
async function createCase(admin: Client, url: string, redirect_uri: string): Promise<SignInCase> {
  const email = `${new URL(redirect_uri).port}.member@example.org`
  const added = await admin.call<{ one_time_password: string }>('organizations.members.add', { email, role: 'member' })
  return {
    issuer: `${url}/realms/public`,
    client_id: 'swath-console',
    redirect_uri,
    post_logout_redirect_uri: `${url}/`,
    email,
    password: added.one_time_password,
    new_password: 'a password of my own',
  }
}

const resolveFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** Runs a program and returns its output lines. Throws if it fails. */
async function run(program: string, ...parameters: string[]): Promise<string[]> {
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${text}`)
  return text.split('\n').filter((line) => line !== '')
}
