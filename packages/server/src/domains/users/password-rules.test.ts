import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPasswordError } from './password-rules.ts'

const email = 'ada@example.org'

test('permits passwords of eight characters and more, of any script', () => {
  for (const password of ['12345678', 'correct horse battery staple', 'пароль-пароль', '🔑🔑🔑🔑🔑🔑🔑🔑'])
    assert.equal(findPasswordError({ password, email }), null, password)
})

test('refuses short and very long passwords, and the e-mail address', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /at least 8/],
    ['1234567', /at least 8/],
    ['🔑🔑🔑🔑', /at least 8/],
    ['x'.repeat(1025), /at most 1024 bytes/],
    ['ж'.repeat(600), /at most 1024 bytes/],
    [' ADA@example.org ', /e-mail address/],
  ]
  for (const [password, message] of cases) assert.match(findPasswordError({ password, email }) ?? '', message)
})
