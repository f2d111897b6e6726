import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClientDraft, isDraftComplete, setGrant, splitLines, toClientInput } from './client-draft.ts'

const draft = { ...createClientDraft(null), name: ' Viewer ', redirectUris: ' https://app.example/cb \n\n' }

test('a draft becomes the input of the operation, with one redirect URI for each line', () => {
  assert.equal(isDraftComplete(draft), true)
  assert.deepEqual(toClientInput(draft), {
    name: 'Viewer',
    type: 'confidential',
    grants: ['authorization_code', 'refresh_token'],
    redirect_uris: ['https://app.example/cb'],
    scopes: ['*:read'],
    home_url: null,
    logo_url: null,
    open_to_all: false,
  })
  assert.deepEqual(splitLines('a\r\n b'), ['a', 'b'])
})

test('a client without people needs no redirect URI, and a public one has no grant of its own', () => {
  const alone = { ...draft, grants: ['client_credentials'] as const, redirectUris: '' }
  assert.equal(isDraftComplete(alone), true)
  assert.equal(isDraftComplete({ ...draft, redirectUris: ' \n' }), false)
  assert.equal(isDraftComplete({ ...draft, access: { access: 'chosen', scopes: [] } }), false)
  assert.deepEqual(
    toClientInput({ ...draft, type: 'public', grants: ['authorization_code', 'client_credentials'] }).grants,
    ['authorization_code'],
  )
})

test('refreshing ends with the last grant by which people sign in', () => {
  assert.deepEqual(setGrant(['authorization_code', 'refresh_token'], 'authorization_code', false), [])
  assert.deepEqual(setGrant(['authorization_code', 'refresh_token'], 'device_code', true), [
    'authorization_code',
    'refresh_token',
    'device_code',
  ])
  assert.deepEqual(setGrant(['client_credentials'], 'refresh_token', true), ['client_credentials'])
})
