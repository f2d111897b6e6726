import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUserCode, readUserCode } from './user-codes.ts'

test('a code has two groups of four letters without vowels, and no two are equal', () => {
  const codes = Array.from({ length: 100 }, createUserCode)
  for (const code of codes) assert.match(code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  assert.equal(new Set(codes).size, codes.length)
})

test('case and separators do not matter when a code is typed, and other letters make it none', () => {
  for (const text of ['wdjb mjht', 'WDJBMJHT', ' wdjb–mjht ']) assert.equal(readUserCode(text), 'WDJB-MJHT')
  for (const text of ['', 'WDJB', 'WDJB-MJHTX', 'WDJB-MJHA', 'WDJB-MJH0', 'Ø'.repeat(8)])
    assert.equal(readUserCode(text), null, text)
})
