import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Client } from '@swath/client/client.ts'
import type { ParsedMail } from 'mailparser'
import { createManualClock, type ManualClock } from '../../src/platform/clock.ts'
import { readOutbox, recipientsOf } from '../alerts/mail.ts'
import { realmPath } from '../identity-test-app.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import {
  authorizationParameters,
  codeGrant,
  consoleClient,
  createPkce,
  readCode,
  TestBrowser,
  type BrowserResponse,
  type Pkce,
} from '../test-browser.ts'
import { testPassword } from '../test-organizations.ts'
import { createAuthenticatorApp, type TestAuthenticatorApp } from './authenticator-app.ts'

export const tokenPath = `${realmPath}/token`

/** A response of the token endpoint. */
export interface TokenAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** An app with a manual clock whose e-mails go to a folder. */
export interface AccountTestApp {
  readonly app: TestApp
  readonly clock: ManualClock
  /** The URL with a host name, which passkeys need. */
  readonly url: string
  requestToken(fields: Readonly<Record<string, string>>): Promise<TokenAnswer>
  /** A client with a token of the password grant. */
  signIn(email: string, fields?: Readonly<Record<string, string>>): Promise<SignedIn>
  createClientOf(token: string): Client
  /** The e-mails to an address with this subject, once there are so many. */
  waitForMails(email: string, subject: RegExp, count?: number): Promise<ParsedMail[]>
  listMails(email: string): Promise<ParsedMail[]>
  close(): Promise<void>
}

export interface SignedIn {
  readonly client: Client
  readonly token: string
  readonly refresh_token: string
}

export async function startAccountTestApp(): Promise<AccountTestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-accounts-'))
  const clock = createManualClock(new Date('2026-03-01T12:00:00.000Z'))
  const app = await startTestApp({ clock, background: { poll_s: 0.05 }, environment: { SWATH_DATA_DIR: folder } })
  const url = app.url.replace('127.0.0.1', 'localhost')
  const createClientOf = (token: string): Client => createClient({ baseUrl: url, token })
  const requestToken: AccountTestApp['requestToken'] = async (fields) => {
    const response = await fetch(`${url}${tokenPath}`, { method: 'POST', body: new URLSearchParams(fields) })
    return { status: response.status, body: (await response.json()) as TokenAnswer['body'] }
  }
  const listMails = async (email: string): Promise<ParsedMail[]> =>
    (await readOutbox(join(folder, 'outbox'))).filter((mail) => recipientsOf(mail).includes(email))
  return {
    app,
    clock,
    url,
    requestToken,
    createClientOf,
    listMails,
    signIn: async (username, fields = {}) => {
      const { status, body } = await requestToken({
        grant_type: 'password',
        username,
        password: testPassword,
        ...fields,
      })
      assert.equal(status, 200, JSON.stringify(body))
      const token = String(body['access_token'])
      return { client: createClientOf(token), token, refresh_token: String(body['refresh_token']) }
    },
    waitForMails: async (email, subject, count = 1) => {
      for (let attempt = 0; attempt < 500; attempt += 1) {
        const mails = (await listMails(email)).filter((mail) => subject.test(mail.subject ?? ''))
        if (mails.length >= count) return mails
        await pause(20)
      }
      return assert.fail(`no e-mail to ${email} about ${String(subject)}`)
    },
    close: async () => {
      await app.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The link with a token in an e-mail. */
export const linkOf = ({ text = '' }: Pick<ParsedMail, 'text'>): URL => new URL(/https?:\S+\?token=\S+/.exec(text)![0])

/** The path and query of a link, as a browser asks for them. */
export const pathOf = (url: URL): string => `${url.pathname}${url.search}`

/** Turns an authenticator app on for somebody who has just signed in. The clock moves on, so that the next code is another one. */
export async function setUpApp(fixture: AccountTestApp, client: Client): Promise<TestAuthenticatorApp> {
  const { secret } = await client.call<{ secret: string }>('users.totp.begin', {})
  const { recovery_codes } = await client.call<{ recovery_codes: string[] }>('users.totp.confirm', {
    otp: createAuthenticatorApp(fixture, secret).code(),
  })
  fixture.clock.advance(30_000)
  return createAuthenticatorApp(fixture, secret, recovery_codes)
}

/** A browser, and the request of the console that it signs in for. */
export interface ConsoleVisit {
  readonly browser: TestBrowser
  readonly pkce: Pkce
  readonly parameters: URLSearchParams
}

export function visitConsole(
  { url }: Pick<AccountTestApp, 'url'>,
  changes: Readonly<Record<string, string | undefined>> = {},
  browser = new TestBrowser({ url }),
): ConsoleVisit {
  const pkce = createPkce()
  const parameters = authorizationParameters(pkce, { redirect_uri: `${url}/auth/callback`, ...changes })
  return { browser, pkce, parameters }
}

/** Exchanges the code of a redirect to the console. */
export const exchange = (
  fixture: AccountTestApp,
  { pkce }: Pick<ConsoleVisit, 'pkce'>,
  response: BrowserResponse,
): Promise<TokenAnswer> =>
  fixture.requestToken({
    ...codeGrant(readCode(response), pkce),
    client_id: consoleClient,
    redirect_uri: `${fixture.url}/auth/callback`,
  })

/** The claims of a token, unverified. */
export const claimsOf = (token: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(token).split('.')[1]!, 'base64url').toString('utf8')) as Record<string, unknown>

/** The options of the passkey that a page asks for. */
export function passkeyOptionsOf({ body }: Pick<BrowserResponse, 'body'>): never {
  const text = /data-options="([^"]*)"/.exec(body)?.[1]
  assert.ok(text, body)
  return JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')) as never
}
