import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { signInWithDevice } from './device.ts'
import { SignInError } from './oauth.ts'
import { beginSignIn, finishSignIn } from './pkce.ts'
import { createToken, type SignIn } from './sign-in.ts'
import { createMemoryStore, type TokenStore } from './token-source.ts'

const baseUrl = 'https://swath.example'

type Form = Readonly<Record<string, string>>

/** A platform that answers the forms of sign-ins in turn, the last answer for ever. */
function createServer(...answers: (object | (() => Response))[]) {
  const forms: (Form & { readonly endpoint: string })[] = []
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init)
    const form = Object.fromEntries(new URLSearchParams(await request.text()))
    forms.push({ ...form, endpoint: new URL(request.url).pathname.split('openid-connect/')[1]! })
    const answer = answers[Math.min(forms.length, answers.length) - 1]!
    return typeof answer === 'function' ? (answer as () => Response)() : Response.json(answer)
  }
  return { forms, server: { baseUrl, fetch } }
}

const tokens = (access_token: string, refresh_token?: string, expires_in = 900) => ({ access_token, expires_in, ...(refresh_token ? { refresh_token } : {}) }) // prettier-ignore
const refuse =
  (error: string, members: object = {}) =>
  (): Response =>
    Response.json({ error, error_description: `It is ${error}.`, ...members }, { status: 400 })

async function tokenOf(signIn: SignIn, server: Parameters<typeof createToken>[0], store?: TokenStore) {
  const token = createToken(server, signIn, store)
  assert.ok(typeof token === 'function')
  return token
}

/** Ends waits at once, and returns how long they would have been. */
function skipWaits(t: TestContext): number[] {
  const waits: number[] = []
  t.mock.method(globalThis, 'setTimeout', (finish: () => void, wait_ms: number) => {
    waits.push(wait_ms)
    setImmediate(finish)
  })
  return waits
}

test('many callers share one sign-in and one refresh', async () => {
  const { forms, server } = createServer(tokens('first', 'r1', 10), tokens('second', 'r2'))
  const token = await tokenOf({ username: 'a@example.org', password: 'secret' }, server)
  assert.deepEqual(await Promise.all([token(), token(), token()]), ['first', 'first', 'first'])
  // The first is about to expire.
  assert.deepEqual(await Promise.all([token(), token(), token()]), ['second', 'second', 'second'])
  assert.equal(await token(), 'second')
  assert.deepEqual(forms, [
    { endpoint: 'token', grant_type: 'password', username: 'a@example.org', password: 'secret' },
    { endpoint: 'token', grant_type: 'refresh_token', refresh_token: 'r1' },
  ])
})

test('a token that was refused is renewed, and a session that has ended begins again', async () => {
  const { forms, server } = createServer(tokens('first', 'r1'), refuse('invalid_grant'), tokens('second'))
  const token = await tokenOf({ clientId: 'agent', clientSecret: 's' }, server)
  const first = await token()
  assert.equal(await token(first), 'second')
  assert.equal(await token(first), 'second', 'another caller with the refused token')
  assert.deepEqual(
    forms.map(({ grant_type, client_id, client_secret }) => [grant_type, client_id, client_secret]),
    ['client_credentials', 'refresh_token', 'client_credentials'].map((grant) => [grant, 'agent', 's']),
  )
})

test('an outage does not end a session: nobody has to sign in again', async () => {
  const { forms, server } = createServer(() => new Response('starting', { status: 503 }))
  const store = createMemoryStore({ accessToken: 'old', refreshToken: 'r1', expires_at_ms: 0 })
  const token = await tokenOf({ device: { onCode: () => assert.fail('a sign-in began') } }, server, store)
  await assert.rejects(token(), { status: 503 })
  assert.equal(forms.length, 1)
})

test('a session is kept in the store, where another process finds it', async () => {
  const { forms, server } = createServer(tokens('first', 'r1'))
  const store = createMemoryStore()
  assert.equal(await (await tokenOf({ username: 'a', password: 'b' }, server, store))(), 'first')
  assert.equal(await (await tokenOf({ username: 'a', password: 'b' }, server, store))(), 'first')
  assert.equal(forms.length, 1)
  assert.equal((await store.load())?.refreshToken, 'r1')
})

test('tokens that are given replace those of an earlier session in the store, but not newer ones', async () => {
  const session = (accessToken: string, minutes: number) => ({ accessToken, refreshToken: 'r', expires_at_ms: Date.now() + minutes * 60_000 }) // prettier-ignore
  const { server } = createServer(refuse('invalid_grant'))
  const given = { tokens: session('given', 10), clientId: 'program' }
  for (const [stored, expected] of [
    [null, 'given'],
    [session('of another user', 5), 'given'],
    [session('renewed', 20), 'renewed'],
  ] as const)
    assert.equal(await (await tokenOf(given, server, createMemoryStore(stored)))(), expected)
})

test('processes take turns at the lock of their store, and a rate limit does not end a session', async () => {
  const limited = (): Response => Response.json({ error: 'slow_down' }, { status: 429 })
  const { forms, server } = createServer(limited, tokens('second', 'r2'))
  const store = createMemoryStore({ accessToken: 'first', refreshToken: 'r1', expires_at_ms: 0 })
  let locked = 0
  const lock: NonNullable<TokenStore['lock']> = async (work) => {
    locked += 1
    return work()
  }
  const token = await tokenOf({ username: 'a@example.org', password: 'secret' }, server, { ...store, lock })
  await assert.rejects(token(), { status: 429 })
  assert.equal(await token(), 'second')
  assert.deepEqual([locked, ...forms.map(({ grant_type }) => grant_type)], [2, 'refresh_token', 'refresh_token'])
})

test('a second factor is asked for its code', async () => {
  const otpRequired = refuse('invalid_grant', { otp_required: true })
  const { forms, server } = createServer(otpRequired, tokens('first'))
  const asked: string[] = []
  const askForOtp = async (message: string): Promise<string> => (asked.push(message), '123456')
  const signIn = { username: 'a', password: 'b', scope: 'items:*', askForOtp }
  assert.equal(await (await tokenOf(signIn, server))(), 'first')
  assert.deepEqual([asked.length, forms[1]?.['otp'], forms[1]?.['scope']], [1, '123456', 'items:*'])
  const declined = createServer(otpRequired)
  const without = await tokenOf({ username: 'a', password: 'b', askForOtp: async () => null }, declined.server)
  await assert.rejects(without(), SignInError)
})

test('a device waits until its code is allowed, and longer if it is told to', async (t) => {
  const waits = skipWaits(t)
  const codes = { device_code: 'd', user_code: 'ABCD-EFGH', verification_uri: `${baseUrl}/device`, verification_uri_complete: `${baseUrl}/device?user_code=ABCD-EFGH`, expires_in: 600, interval: 2 } // prettier-ignore
  const lost = () => {
    throw new TypeError('fetch failed')
  }
  const { forms, server } = createServer(codes, refuse('authorization_pending'), refuse('slow_down'), lost, tokens('t'))
  const shown: string[] = []
  const signedIn = await signInWithDevice(server, { scope: 'items:read', onCode: (code) => void shown.push(code.user_code) }) // prettier-ignore
  assert.equal(signedIn.accessToken, 't')
  assert.deepEqual([shown, waits], [['ABCD-EFGH'], [2000, 2000, 7000, 7000]])
  assert.deepEqual(forms[0], { endpoint: 'auth/device', client_id: 'swath', scope: 'items:read' })
  assert.equal(forms[4]?.['device_code'], 'd')
  const denied = createServer(codes, refuse('access_denied'))
  await assert.rejects(signInWithDevice(denied.server, { onCode: () => undefined }), { code: 'access_denied' })
})

test('a browser comes back with a code, which its verifier redeems', async () => {
  const { forms, server } = createServer(tokens('t', 'r'))
  const redirectUri = 'http://127.0.0.1:5000/callback'
  const started = await beginSignIn(server, { clientId: 'app', redirectUri, scope: 'items:read' })
  const query = new URL(started.url).searchParams
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(started.codeVerifier))
  assert.equal(query.get('code_challenge'), Buffer.from(digest).toString('base64url'))
  assert.deepEqual([query.get('code_challenge_method'), query.get('redirect_uri'), query.get('scope')], ['S256', redirectUri, 'items:read']) // prettier-ignore
  const signedIn = await finishSignIn(server, started, `${redirectUri}?code=c&state=${started.state}`)
  assert.deepEqual([signedIn.accessToken, forms[0]?.['code_verifier']], ['t', started.codeVerifier])
  for (const answer of [`code=c&state=other`, `error=access_denied&state=${started.state}`, `state=${started.state}`])
    await assert.rejects(finishSignIn(server, started, `${redirectUri}?${answer}`), SignInError)
  assert.equal(forms.length, 1)
  const again = await tokenOf({ tokens: signedIn, clientId: 'app' }, createServer(refuse('invalid_grant')).server)
  assert.equal(await again(), 't')
  await assert.rejects(again('t'), { code: 'session_ended' })
})
