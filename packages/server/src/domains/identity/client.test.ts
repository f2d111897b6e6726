import { test } from 'node:test'
import assert from 'node:assert/strict'
import { readClient } from './client.ts'
import { OAuthRefusal } from './oauth.ts'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
const refused = (name: string) => (error: unknown) => error instanceof OAuthRefusal && error.error === name

test('a client authenticates by form fields or by Basic with form-encoded parts', () => {
  const form = new URLSearchParams({ client_id: 'swath', client_secret: 's' })
  assert.deepEqual(readClient(form, null), { id: 'swath', secret: 's', basic: false })
  const none = new URLSearchParams()
  assert.deepEqual(readClient(none, basic('sw%61th:a%3Ab+c')), { id: 'swath', secret: 'a:b c', basic: true })
  assert.deepEqual(readClient(none, basic('swath:')), { id: 'swath', secret: null, basic: true })
  assert.deepEqual(readClient(none, 'Bearer x'), { id: null, secret: null, basic: false })
})

test('two secrets, two client ids and malformed headers are rejected', () => {
  const form = new URLSearchParams({ client_id: 'swath', client_secret: 's' })
  assert.throws(() => readClient(form, basic('swath:s')), refused('invalid_request'))
  assert.throws(
    () => readClient(new URLSearchParams({ client_id: 'other' }), basic('swath:s')),
    refused('invalid_request'),
  )
  for (const header of ['Basic', 'Basic !!!', basic('no colon'), basic('swath:%zz')]) {
    assert.throws(() => readClient(new URLSearchParams(), header), refused('invalid_client'))
  }
  const twice = new URLSearchParams([
    ['client_id', 'a'],
    ['client_id', 'b'],
  ])
  assert.throws(() => readClient(twice, null), refused('invalid_request'))
})
