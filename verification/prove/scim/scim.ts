import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient, type Client } from '@swath/client/client.ts'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { proveDomain } from '../../../packages/server/test/federation/federated-organization.ts'
import { startTestNameServer, type TestNameServer } from '../../../packages/server/test/federation/name-server.ts'
import { ScimClient } from '../../../packages/server/test/federation/scim-client.ts'
import { resolveBeside, runProgram, startCiService, startService } from '../harness/programs.ts'
import { createFolder } from '../harness/resources.ts'
import { postgresSettings, startServer, type ServerProcess } from '../harness/server-process.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createConsoleSignIn, exchangeCode, readLink, type ConsoleSignIn } from './web-browser.ts'

/** Folder in which the judges are installed, also for `.ci/run`. */
const defaultFolder = (): string => join(tmpdir(), 'swath-scim-judges')

/** How soon a person who is deactivated has no access any more, in every process. */
const max_access_ms = 2000

/** The two servers of one installation, and what the organization of the proof has. */
interface Installation {
  readonly judges: string
  readonly first: ServerProcess
  readonly second: ServerProcess
  readonly names: TestNameServer
  readonly organization: string
  readonly domain: string
  readonly scim: ScimClient
  /** Ports of the two providers. */
  readonly ports: readonly [number, number]
}

/**
 * scim2-tester judges a started server. Members sign in over HTTP with the provider of a customer: oidc-provider of npm, and a second
 * server of ours. Who is deactivated by SCIM at one process has no access at another within two seconds. `data` is the folder of the
 * judges, which are installed if missing.
 */
export async function proveScim({ data }: ProofOptions): Promise<ProofResult> {
  const judges = data ?? defaultFolder()
  await runProgram('bash', [resolveBeside(import.meta.url, './install-judges.sh'), judges])
  await using database = await startCiService('postgres.sh')
  await using folder = await createFolder('scim')
  const names = await startTestNameServer()
  try {
    const ports = [await freePort(), await freePort()] as const
    const environment = {
      ...(await postgresSettings(database.url)),
      SWATH_DATA_DIR: folder.path,
      SWATH_SECRET: 'the secret of the proof, for both processes',
      DNS_SERVERS: names.address,
      OUTSIDE_ALLOW: ports.map((port) => `http://127.0.0.1:${port}`).join(),
    }
    await using first = await startServer(environment)
    await using second = await startServer({ ...environment, PORT: String(await freePort()) })
    const { client } = first
    const domain = await proveDomain({ owner: { client } }, names)
    const { organization } = await client.call('users.me', {})
    const scim = await ScimClient.create(client)
    const installation = { judges, first, second, names, organization: organization!.id, domain, scim, ports }
    const judged = await judgeScim(installation)
    const customer = await proveCustomersProvider(installation)
    const ours = await proveOwnServerAsProvider(installation)
    return {
      tried: `${judged.counts} of scim2-tester; sign-in by oidc-provider and by a second server of ours, back-channel logout, required mode; deactivation seen by a second process after ${customer.access_ms} ms`,
      violations: [...judged.violations, ...customer.violations, ...ours],
    }
  } finally {
    await names.close()
  }
}

/** Runs scim2-tester; prints its results. */
async function judgeScim({ judges, first, domain, scim }: Installation) {
  const session = resolveBeside(import.meta.url, './scim_tester_session.py')
  const request = JSON.stringify({ token: scim.token, base_url: `${first.url}/scim/v2`, domain })
  const child = spawn(join(judges, 'python/bin/python'), [session, request], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, results] = ['', '']
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (results += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  console.log(results)
  const violations = out.split('\n').filter((line) => line !== '')
  return {
    counts: results.trim().split('\n').at(-1) ?? '',
    violations: code === 0 ? violations : [...violations, `scim2-tester ended with ${code}`],
  }
}

/** Enters an address on the sign-in page, presses the button of the organization and follows the link to the provider. */
async function leadToProvider({ browser, url, redirect_uri }: ConsoleSignIn, email: string) {
  const page = await browser.open(url, redirect_uri)
  const lead = await browser.submit(page, redirect_uri, { email, password: '', next_page: 'provider' })
  return browser.open(readLink(lead), redirect_uri)
}

const clientOf = (server: ServerProcess, token: string): Client => createClient({ baseUrl: server.url, token })

const hasAccess = (client: Client): Promise<boolean> =>
  client.call('users.me', {}).then(
    () => true,
    () => false,
  )

/** The settings of the customer's provider, with what each group gives. */
const createSettings = ({ domain, ports }: Installation) => ({
  issuer: `http://127.0.0.1:${ports[0]}`,
  client_id: 'swath',
  client_secret: 'the secret of the client',
  scopes: ['openid', 'email', 'profile', 'groups'],
  domains: [domain],
  roles_claim: 'groups',
  mappings: [{ value: 'gis-admins', role: 'admin' }],
})

async function proveCustomersProvider(installation: Installation) {
  const { first, second, domain, organization, judges, ports, scim } = installation
  const { client } = first
  const broker = `${first.url}/realms/public/broker/${organization}`
  const settings = createSettings(installation)
  const registered = {
    client_id: settings.client_id,
    client_secret: settings.client_secret,
    redirect_uris: [`${broker}/endpoint`],
    backchannel_logout_uri: `${broker}/backchannel-logout`,
    backchannel_logout_session_required: true,
  }
  await using provider = await startService({
    program: process.execPath,
    args: [
      fileURLToPath(new URL('./oidc-provider-server.mjs', import.meta.url)),
      judges,
      JSON.stringify(registered),
      String(ports[0]),
    ],
    url: `${settings.issuer}/.well-known/openid-configuration`,
  })
  const violations: string[] = []
  const expect = (isMet: boolean, what: string): void => void (isMet || violations.push(`oidc-provider: ${what}`))
  const tell = (path: string): Promise<unknown> =>
    fetch(`${provider.url.replace('/.well-known/openid-configuration', '')}${path}`)

  await client.call('organizations.provider.set', settings)
  const { test } = await client.call<{ test: { ok: boolean } }>('organizations.provider.test', {})
  expect(test.ok, 'organizations.provider.test does not accept it')
  const email = `ada@${domain}`
  const person = await scim.createUser(email)
  await tell(`/control?email=${email}&groups=gis-admins,others`)
  const signIn = createConsoleSignIn(first.url)
  const token = await exchangeCode(first.url, signIn, (await leadToProvider(signIn, email)).url)
  const me = await clientOf(second, token).call('users.me', {})
  expect(me.user?.email === email && me.organization?.role === 'admin', `signs in ${JSON.stringify(me)}`)

  await tell(`/logout?email=${email}`)
  expect(!(await isSoonWithout(clientOf(second, token))).hasAccess, 'back-channel logout does not end the session')

  const { one_time_password } = await client.call<{ one_time_password: string }>('organizations.members.add', {
    email: `grace@${domain}`,
  })
  await client.call('organizations.provider.set', { ...settings, mode: 'required' })
  const refused = await fetch(`${second.url}/realms/public/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username: `grace@${domain}`, password: one_time_password }),
  })
  expect(refused.status === 400, `a password answers ${refused.status} although the provider is required`)

  await tell(`/control?email=${email}&groups=others`)
  const again = createConsoleSignIn(first.url)
  const atSecond = clientOf(second, await exchangeCode(first.url, again, (await leadToProvider(again, email)).url))
  expect((await atSecond.call('users.me', {})).organization?.role === 'member', 'the role does not follow the claim')
  await scim.patch(`/Users/${person.body.id}`, { op: 'replace', path: 'active', value: false })
  const { hasAccess: isIn, after_ms } = await isSoonWithout(atSecond)
  expect(!isIn, `a second process gives access ${max_access_ms} ms after the deactivation`)
  return { violations, access_ms: after_ms }
}

/** Polls until a token is refused, for the longest time that it may be accepted. */
async function isSoonWithout(client: Client): Promise<{ readonly hasAccess: boolean; readonly after_ms: number }> {
  const started_ms = performance.now()
  for (;;) {
    const isIn = await hasAccess(client)
    const after_ms = Math.round(performance.now() - started_ms)
    if (!isIn || after_ms > max_access_ms) return { hasAccess: isIn, after_ms }
    await pause(10)
  }
}

/** A server of ours as the provider of an organization of another one. */
async function proveOwnServerAsProvider(installation: Installation): Promise<string[]> {
  const { first, domain, organization, ports } = installation
  const issuer = `http://127.0.0.1:${ports[1]}`
  const redirect_uri = `${first.url}/realms/public/broker/${organization}/endpoint`
  await using folder = await createFolder('scim-provider')
  await using provider = await startServer({
    SWATH_DATA_DIR: folder.path,
    PORT: String(ports[1]),
    CONSOLE_REDIRECT_URIS: redirect_uri,
  })
  const email = `eve@${domain}`
  const added = await provider.client.call<{ one_time_password: string }>('organizations.members.add', { email })
  await first.client.call('organizations.provider.set', {
    issuer: `${issuer}/realms/public`,
    client_id: 'swath-console',
    domains: [domain],
    // Our discovery has no claim that says so: who is added by an admin has no confirmed address.
    email_trust: 'domain',
    mode: 'required',
  })
  const signIn = createConsoleSignIn(first.url)
  const { browser } = signIn
  const page = await leadToProvider(signIn, email)
  const next = await browser.submit(page, signIn.redirect_uri, { email, password: added.one_time_password })
  const chosen = { new_password: 'a password of my own', new_password_again: 'a password of my own' }
  const { url } = await browser.submit(next, signIn.redirect_uri, chosen)
  const me = await clientOf(first, await exchangeCode(first.url, signIn, url)).call('users.me', {})
  const isRight = me.user?.email === email && me.organization?.id === organization && me.organization.role === 'member'
  return isRight ? [] : [`our server as a provider: signs in ${JSON.stringify(me)}`]
}
