import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { hashSecretSha256, generateChecksummedToken, parseApiKey } from './secrets.ts'
import { hasTokenPrefix } from './token-prefixes.ts'

test('a generated key has the documented format and parses to the same parts', () => {
  for (let round = 0; round < 200; round += 1) {
    const { text, ...parts } = generateChecksummedToken('api_key')
    assert.match(text, /^swath_[0-9A-Za-z]{38}$/)
    assert.deepEqual(parseApiKey(text), parts)
    assert.equal(parts.prefix, text.slice(0, 10))
    assert.equal(parts.last_four, text.slice(34, 38))
    assert.equal(parts.hash, createHash('sha256').update(text).digest('hex'))
  }
})

test('the checksum is the CRC-32 of the random part in base 62', () => {
  // CRC-32 of the 32 characters as Python's zlib gives it: 0xa0f292d0 and 0x624d474c, written in base 62.
  assert.ok(parseApiKey(`swath_${'0'.repeat(32)}2wjyrI`))
  assert.ok(parseApiKey('swath_abcdefghijklmnopqrstuvwxyz0123451nc0VA'))
  assert.equal(parseApiKey(`swath_${'0'.repeat(32)}2wjyrJ`), null)
})

test('changing any single character invalidates the key', () => {
  const { text } = generateChecksummedToken('api_key')
  for (let position = 6; position < text.length; position += 1) {
    const changed = text.slice(0, position) + (text[position] === 'a' ? 'b' : 'a') + text.slice(position + 1)
    assert.equal(parseApiKey(changed), null, `position ${position}`)
  }
})

test('other texts are not parsed as API keys', () => {
  const { text } = generateChecksummedToken('api_key')
  for (const candidate of ['', 'swath_', text.slice(1), `${text}0`, ` ${text}`, `${text}\n`, text.toUpperCase()]) {
    assert.equal(parseApiKey(candidate), null)
  }
  assert.equal(hasTokenPrefix('api_key', 'swath_x'), true)
  assert.equal(hasTokenPrefix('api_key', 'eyJ'), false)
})

test('generated keys are unique', () => {
  const keys = new Set(Array.from({ length: 500 }, () => generateChecksummedToken('api_key').text))
  assert.equal(keys.size, 500)
  assert.equal(hashSecretSha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
