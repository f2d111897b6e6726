import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveKey, keyIdOf, openText, sameText, sealText, signText, verifyText } from './signatures.ts'

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))

test('signatures are HMAC-SHA256 (test case 2 of RFC 4231)', () => {
  const key = new TextEncoder().encode('Jefe')
  const expected = Buffer.from('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', 'hex').toString(
    'base64url',
  )
  assert.equal(signText(key, 'what do ya want for nothing?'), expected)
  assert.equal(verifyText(key, 'what do ya want for nothing?', expected), true)
  assert.equal(verifyText(key, 'what do ya want for nothing!', expected), false)
  assert.equal(verifyText(key, 'what do ya want for nothing?', `${expected}=`), false)
  assert.equal(verifyText(key, 'what do ya want for nothing?', ''), false)
})

test('constantTimeEqual compares texts of any length', () => {
  assert.equal(sameText('abc', 'abc'), true)
  assert.equal(sameText('abc', 'abcd'), false)
  assert.equal(sameText('', ''), true)
  assert.equal(sameText('ä', 'a\u0308'), false)
})

test('every purpose derives a different, stable key', () => {
  const master = bytes('00'.repeat(32))
  const key = deriveKey(master, 'blobs')
  assert.equal(key.length, 32)
  assert.deepEqual(deriveKey(master, 'blobs'), key)
  assert.notDeepEqual(deriveKey(master, 'webhooks'), key)
  assert.notDeepEqual(deriveKey(bytes('01'.repeat(32)), 'blobs'), key)
  assert.match(keyIdOf(key), /^[\w-]{8}$/)
  assert.notEqual(keyIdOf(key), keyIdOf(deriveKey(master, 'webhooks')))
})

test('an encrypted text decrypts only with its key and only unchanged', () => {
  const key = deriveKey(bytes('00'.repeat(32)), 'seal')
  const sealed = sealText(key, 'Grüße')
  assert.equal(openText(key, sealed), 'Grüße')
  assert.notEqual(sealText(key, 'Grüße'), sealed)
  assert.equal(openText(deriveKey(bytes('00'.repeat(32)), 'other'), sealed), null)
  for (let at = 0; at < sealed.length - 1; at += 1) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    assert.equal(openText(key, changed), null, `position ${at}`)
  }
  assert.equal(openText(key, ''), null)
  assert.equal(openText(key, 'AAAA'), null)
})
