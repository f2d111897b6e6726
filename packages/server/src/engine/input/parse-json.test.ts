import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from './parse-json.ts'
import { Problem } from '../problem.ts'

/** The problem that a text is rejected with. */
function problemOf(text: string): { problem: string; extra: string } {
  try {
    parseJson(text)
    return { problem: 'none', extra: '' }
  } catch (error) {
    assert.ok(error instanceof Problem)
    return { problem: error.problem, extra: JSON.stringify(error.extra) }
  }
}

test('parses JSON values of every type', () => {
  for (const value of [
    null,
    true,
    1.5,
    'text',
    [],
    { a: [{ b: null }] },
    'a\ud83d\ude00b',
    '[[[',
    '{"',
    '"quoted\\"',
  ]) {
    assert.deepEqual(parseJson(JSON.stringify(value)), value)
  }
  assert.deepEqual(parseJson('"\\ud83d\\ude00"'), '\u{1f600}')
  // An escaped backslash, not a NUL escape.
  assert.equal(parseJson('"\\\\u0000"'), '\\u0000')
})

test('text that is not valid JSON is malformed', () => {
  for (const text of [
    '',
    '{',
    '{"a":1}x',
    "{'a':1}",
    '[1,]',
    'undefined',
    'NaN',
    '01',
    '"a\nb"',
    '"\\x"',
    '\ufeff{}',
  ]) {
    assert.equal(problemOf(text).problem, 'malformed', text)
  }
})

test('rejects deep nesting before parsing; brackets in strings do not count', () => {
  const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
  assert.ok(parseJson(deep(64)))
  assert.equal(problemOf(deep(65)).problem, 'malformed')
  assert.equal(problemOf('['.repeat(5_000_000)).problem, 'malformed')
  assert.equal(parseJson(`"${'['.repeat(1000)}"`), '['.repeat(1000))
  assert.equal(parseJson(`"\\"${'['.repeat(1000)}"`), `"${'['.repeat(1000)}`)
})

test('rejects too many entries of one object or array before parsing; brackets and commas in strings do not count', () => {
  const object = (members: number): string => `{${Array.from({ length: members }, (_, at) => `"k${at}":1`).join(',')}}`
  const array = (items: number): string => `[${'1,'.repeat(items - 1)}1]`
  assert.ok(parseJson(object(10_000)))
  assert.ok(parseJson(array(100_000)))
  assert.ok(parseJson(`[${array(100_000)},${array(100_000)},${object(10_000)}]`))
  assert.ok(parseJson(JSON.stringify({ text: ','.repeat(200_000) })))
  for (const text of [object(10_001), array(100_001), `{"a":[1,${object(10_001)}]}`, `[{},${array(100_001)}]`]) {
    assert.equal(problemOf(text).problem, 'too-large')
  }
  assert.equal(problemOf(`${']'.repeat(100)}{}`).problem, 'malformed')
  assert.equal(problemOf(','.repeat(5_000_000)).problem, 'too-large')
})

test('rejects a member named __proto__', () => {
  assert.equal(problemOf('{"__proto__":{"admin":true}}').problem, 'malformed')
  assert.equal(problemOf('{"a":[{"__proto__":1}]}').problem, 'malformed')
})

test('rejects strings that cannot be stored, with their path', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['{"name":"a\\u0000b"}', '"path":"name"'],
    ['{"a":[{"b":"\\ud800"}]}', '"path":"a.0.b"'],
    ['{"a":"\\udc00\\ud800"}', '"path":"a"'],
    ['{"a":{"\\u0000":1}}', '"path":"a"'],
    ['"\\uDBFF"', '"path":""'],
  ]
  for (const [text, path] of cases) {
    const { problem, extra } = problemOf(text)
    assert.equal(problem, 'validation', text)
    assert.ok(extra.includes(path), extra)
  }
})

test('counts different names, and the members of objects with many, before parsing', () => {
  const object = (members: number, prefix: string): object =>
    Object.fromEntries(Array.from({ length: members }, (_, at) => [`${prefix}${at}`, at]))
  const objects = (count: number, members: number, prefixOf: (at: number) => string): string =>
    JSON.stringify(Array.from({ length: count }, (_, at) => object(members, prefixOf(at))))
  assert.equal(problemOf(objects(1, 9999, () => 'a')).problem, 'none')
  assert.equal(problemOf(objects(2, 9999, () => 'a')).problem, 'none')
  assert.equal(problemOf(objects(3, 9999, () => 'a')).problem, 'too-large')
  assert.equal(problemOf(objects(2000, 200, () => 'a')).problem, 'none')
  assert.equal(problemOf(objects(900, 20, (at) => `${at}.`)).problem, 'none')
  assert.equal(problemOf(objects(1100, 20, (at) => `${at}.`)).problem, 'too-large')
  // Texts with colons are no names.
  assert.equal(problemOf(JSON.stringify(Array.from({ length: 30_000 }, (_, at) => `a${at}: "b":`))).problem, 'none')
})
