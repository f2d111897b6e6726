import { test } from 'node:test'
import assert from 'node:assert/strict'
import { parseClientCredentials } from './client.ts'
import { OAuthProblem } from './oauth.ts'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const hasOAuthError = (name: string) => (error: unknown) => error instanceof OAuthProblem && error.error === name

test('a client authenticates by form fields or by Basic with form-encoded parts', () => {
  const form = new URLSearchParams({ client_id: 'swath', client_secret: 's' })
  assert.deepEqual(parseClientCredentials(form, null), { id: 'swath', secret: 's', basic: false })
  const emptyForm = new URLSearchParams()
  assert.deepEqual(parseClientCredentials(emptyForm, basic('sw%61th:a%3Ab+c')), {
    id: 'swath',
    secret: 'a:b c',
    basic: true,
  })
  assert.deepEqual(parseClientCredentials(emptyForm, basic('swath:')), { id: 'swath', secret: null, basic: true })
  assert.deepEqual(parseClientCredentials(emptyForm, 'Bearer x'), { id: null, secret: null, basic: false })
})

test('two secrets, two client ids and malformed headers are rejected', () => {
  const form = new URLSearchParams({ client_id: 'swath', client_secret: 's' })
  assert.throws(() => parseClientCredentials(form, basic('swath:s')), hasOAuthError('invalid_request'))
  assert.throws(
    () => parseClientCredentials(new URLSearchParams({ client_id: 'other' }), basic('swath:s')),
    hasOAuthError('invalid_request'),
  )
  for (const header of ['Basic', 'Basic !!!', basic('no colon'), basic('swath:%zz')]) {
    assert.throws(() => parseClientCredentials(new URLSearchParams(), header), hasOAuthError('invalid_client'))
  }
  const duplicateFields = new URLSearchParams([
    ['client_id', 'a'],
    ['client_id', 'b'],
  ])
  assert.throws(() => parseClientCredentials(duplicateFields, null), hasOAuthError('invalid_request'))
})
