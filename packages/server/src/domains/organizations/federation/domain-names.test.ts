import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getEmailDomain, isPublicMailDomain, normalizeDomain } from './domain-names.ts'

test('domains are compared in lower case and in their ASCII form', () => {
  assert.equal(normalizeDomain(' Example.COM. '), 'example.com')
  assert.equal(normalizeDomain('Bücher.example'), 'xn--bcher-kva.example')
  assert.equal(normalizeDomain('bu\u0308cher.example'), 'xn--bcher-kva.example')
  assert.equal(normalizeDomain('XN--BCHER-KVA.example'), 'xn--bcher-kva.example')
})

test('text that is not a domain of several labels is refused', () => {
  const texts = [
    '',
    'localhost',
    '127.0.0.1',
    '[::1]',
    '-a.example',
    'a..example',
    'a b.example',
    '*.example.com',
    'a_b.example',
    `${'a'.repeat(64)}.example`,
    'https://example.com',
    'example.com/x',
    'ada@example.com',
  ]
  for (const text of texts) assert.equal(normalizeDomain(text), null, text)
})

test('the domain of an address is that after the last at sign', () => {
  assert.equal(getEmailDomain('Ada@Example.com'), 'example.com')
  assert.equal(getEmailDomain('"a@evil.example"@example.com'), 'example.com')
  for (const text of ['ada', '@example.com', 'ada@', 'ada@localhost']) assert.equal(getEmailDomain(text), null, text)
})

test('domains where anybody gets an address are known, with those below them', () => {
  for (const domain of ['gmail.com', 'outlook.de', 'web.de', 'proton.me', 'mail.gmail.com'])
    assert.ok(isPublicMailDomain(domain), domain)
  for (const domain of ['corp.example', 'gmail.com.corp.example', 'notgmail.com.example'])
    assert.ok(!isPublicMailDomain(domain), domain)
})
