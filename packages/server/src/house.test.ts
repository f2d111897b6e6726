import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administrator, bootHouse } from '../test/setup.ts'

test('responds with 503 on every route after the database is lost, and still shuts down', async () => {
  const house = await bootHouse()
  try {
    const sign = (): Promise<Response> => {
      const body = new URLSearchParams({ grant_type: 'password', ...administrator })
      return fetch(`${house.url}/realms/public/protocol/openid-connect/token`, { method: 'POST', body })
    }
    const { access_token } = (await (await sign()).json()) as { access_token: string }
    const headers = { authorization: `Bearer ${access_token}` }
    const ask = (): Promise<Response> => fetch(`${house.url}/v1/op/billing.credits.balance`, { headers })
    const isReady = async (): Promise<number> => (await fetch(`${house.url}/readyz`)).status
    assert.deepEqual([(await ask()).status, await isReady()], [200, 200])
    await house.database.close()
    for (const answer of [await ask(), await sign()]) {
      assert.equal(answer.status, 503)
      assert.match(((await answer.json()) as { type: string }).type, /\/problems\/unavailable$/)
    }
    assert.equal(await isReady(), 503)
  } finally {
    await house.close()
  }
})

const discovery = '/realms/public/.well-known/openid-configuration'

test('without BASE_URL responses with URLs are not cacheable, and test payments set the swath-play-money header', async () => {
  const house = await bootHouse()
  try {
    for (const url of [discovery, '/openapi.json', '/docs', '/assets/stac']) {
      const answer = await house.app.inject({ url, headers: { host: 'evil.example' } })
      assert.equal(answer.headers['cache-control'], 'no-store', url)
    }
    assert.match((await house.app.inject({ url: discovery, headers: { host: 'evil.example' } })).body, /evil\.example/)
    const balance = await fetch(`${house.url}/v1/op/billing.credits.balance`)
    assert.equal(balance.headers.get('swath-play-money'), 'true')
  } finally {
    await house.close()
  }
})

test('with BASE_URL responses use it, and a live Stripe key sets no swath-play-money header', async () => {
  const house = await bootHouse({
    environment: {
      BASE_URL: 'https://swath.example',
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_API_URL: 'http://127.0.0.1:1',
    },
  })
  try {
    const { headers, body } = await house.app.inject({ url: discovery, headers: { host: 'evil.example' } })
    assert.equal(headers['cache-control'], 'public, max-age=300')
    assert.doesNotMatch(body, /evil\.example/)
    const balance = await house.app.inject({ url: '/v1/op/billing.credits.balance' })
    assert.equal(balance.headers['swath-play-money'], undefined)
  } finally {
    await house.close()
  }
})

test('readyz responds with 503 within two seconds when the database hangs', async () => {
  const house = await bootHouse()
  const { ping } = house.database
  try {
    Object.assign(house.database, { ping: () => new Promise(() => undefined) })
    const begin_ms = performance.now()
    const answer = await fetch(`${house.url}/readyz`)
    assert.ok(performance.now() - begin_ms < 2000)
    assert.equal(answer.status, 503)
    assert.deepEqual(await answer.json(), { status: 'not ready' })
  } finally {
    Object.assign(house.database, { ping })
    await house.close()
  }
})
