import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administrator, bootHouse } from '../test/setup.ts'

test('a house that lost its database answers 503 everywhere, and closes all the same', async () => {
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

test('a house whose store hangs says within two seconds that it is not ready, and which', async () => {
  const house = await bootHouse()
  const { ping } = house.database
  try {
    Object.assign(house.database, { ping: () => new Promise(() => undefined) })
    const begin_ms = performance.now()
    const answer = await fetch(`${house.url}/readyz`)
    assert.ok(performance.now() - begin_ms < 2000)
    assert.equal(answer.status, 503)
    assert.match(((await answer.json()) as { reason: string }).reason, /^the database did not answer/)
  } finally {
    Object.assign(house.database, { ping })
    await house.close()
  }
})
