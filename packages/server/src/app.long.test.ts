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

test('without BASE_URL no shared cache may store responses with URLs, and test payments set the swath-play-money header', async () => {
  const app = await startTestApp()
  try {
    const expected = {
      [discovery]: 'no-store',
      '/openapi.json': 'private, no-cache',
      '/openapi/stac.json': 'private, no-cache',
      '/docs': 'no-store',
      '/assets/stac': 'no-store',
    }
    for (const [url, cacheControl] of Object.entries(expected)) {
      const response = await app.fastify.inject({ url, headers: { host: '127.0.0.1:8080' } })
      assert.equal(response.headers['cache-control'], cacheControl, url)
    }
    const balance = await fetch(`${app.url}/v1/op/billing.credits.balance`)
    assert.equal(balance.headers.get('swath-play-money'), 'true')
  } finally {
    await app.close()
  }
})

test('without BASE_URL only the names of this machine are served, and no response contains another', async () => {
  const app = await startTestApp()
  const request = async (host: string, url = discovery) => app.fastify.inject({ url, headers: { host } })
  try {
    for (const host of ['localhost', 'LocalHost:8080', '127.0.0.1:8080', '[::1]:8080'])
      assert.match((await request(host)).body, new RegExp(`"http://${host.replaceAll(/[[\]]/g, '.')}/realms`), host)
    for (const host of [
      'evil.example',
      'evil.localhost',
      '127.0.0.1.evil.example',
      '127.0.0.2',
      '[::2]',
      '169.254.169.254',
    ])
      for (const url of [discovery, '/', '/docs', '/nowhere', '/%', '/v1/op/users.me']) {
        const { statusCode, body } = await request(host, url)
        // The router refuses a malformed path before any host is read.
        assert.equal(statusCode, url === '/%' ? 400 : 403, `${host} ${url}`)
        assert.ok(!body.includes(host), body)
      }
  } finally {
    await app.close()
  }
})

test('every response forbids content sniffing, and every page frames of other sites', async () => {
  const app = await startTestApp({ environment: { BASE_URL: 'https://swath.example', HSTS_MAX_AGE_S: '3600' } })
  const request = (url: string, method: 'GET' | 'POST' | 'OPTIONS' = 'GET') =>
    app.fastify.inject({ url, method, headers: { accept: 'text/html,*/*;q=0.8' } })
  try {
    const responses = await Promise.all([
      ...['/', '/docs', '/docs/try', '/problems/validation', '/nowhere', '/s/swathshare_x', '/openapi.json'].map(
        (url) => request(url),
      ),
      ...['/healthz', '/metrics', '/%', '/v1/op/users.me', '/v1/op/none', '/assets/stac', discovery].map((url) =>
        request(url),
      ),
      request('/realms/public/protocol/openid-connect/auth?client_id=x'),
      request('/v1/op/users.me', 'POST'),
      request('/v1/op/users.me', 'OPTIONS'),
    ])
    for (const { headers, body } of responses) {
      assert.equal(headers['x-content-type-options'], 'nosniff', body.slice(0, 100))
      assert.equal(headers['strict-transport-security'], 'max-age=3600')
      if (String(headers['content-type']).startsWith('text/html'))
        assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, body.slice(0, 100))
    }
    const pages = responses.filter(({ headers }) => String(headers['content-type']).startsWith('text/html'))
    for (const title of ['Swath API', 'Validation failed', 'Sign in'])
      assert.ok(
        pages.some(({ body }) => body.includes(title)),
        title,
      )
    assert.equal((await request('/metrics')).statusCode, 401, 'a proxy on this machine asks for everyone')
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
    assert.equal(headers['strict-transport-security'], undefined)
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
