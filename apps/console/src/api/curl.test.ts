import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { toCurl, toDeliveryCurl } from './curl.ts'

test('the shell reads the body of a copied call as it was sent', () => {
  const input = { name: `it's "one" $HOME \\ line` }
  const command = toCurl('http://localhost:8080', 'projects.create', input).replace(/^curl/, 'printf "%s\\n"')
  const words = execFileSync('sh', ['-c', command], { encoding: 'utf8', env: { SWATH_KEY: 'secret' } }).split('\n')
  assert.deepEqual(JSON.parse(words[words.indexOf('-d') + 1]!), input)
  assert.ok(words.includes('Authorization: Bearer secret'))
  assert.ok(words.includes('http://localhost:8080/v1/op/projects.create'))
})

test('a copied call with its key runs as pasted', () => {
  const command = toCurl('http://localhost:8080', 'users.me', {}, 'a key').replace('\ncurl', '\nprintf "%s\\n"')
  const words = execFileSync('sh', ['-c', command], { encoding: 'utf8', env: {} }).split('\n')
  assert.ok(words.includes('Authorization: Bearer a key'))
})

test('a delivery is sent with its headers and the bytes of its body, quotes included', () => {
  const command = toDeliveryCurl('http://localhost:3000/hook', { 'webhook-id': 'e', 'x-name': "o'k" }, '{"a":"it\'s"}')
  assert.equal(
    command,
    [
      'curl -X POST http://localhost:3000/hook',
      "-H 'webhook-id: e'",
      String.raw`-H 'x-name: o'\''k'`,
      String.raw`--data-binary '{"a":"it'\''s"}'`,
    ].join(' \\\n  '),
  )
})
