import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deriveKey,
  computeKeyId,
  decryptText,
  constantTimeEqual,
  encryptText,
  signTextHmac,
  verifyTextHmac,
} from './signatures.ts'

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))

test('signatures are HMAC-SHA256 (test case 2 of RFC 4231)', () => {
  const key = new TextEncoder().encode('Jefe')
  const expected = Buffer.from('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', 'hex').toString(
    'base64url',
  )
  assert.equal(signTextHmac(key, 'what do ya want for nothing?'), expected)
  assert.equal(verifyTextHmac(key, 'what do ya want for nothing?', expected), true)
  assert.equal(verifyTextHmac(key, 'what do ya want for nothing!', expected), false)
  assert.equal(verifyTextHmac(key, 'what do ya want for nothing?', `${expected}=`), false)
  assert.equal(verifyTextHmac(key, 'what do ya want for nothing?', ''), false)
})

test('constantTimeEqual compares texts of any length', () => {
  assert.equal(constantTimeEqual('abc', 'abc'), true)
  assert.equal(constantTimeEqual('abc', 'abcd'), false)
  assert.equal(constantTimeEqual('', ''), true)
  assert.equal(constantTimeEqual('ä', 'a\u0308'), false)
})

test('every purpose derives a different, stable key', () => {
  const master = bytes('00'.repeat(32))
  const key = deriveKey(master, 'blobs')
  assert.equal(key.length, 32)
  assert.deepEqual(deriveKey(master, 'blobs'), key)
  assert.notDeepEqual(deriveKey(master, 'webhooks'), key)
  assert.notDeepEqual(deriveKey(bytes('01'.repeat(32)), 'blobs'), key)
  assert.match(computeKeyId(key), /^[\w-]{8}$/)
  assert.notEqual(computeKeyId(key), computeKeyId(deriveKey(master, 'webhooks')))
})

test('an encrypted text decrypts only with its key and only unchanged', () => {
  const key = deriveKey(bytes('00'.repeat(32)), 'seal')
  const encrypted = encryptText(key, 'Grüße')
  assert.equal(decryptText(key, encrypted), 'Grüße')
  assert.notEqual(encryptText(key, 'Grüße'), encrypted)
  assert.equal(decryptText(deriveKey(bytes('00'.repeat(32)), 'other'), encrypted), null)
  for (let position = 0; position < encrypted.length - 1; position += 1) {
    const changed =
      encrypted.slice(0, position) + (encrypted[position] === 'A' ? 'B' : 'A') + encrypted.slice(position + 1)
    assert.equal(decryptText(key, changed), null, `position ${position}`)
  }
  assert.equal(decryptText(key, ''), null)
  assert.equal(decryptText(key, 'AAAA'), null)
})
