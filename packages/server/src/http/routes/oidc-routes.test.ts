import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import type { FastifyInstance } from 'fastify'
import { DatabaseFailure } from '../../platform/database/failures.ts'
import { createHttpServer } from '../server.ts'
import { registerOidcRoutes } from './oidc-routes.ts'

let app: FastifyInstance
let error: Error
before(() => {
  app = createHttpServer({
    trustProxy: false,
    log: pino({ level: 'silent' }),
    metrics: { recordCall: () => {} } as never,
    baseUrl: 'http://localhost:8080',
  })
  const fail = () => Promise.reject(error)
  registerOidcRoutes(app, { base_url: null, authorize: fail, token: fail, logout: fail } as never)
})
after(() => app.close())

const realm = '/realms/public/protocol/openid-connect'
const outage = new DatabaseFailure('database-unavailable', 'connect to 10.0.0.7 failed')

test('an outage is a page for a browser, which says when to try again', async () => {
  for (const path of ['auth', 'logout']) {
    for (const [failure, status] of [
      [outage, 503],
      [new TypeError('a detail of the code at 10.0.0.7'), 500],
    ] as const) {
      error = failure
      const response = await app.inject({ url: `${realm}/${path}?client_id=x`, headers: { accept: 'text/html,*/*' } })
      assert.equal(response.statusCode, status)
      assert.match(String(response.headers['content-type']), /^text\/html/)
      assert.match(response.body, /not available now[\s\S]*Trace <code>/)
      assert.doesNotMatch(response.body, /10\.0\.0\.7/)
      assert.equal(response.headers['retry-after'] !== undefined, status === 503)
      assert.equal(response.headers['cache-control'], 'no-store')
      assert.match(String(response.headers['content-security-policy']), /form-action 'none'/)
    }
  }
})

test('programs get a problem document, and clients of the other endpoints, too', async () => {
  error = outage
  const program = await app.inject({ url: `${realm}/auth`, headers: { accept: 'application/json' } })
  const client = await app.inject({ method: 'POST', url: `${realm}/token`, headers: { accept: 'text/html' } })
  for (const { statusCode, headers } of [program, client]) {
    assert.equal(statusCode, 503)
    assert.match(String(headers['content-type']), /^application\/problem\+json/)
  }
})
