import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../../engine/problem.ts'
import { authorizationParameters, createPkce } from '../../../../test/test-browser.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointRequest } from '../oauth.ts'
import { handleAuthorizationRequest } from './authorize.ts'
import { createPublicClients } from './public-clients.ts'

/** Dependencies whose database fails with an error. */
const failingWith = (error: Error): IdentityDependencies =>
  ({
    clients: createPublicClients([]),
    unscoped: { query: () => Promise.reject(error) },
  }) as unknown as IdentityDependencies

const request: IdentityEndpointRequest = {
  method: 'GET',
  form: authorizationParameters(createPkce()),
  query: new URLSearchParams(),
  cookie: 'swath-session=abc',
  acceptsHtml: true,
  acceptLanguage: null,
  userAgent: null,
  authorization: null,
  apiKey: null,
  address: '192.0.2.1',
  baseUrl: 'http://localhost:8080',
}

test('a refusal that passes is a page that says when to try again', async () => {
  for (const [name, status] of [
    ['rate-limited', 429],
    ['unavailable', 503],
  ] as const) {
    const problem = new Problem(name, 'Too much at once.', { retry_after_s: 7 })
    const response = await handleAuthorizationRequest(failingWith(problem), request)
    assert.equal(response.status, status)
    assert.equal(response.headers['retry-after'], '7')
    assert.deepEqual(response.page?.paragraphs, [{ sentence: 'Too much at once.' }])
  }
})

test('an internal error is not shown on a page', async () => {
  await assert.rejects(handleAuthorizationRequest(failingWith(new Error('secret detail')), request), /secret detail/)
})
