import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administratorCredentials, startTestApp } from '../test/test-app.ts'

test('responds with 503 on every route after the database is lost, and still shuts down', async () => {
  const app = await startTestApp()
  try {
    const signIn = (): Promise<Response> => {
      const body = new URLSearchParams({ grant_type: 'password', ...administratorCredentials })
      return fetch(`${app.url}/realms/public/protocol/openid-connect/token`, { method: 'POST', body })
    }
    const { access_token } = (await (await signIn()).json()) as { access_token: string }
    const headers = { authorization: `Bearer ${access_token}` }
    const requestBalance = (): Promise<Response> => fetch(`${app.url}/v1/op/billing.credits.balance`, { headers })
    const isReady = async (): Promise<number> => (await fetch(`${app.url}/readyz`)).status
    assert.deepEqual([(await requestBalance()).status, await isReady()], [200, 200])
    await app.database.close()
    for (const response of [await requestBalance(), await signIn()]) {
      assert.equal(response.status, 503)
      assert.match(((await response.json()) as { type: string }).type, /\/problems\/unavailable$/)
    }
    assert.equal(await isReady(), 503)
  } finally {
    await app.close()
  }
})

test('while it drains, the server is not ready, serves calls and closes each connection after its response', async () => {
  const app = await startTestApp({ environment: { STOP_DELAY_MS: '700' } })
  const request = async (path: string): Promise<[number, string | null]> => {
    const { status, headers } = await fetch(`${app.url}${path}`)
    return [status, headers.get('connection')]
  }
  try {
    assert.deepEqual(await request('/readyz'), [200, 'keep-alive'])
    const stopped = app.close()
    assert.deepEqual(await request('/readyz'), [503, 'close'])
    assert.deepEqual(await request('/healthz'), [200, 'close'])
    await stopped
    await assert.rejects(fetch(`${app.url}/healthz`))
  } finally {
    await app.close()
  }
})

const discovery = '/realms/public/.well-known/openid-configuration'

test('without BASE_URL responses with URLs are not cacheable, and test payments set the swath-play-money header', async () => {
  const app = await startTestApp()
  try {
    for (const url of [discovery, '/openapi.json', '/docs', '/assets/stac']) {
      const response = await app.fastify.inject({ url, headers: { host: 'evil.example' } })
      assert.equal(response.headers['cache-control'], 'no-store', url)
    }
    assert.match(
      (await app.fastify.inject({ url: discovery, headers: { host: 'evil.example' } })).body,
      /evil\.example/,
    )
    const balance = await fetch(`${app.url}/v1/op/billing.credits.balance`)
    assert.equal(balance.headers.get('swath-play-money'), 'true')
  } finally {
    await app.close()
  }
})

test('with BASE_URL responses use it, and a live Stripe key sets no swath-play-money header', async () => {
  const app = await startTestApp({
    environment: {
      BASE_URL: 'https://swath.example',
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_API_URL: 'http://127.0.0.1:1',
    },
  })
  try {
    const { headers, body } = await app.fastify.inject({ url: discovery, headers: { host: 'evil.example' } })
    assert.equal(headers['cache-control'], 'public, max-age=300')
    assert.doesNotMatch(body, /evil\.example/)
    const balance = await app.fastify.inject({ url: '/v1/op/billing.credits.balance' })
    assert.equal(balance.headers['swath-play-money'], undefined)
  } finally {
    await app.close()
  }
})

test('readyz responds with 503 within two seconds when the database hangs', async () => {
  const app = await startTestApp()
  const { ping } = app.database
  try {
    Object.assign(app.database, { ping: () => new Promise(() => undefined) })
    const begin_ms = performance.now()
    const response = await fetch(`${app.url}/readyz`)
    assert.ok(performance.now() - begin_ms < 2000)
    assert.equal(response.status, 503)
    assert.deepEqual(await response.json(), { status: 'not ready' })
  } finally {
    Object.assign(app.database, { ping })
    await app.close()
  }
})
