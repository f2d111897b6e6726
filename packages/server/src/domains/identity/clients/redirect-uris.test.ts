import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPageUrlError, findRedirectUriError, isRegisteredRedirectUri } from './redirect-uris.ts'

test('https, loopback addresses and, for public clients, reversed names of domains are redirect URIs', () => {
  for (const uri of [
    'https://app.example/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:8080/cb',
    'http://localhost:1/cb?x=1',
  ])
    for (const type of ['public', 'confidential'] as const) assert.equal(findRedirectUriError(uri, type), null, uri)
  assert.equal(findRedirectUriError('org.example.app:/cb', 'public'), null)
  assert.notEqual(findRedirectUriError('org.example.app:/cb', 'confidential'), null)
})

test('fragments, wildcards, users, other schemes and hosts without TLS are refused', () => {
  const refused = [
    'http://app.example/cb',
    'http://127.0.0.1.example/cb',
    'https://app.example/cb#x',
    'https://app.example/cb#',
    'https://*.example/cb',
    'https://user@app.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'custom://cb',
    '/cb',
    'https://app.example/c b',
    'https://app.example/\ncb',
    '',
  ]
  for (const uri of refused) assert.notEqual(findRedirectUriError(uri, 'public'), null, uri)
})

test('redirect URIs are compared exactly except for the port of a loopback address', () => {
  const registered = ['https://app.example/cb', 'http://127.0.0.1/cb', 'http://localhost:3000/cb']
  for (const uri of [...registered, 'http://127.0.0.1:49152/cb', 'http://localhost:1/cb'])
    assert.equal(isRegisteredRedirectUri(registered, uri), true, uri)
  const others = [
    'https://app.example/cb/',
    'https://app.example/cb?x',
    'https://app.example:444/cb',
    'https://APP.example/cb',
    'http://127.0.0.1:1/other',
    'http://127.0.0.1:1@evil.example/cb',
    'http://localhost.evil.example/cb',
    'http://[::1]:1/cb',
  ]
  for (const uri of others) assert.equal(isRegisteredRedirectUri(registered, uri), false, uri)
})

test('pages of clients are https', () => {
  assert.equal(findPageUrlError('https://app.example'), null)
  for (const text of ['http://app.example', 'javascript:1', 'app.example'])
    assert.notEqual(findPageUrlError(text), null)
})
