import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { createMetrics } from '../../platform/metrics.ts'
import { registerHealthRoutes, type HealthRouteOptions } from './health-routes.ts'
import { createHttpServer } from '../server.ts'

const metrics_token = 'token-of-the-operators'

function createServer(overrides: Partial<HealthRouteOptions> = {}, trustProxy = false) {
  const lines: string[] = []
  const log = pino(new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) }))
  const app = createHttpServer({ trustProxy, log, metrics: createMetrics(), baseUrl: 'https://swath.example' })
  registerHealthRoutes(app, {
    checkReady: async () => {},
    renderMetrics: async () => 'swath_calls 1\n',
    metrics_token,
    trusts_local_clients: true,
    ...overrides,
  })
  return { app, lines }
}

test('readyz responds with 503 without the reason, which is in the log', async () => {
  const { app, lines } = createServer({
    checkReady: () => Promise.reject(new Error('no connection to db.internal:5432')),
  })
  const answer = await app.inject({ url: '/readyz' })
  assert.deepEqual([answer.statusCode, answer.json()], [503, { status: 'not ready' }])
  assert.match(lines.join(''), /db\.internal:5432/)
})

test('metrics are readable from this machine and with the token only', async () => {
  const { app } = createServer()
  const remoteAddress = '203.0.113.9'
  const requestMetrics = (headers: Record<string, string>, from = remoteAddress, on = app) =>
    on.inject({ url: '/metrics', remoteAddress: from, headers }).then((answer) => answer.statusCode)
  assert.equal(await requestMetrics({}, '127.0.0.1'), 200)
  assert.equal(await requestMetrics({ authorization: `Bearer ${metrics_token}` }), 200)
  assert.equal(await requestMetrics({}), 401)
  assert.equal(await requestMetrics({ authorization: 'Bearer another-token' }), 401)
  // A proxy on this machine forwards requests of others, whether it is trusted or not.
  assert.equal(await requestMetrics({ 'x-forwarded-for': '203.0.113.9' }, '127.0.0.1'), 401)
  // It may forward them without a header that says so.
  const { app: behindProxy } = createServer({ trusts_local_clients: false })
  assert.equal(await requestMetrics({}, '127.0.0.1', behindProxy), 401)
  assert.equal(await requestMetrics({ authorization: `Bearer ${metrics_token}` }, '127.0.0.1', behindProxy), 200)
  assert.equal(await requestMetrics({ 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1', createServer({}, true).app), 401)

  const { app: withoutToken } = createServer({ metrics_token: null })
  for (const token of ['', 'null'])
    assert.equal(await requestMetrics({ authorization: `Bearer ${token}` }, remoteAddress, withoutToken), 401)
})
