import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Cql2SyntaxError } from './cql2-tokens.ts'
import { parseCql2Text } from './parse-cql2-text.ts'

interface Example {
  readonly name: string
  readonly text: string
  readonly json: unknown
}

const fixture = new URL('../../../../../../fixtures/cql2/ogc-examples.json', import.meta.url)
const { examples } = JSON.parse(readFileSync(fixture, 'utf8')) as { examples: readonly Example[] }

const timestamp = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Operators have no case, and an instant can be written with more or fewer digits. */
const normalize = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, member: unknown) => {
    if (typeof member !== 'string') return member
    if (timestamp.test(member)) return Date.parse(member)
    return key === 'op' ? member.toLowerCase() : member
  })

test('the examples of the standard translate to their JSON', () => {
  const different = examples.filter(({ text, json }) => {
    try {
      assert.deepEqual(normalize(parseCql2Text(text)), normalize(json))
      return false
    } catch {
      return true
    }
  })
  assert.deepEqual(
    different.map(({ name, text }) => `${name}: ${text}`),
    [],
  )
})

test('names of extensions, quotes in texts and precedence are read', () => {
  assert.deepEqual(parseCql2Text(`eo:cloud_cover < 20 OR platform = 'it''s' AND NOT gsd > 1`), {
    op: 'or',
    args: [
      { op: '<', args: [{ property: 'eo:cloud_cover' }, 20] },
      {
        op: 'and',
        args: [
          { op: '=', args: [{ property: 'platform' }, "it's"] },
          { op: 'not', args: [{ op: '>', args: [{ property: 'gsd' }, 1] }] },
        ],
      },
    ],
  })
})

test('a mistake is reported at its place', () => {
  const placeOf = (text: string): number => {
    try {
      parseCql2Text(text)
    } catch (error) {
      if (error instanceof Cql2SyntaxError) return error.at
    }
    return -1
  }
  assert.equal(placeOf('gsd >'), 5)
  assert.equal(placeOf('gsd > 1 platform'), 8)
  assert.equal(placeOf("title = 'open"), 8)
  assert.equal(placeOf('gsd ! 1'), 4)
  assert.equal(placeOf('gsd NOT 1'), 8)
})
