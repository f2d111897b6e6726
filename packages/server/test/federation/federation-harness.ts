import assert from 'node:assert/strict'
import { createClient, type Client } from '@swath/client/client.ts'
import { createManualClock, type ManualClock } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { createTestUser, testPassword, type TestUser } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import {
  authorizationParameters,
  codeGrant,
  createPkce,
  readCode,
  readForm,
  TestBrowser,
  type BrowserResponse,
  type Pkce,
} from '../test-browser.ts'
import { createFederatedOrganization, type FederatedOrganization } from './federated-organization.ts'
import { startTestNameServer, type TestNameServer } from './name-server.ts'
import { startTestProvider, type TestProvider } from './test-provider.ts'

export interface TokenSet {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
}

interface FormAnswer {
  readonly status: number
  readonly body: TokenSet & { readonly error?: string; readonly error_description?: string }
}

/** A browser with an authorization request of the console. */
export interface BrowserSession {
  readonly browser: TestBrowser
  readonly pkce: Pkce
  readonly parameters: URLSearchParams
}

type Claims = Record<string, unknown>

export const tokenPath = '/realms/public/protocol/openid-connect/token'

/** A new address of the domain of an organization. */
export const createAddress = ({ domain }: Pick<FederatedOrganization, 'domain'>): string => `${newId()}@${domain}`

/** The URL of the provider that a page leads to. */
export const readLink = ({ body }: BrowserResponse): string =>
  (/<a class="button" href="([^"]*)"/.exec(body)?.[1] ?? assert.fail(body)).replaceAll('&amp;', '&')

/** A server with a name server and a provider of its own, and browsers that sign in there. */
export class FederationHarness {
  readonly app: TestApp
  readonly names: TestNameServer
  readonly provider: TestProvider
  readonly clock: ManualClock

  private constructor(app: TestApp, names: TestNameServer, provider: TestProvider, clock: ManualClock) {
    this.app = app
    this.names = names
    this.provider = provider
    this.clock = clock
  }

  static async start(): Promise<FederationHarness> {
    const [names, provider] = await Promise.all([startTestNameServer(), startTestProvider()])
    const clock = createManualClock(new Date())
    const environment = { DNS_SERVERS: names.address, OUTSIDE_ALLOW: provider.issuer, RATE_SIGN_INS: '100000' }
    return new FederationHarness(await startTestApp({ environment, clock }), names, provider, clock)
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.provider.close()
    await this.names.close()
  }

  createOrganization(settings: object = {}): Promise<FederatedOrganization> {
    return createFederatedOrganization(this.app, this, settings)
  }

  get callbackUrl(): string {
    return `${this.app.url}/auth/callback`
  }

  async postForm(path: string, fields: Record<string, string>): Promise<FormAnswer> {
    const response = await fetch(`${this.app.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
    const text = await response.text()
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as FormAnswer['body'] }
  }

  createBrowser(changes: Record<string, string> = {}): BrowserSession {
    const pkce = createPkce()
    const parameters = authorizationParameters(pkce, { redirect_uri: this.callbackUrl, ...changes })
    return { browser: new TestBrowser({ url: this.app.url }), pkce, parameters }
  }

  /** Enters an address on the sign-in page and presses the button of the organization; returns the page that leads on. */
  async askForProvider({ browser, parameters }: BrowserSession, email: string): Promise<BrowserResponse> {
    const page = await browser.open(parameters)
    return browser.submit(page, { email, password: '', next_page: 'provider' })
  }

  /** Follows the page to the provider, where `who` signs in; returns the URL that the browser is sent back to. */
  async visitProvider(page: BrowserResponse, who: Claims & { readonly sub: string }): Promise<URL> {
    this.provider.claims = who
    const back = new URL(await this.provider.signIn(readLink(page)))
    assert.equal(back.origin, this.app.url)
    return back
  }

  async signIn(email: string, who: Claims = {}, changes: Record<string, string> = {}) {
    const session = this.createBrowser(changes)
    const page = await this.askForProvider(session, email)
    const claims = { sub: `sub of ${email}`, email, email_verified: true, name: 'Ada', ...who }
    const back = await this.visitProvider(page, claims)
    return { session, back, response: await session.browser.request('GET', `${back.pathname}${back.search}`) }
  }

  async exchange({ pkce }: BrowserSession, response: BrowserResponse): Promise<TokenSet> {
    const fields = { ...codeGrant(readCode(response), pkce), redirect_uri: this.callbackUrl }
    const { status, body } = await this.postForm(tokenPath, fields)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  clientOf({ access_token }: Pick<TokenSet, 'access_token'>): Client {
    return createClient({ baseUrl: this.app.url, token: access_token })
  }

  async signInAndCall(email: string, who: Claims = {}, changes: Record<string, string> = {}) {
    const { session, response } = await this.signIn(email, who, changes)
    const tokens = await this.exchange(session, response)
    const client = this.clientOf(tokens)
    return { session, tokens, client, me: await client.call('users.me', {}) }
  }

  passwordGrant(user: { email: string; password: string }, more: Record<string, string> = {}): Promise<FormAnswer> {
    return this.postForm(tokenPath, {
      grant_type: 'password',
      username: user.email,
      password: user.password,
      ...more,
    })
  }

  /** An account with an address of the domain, in the organization with a role if one is named. */
  async createAccountWith(organization: FederatedOrganization, role: string | null = null): Promise<TestUser> {
    const user = await createTestUser(this.app)
    const email = createAddress(organization)
    await this.app.database.unscoped.query(
      sql`update users set email = ${email}, email_key = ${email} where id = ${user.user}`,
    )
    if (role !== null) await this.addMember(organization, { ...user, email }, role)
    return { ...user, email, client: this.app.createClientFor(email, testPassword) }
  }

  /** Makes a user a member of an organization, as an accepted invitation does. */
  async addMember(
    { organization }: { readonly organization: string },
    user: Pick<TestUser, 'user' | 'email'>,
    role: string,
  ): Promise<void> {
    const { unscoped } = this.app.database
    await unscoped.query(sql`
      insert into memberships (organization_id, user_id, email, name, role, created_at, updated_at)
      values (${organization}, ${user.user}, ${user.email}, 'Test', ${role}, now(), now())`)
    await unscoped.query(sql`
      insert into user_organizations (user_id, organization_id, joined_at)
      values (${user.user}, ${organization}, now())`)
    await unscoped.query(
      sql`update users set organization_id = ${organization} where id = ${user.user} and organization_id is null`,
    )
  }

  /** Signs in with the provider, and enters a password on the page that asks for that of the account. */
  async connect(user: Pick<TestUser, 'email'>, password: string) {
    const visit = await this.signIn(user.email)
    const { action, hidden } = readForm(visit.response.body)
    const path = `${visit.back.pathname}${action}`
    const submit = (value: string): Promise<BrowserResponse> =>
      visit.session.browser.request('POST', path, new URLSearchParams({ ...hidden, password: value }).toString())
    return { ...visit, path, hidden, submit, response: await submit(password) }
  }
}
