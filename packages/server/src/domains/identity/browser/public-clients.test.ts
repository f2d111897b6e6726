import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleClientId, createPublicClients } from './public-clients.ts'

const clients = createPublicClients([
  'http://127.0.0.1/cb',
  'http://[::1]/cb',
  'http://127.0.0.1:9000/cb',
  'https://dev.example/cb',
])
const client = clients.find(consoleClientId)!

test('the redirect URI of the console follows the base URL', () => {
  assert.equal(client.isRedirectUri('https://a.example/auth/callback', 'https://a.example'), true)
  assert.equal(client.isRedirectUri('https://a.example/sub/auth/callback', 'https://a.example/sub'), true)
  assert.equal(client.isRedirectUri('https://b.example/auth/callback', 'https://a.example'), false)
})

test('a loopback address that is registered without a port permits every port, any other URI is compared exactly', () => {
  const isRedirectUri = (uri: string): boolean => client.isRedirectUri(uri, 'https://a.example')
  for (const uri of [
    'http://127.0.0.1/cb',
    'http://127.0.0.1:1/cb',
    'http://127.0.0.1:65535/cb',
    'http://[::1]:8000/cb',
    'https://dev.example/cb',
  ])
    assert.equal(isRedirectUri(uri), true, uri)
  for (const uri of [
    'http://127.0.0.1:0/cb',
    'http://127.0.0.1:080/cb',
    'http://127.0.0.1:123456/cb',
    'http://127.0.0.1:1/cb/',
    'http://127.0.0.1:1/cb?x',
    'http://127.0.0.1:1@evil.example/cb',
    'http://localhost:1/cb',
    'https://127.0.0.1:1/cb',
    'https://dev.example:8443/cb',
    'https://dev.example/CB',
  ])
    assert.equal(isRedirectUri(uri), false, uri)
})

test('unknown clients are not found, also by names that every object has', () => {
  for (const id of ['', 'swath', '__proto__', 'constructor']) assert.equal(clients.find(id), null)
})
