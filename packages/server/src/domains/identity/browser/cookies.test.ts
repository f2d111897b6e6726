import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatClearedSignInCookie, findSignInFormCookie, readSignInCookie, formatSignInCookie } from './cookies.ts'

const https = 'https://swath.example'
const http = 'http://127.0.0.1:8080'

test('on https a cookie has the __Host- prefix and what the prefix requires', () => {
  assert.equal(
    formatSignInCookie('session', 'abc', https),
    '__Host-swath-session=abc; Path=/; HttpOnly; SameSite=Lax; Secure',
  )
  assert.equal(formatSignInCookie('session', 'abc', http), 'swath-session=abc; Path=/; HttpOnly; SameSite=Lax')
  assert.match(formatClearedSignInCookie('session', https), /^__Host-swath-session=; .*Secure; Max-Age=0$/)
})

test('a cookie is read by its name', () => {
  const header = 'a=b; swath-session=one ;swath-form-a1=two; __Host-swath-session=three'
  assert.equal(readSignInCookie(header, 'session', http), 'one')
  assert.equal(readSignInCookie(header, 'form-a1', http), 'two')
  assert.equal(readSignInCookie(header, 'session', https), 'three')
  assert.equal(readSignInCookie('swath-session=one', 'session', https), null, 'a cookie that a subdomain could set')
})

test('the first form cookie that looks like ours is found', () => {
  const header = 'swath-form-=a; swath-form-b c=d; swath-form-one=x y; swath-form-two=abc; swath-form-three=def'
  assert.deepEqual(findSignInFormCookie(header, http), { id: 'two', value: 'abc' })
  assert.equal(findSignInFormCookie(header, https), null)
  assert.equal(findSignInFormCookie(null, http), null)
})

test('a value in another format is ignored', () => {
  for (const header of [
    null,
    '',
    'swath-session',
    'swath-session=',
    'swath-session="a"',
    'swath-session=a b',
    'xswath-session=a',
  ])
    assert.equal(readSignInCookie(header, 'session', http), null, String(header))
  assert.equal(readSignInCookie(`swath-session=${'a'.repeat(129)}; swath-session=b`, 'session', http), 'b')
})
