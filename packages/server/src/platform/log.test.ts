import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger, redactText, redactUrl } from './log.ts'
import { generateChecksummedToken, generateSigningSecret } from './crypto/secrets.ts'
import { generateToken, token_prefixes, type TokenKind } from './crypto/token-prefixes.ts'

function capture(secrets: readonly string[] = [], level = 'info') {
  const lines: string[] = []
  const log = createLogger({ level, secrets, destination: { write: (line: string) => void lines.push(line) } })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

test('a line is one JSON object with time, level, fields and message', () => {
  const { log, lines, last } = capture()
  log.info({ operation: 'items.get', status: 200, ms: 1.5 }, 'call')
  assert.equal(lines.length, 1)
  const line = last()
  assert.equal(line.level, 'info')
  assert.equal(line.operation, 'items.get')
  assert.equal(line.msg, 'call')
  assert.match(String(line.time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('values of fields with secret names are redacted at any depth, also in child loggers', () => {
  const { log, last } = capture()
  const child = log.child({ worker: 'w1', api_key: 'k-1234567' })
  child.warn(
    { headers: { Authorization: 'Digest abc', 'X-API-Key': 'zzz', accept: 'image/png' }, list: [{ password: 'p' }] },
    'x',
  )
  const line = last()
  assert.equal(line.api_key, '[hidden]')
  assert.equal(line.worker, 'w1')
  assert.deepEqual(line.headers, { Authorization: '[hidden]', 'X-API-Key': '[hidden]', accept: 'image/png' })
  assert.deepEqual(line.list, [{ password: '[hidden]' }])
})

test('secrets inside texts and errors are redacted by pattern and by value', () => {
  const { log, lines } = capture(['correct "horse"'])
  const key = generateChecksummedToken('api_key').text
  log.error(
    { err: new Error(`refused ${key} and Bearer abcdefghijkl and correct "horse"`) },
    `with eyJhbGciOiJI.eyJzdWIiOiJ4.c2ln`,
  )
  const text = lines.join('')
  assert.ok(!text.includes(key))
  assert.ok(!text.includes('abcdefghijkl'))
  assert.ok(!text.includes('horse'))
  assert.ok(!text.includes('eyJ'))
  assert.doesNotThrow(() => JSON.parse(text))
})

test('every kind of token that is issued is redacted, in words, URLs and paths', () => {
  const tokens = Object.keys(token_prefixes).map((kind) => generateToken(kind as TokenKind, 32))
  const secret = 'pi_3Nabc_secret_Zq8wErTyUi'
  for (const token of [...tokens, generateSigningSecret(), secret, 'sk_live_abcdefghij']) {
    for (const line of [token, `refused ${token}.`, `/s/${token}/tiles`, encodeURIComponent(`a:${token}`)]) {
      const { log, lines } = capture()
      log.warn({ detail: line, err: new Error(line) }, line)
      assert.ok(!lines.join('').includes(token.slice(-10)), line)
    }
  }
})

test('URLs lose secret query parameters and credentials, and keep the rest', () => {
  assert.equal(
    redactUrl('/blobs/a/b.tif?expires=9&signature=abc&file_name=x'),
    '/blobs/a/b.tif?expires=9&signature=[hidden]&file_name=x',
  )
  assert.equal(redactUrl('/t/1/2/3.png?TOKEN=abc'), '/t/1/2/3.png?TOKEN=[hidden]')
  assert.equal(redactUrl('/x?%74oken=abc&a=%'), '/x?%74oken=[hidden]&a=%')
  assert.equal(
    redactUrl('https://me:secret@host/x?X-Amz-Signature=00ff'),
    'https://[hidden]@host/x?X-Amz-Signature=[hidden]',
  )
  assert.match(redactText('GET /blobs/a?signature=abc 200'), /^GET \/blobs\/a\?signature=\[hidden\] 200$/)
})

test('a JWT is redacted with adjacent characters, and words with dots are not', () => {
  const token = 'eyJhbGciOiJI.eyJzdWIiOiJ4.c2ln'
  for (const text of [token, `a ${token} b`, `x-${token}`, `some_words.${token}`, `eyJeyJeyJeyJeyJ.${token}`]) {
    assert.doesNotMatch(redactText(text), /eyJzdWIi/, text)
  }
  assert.equal(
    redactText('eyJ of packages.of.many-words.and.dots-within'),
    'eyJ of packages.of.many-words.and.dots-within',
  )
  assert.equal(redactText('see x?token=abc and x?y?token=abc'), 'see x?token=[hidden] and x?y?token=[hidden]')
})

test('redacting a long text takes linear time', () => {
  const measureRedaction_ms = (text: string): number => {
    const started = performance.now()
    redactText(text)
    return performance.now() - started
  }
  for (const piece of [
    '/',
    '?',
    '&',
    '?a',
    'eyJ-',
    'eyJa.',
    'Bearer ',
    'swath_',
    'a://',
    'a:',
    '://@',
    '%',
    'whsec_',
    'swr_',
    'pi_1',
    '_secret_',
  ]) {
    const buildText = (length: number): string => `GET ${piece.repeat(length / piece.length)} eyJ swath_aaaaaaaaaaaa`
    measureRedaction_ms(buildText(1000))
    assert.ok(measureRedaction_ms(buildText(50_000)) < 500, piece)
  }
})

test('a text is truncated, and a secret across the cut is redacted', () => {
  const secret = 'correct horse battery'
  const { log, lines } = capture([secret])
  const long = `${'x '.repeat(2043)}${secret} ${'y'.repeat(1_000_000)}`
  log.error({ a: long, deep: [{ b: long }], err: new Error(long), [long]: 1 }, long)
  log.child({ c: long }).warn(long)
  for (const line of lines) {
    assert.ok(line.length < 50_000, String(line.length))
    assert.doesNotMatch(line, /correct/)
    assert.match(line, /\[longer\]/)
    assert.doesNotThrow(() => JSON.parse(line))
  }
})

test('lines below the log level are not written', () => {
  const { log, lines } = capture([], 'warn')
  log.info({ a: 1 }, 'no')
  assert.deepEqual(lines, [])
})

test('fields that are deep, wide or circular give bounded lines', () => {
  const { log, lines } = capture()
  const circular: Record<string, unknown> = {}
  circular.self = circular
  log.info({ loop: circular, wide: Array.from({ length: 10_000 }, (_, index) => index) }, 'x')
  assert.ok(lines[0]!.length < 2000)
})

test('flat and nested fields are written in the same format', () => {
  const { log, lines } = capture(['correct horse'])
  const fields = {
    path: '/x?token=abc',
    none: null,
    off: undefined,
    nan: Number.NaN,
    on: true,
    word: 'a "correct horse"',
  }
  log.info(fields, 'whsec_abcdefghijkl')
  log.info({ ...fields, list: [] }, 'whsec_abcdefghijkl')
  const [flatLine, nestedLine] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.deepEqual({ ...flatLine, list: [], time: '' }, { ...nestedLine, time: '' })
  assert.equal(flatLine!['path'], '/x?token=[hidden]')
  assert.equal(flatLine!['word'], 'a "[hidden]"')
  assert.equal(flatLine!['msg'], '[hidden]')
  log.child({ worker: 'w1' }).info({ a: 1 }, 'x')
  log.info({ count: 12n }, 'x')
  assert.equal((JSON.parse(lines[2]!) as Record<string, unknown>)['worker'], 'w1')
  assert.equal((JSON.parse(lines[3]!) as Record<string, unknown>)['count'], 12)
})
