import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createClient } from '@swath/client/client.ts'
import { realmPath } from '../identity-test-app.ts'
import { authorizationParameters, codeGrant, createPkce, readCode, TestBrowser } from '../test-browser.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import { assertEventually, startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app)
})
after(() => app?.close())

interface ClientTokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
  readonly error?: string
}

const redirectUri = (): string => `${app.url}/auth/callback`

async function postToken(fields: Record<string, string>): Promise<ClientTokens> {
  const response = await fetch(`${app.url}${realmPath}/token`, { method: 'POST', body: new URLSearchParams(fields) })
  return (await response.json()) as ClientTokens
}

const statusOf = async (access_token: string): Promise<number> =>
  (await createClient({ baseUrl: app.url, token: access_token }).fetch('/v1/op/users.me', { method: 'POST' })).status

test('a member replaces a one-time password, uses the console, is renewed silently and signs out', async () => {
  const member = await org.addMember('member')
  const browser = new TestBrowser(app)
  const authorize = async (changes: Record<string, string> = {}) => {
    const pkce = createPkce()
    const parameters = authorizationParameters(pkce, { redirect_uri: redirectUri(), ...changes })
    const exchange = (code: string): Promise<ClientTokens> =>
      postToken({ ...codeGrant(code, pkce), redirect_uri: redirectUri() })
    return { response: await browser.open(parameters), exchange }
  }
  const first = await authorize()
  const chooser = await browser.submit(first.response, { email: member.email, password: member.password })
  const chosen = 'a password of my own'
  const redirect = await browser.submit(chooser, { new_password: chosen, new_password_again: chosen })
  const code = readCode(redirect)
  const tokens = await first.exchange(code)
  const me = await createClient({ baseUrl: app.url, token: tokens.access_token }).call('users.me', {})
  assert.equal(me.user?.email, member.email)

  const silent = await authorize({ prompt: 'none' })
  const renewed = await silent.exchange(readCode(silent.response))
  assert.equal(await statusOf(renewed.access_token), 200)

  const logout = new URLSearchParams({ id_token_hint: renewed.id_token, post_logout_redirect_uri: `${app.url}/` })
  const signedOut = await browser.request('GET', `${realmPath}/logout?${logout.toString()}`)
  assert.equal(signedOut.location?.href, `${app.url}/`)
  await assertEventually(async () => {
    for (const { access_token } of [tokens, renewed]) assert.equal(await statusOf(access_token), 401)
  })
  assert.equal((await authorize({ prompt: 'none' })).response.location?.searchParams.get('error'), 'login_required')
})

test('a code that is used twice ends its tokens in every process', async () => {
  const browser = new TestBrowser(app)
  const pkce = createPkce()
  const parameters = authorizationParameters(pkce, { redirect_uri: redirectUri() })
  const code = readCode(await browser.signIn(parameters, org.owner.email, org.owner.password))
  const exchange = () => postToken({ ...codeGrant(code, pkce), redirect_uri: redirectUri() })
  const responses = [await exchange(), await exchange()]
  assert.equal(responses[1]?.error, 'invalid_grant')
  await assertEventually(async () => assert.equal(await statusOf(responses[0]!.access_token), 401))
})
