import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { openMetrics } from '../platform/metrics.ts'
import { healthRoutes, type Health } from './health-routes.ts'
import { openServer } from './server.ts'

const metrics_token = 'token-of-the-operators'

function serve(more: Partial<Health> = {}, trustProxy = false) {
  const lines: string[] = []
  const log = pino(new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) }))
  const app = openServer({ trustProxy, log, metrics: openMetrics(), baseUrl: 'https://swath.example' })
  healthRoutes(app, { ready: async () => {}, metrics: () => 'swath_calls 1\n', metrics_token, ...more })
  return { app, lines }
}

test('readyz responds with 503 without the reason, which is in the log', async () => {
  const { app, lines } = serve({ ready: () => Promise.reject(new Error('no connection to db.internal:5432')) })
  const answer = await app.inject({ url: '/readyz' })
  assert.deepEqual([answer.statusCode, answer.json()], [503, { status: 'not ready' }])
  assert.match(lines.join(''), /db\.internal:5432/)
})

test('metrics are readable from this machine and with the token only', async () => {
  const { app } = serve()
  const remoteAddress = '203.0.113.9'
  const ask = (headers: Record<string, string>, from = remoteAddress, on = app) =>
    on.inject({ url: '/metrics', remoteAddress: from, headers }).then((answer) => answer.statusCode)
  assert.equal(await ask({}, '127.0.0.1'), 200)
  assert.equal(await ask({ authorization: `Bearer ${metrics_token}` }), 200)
  assert.equal(await ask({}), 401)
  assert.equal(await ask({ authorization: 'Bearer another-token' }), 401)
  // A proxy on this machine forwards requests of others, whether it is trusted or not.
  assert.equal(await ask({ 'x-forwarded-for': '203.0.113.9' }, '127.0.0.1'), 401)
  assert.equal(await ask({ 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1', serve({}, true).app), 401)

  const { app: closed } = serve({ metrics_token: null })
  for (const token of ['', 'null'])
    assert.equal(await ask({ authorization: `Bearer ${token}` }, remoteAddress, closed), 401)
})
